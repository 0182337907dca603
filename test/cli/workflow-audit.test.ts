/** `workflow audit`: what it tries, what it answers, and that nobody else's files run or change. */
import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { outputs } from "../../src/operations/schemas.ts";
import { exists } from "../../src/platform/files.ts";
import type { AuditReport } from "../../src/workflow/audit/audit.ts";
import golden from "../golden/go-0.9.17.json" with { type: "json" };
import { missing } from "../golden/shapes.ts";
import { cliHome, PALLIUM } from "../support/cli.ts";
import { changesUntil } from "../support/files.ts";
import { runningFrom } from "../support/leftovers.ts";
import { testRepository } from "../support/repository.ts";
import { tempDir } from "../support/temp.ts";
import { errorOf } from "../support/workflow.ts";

const PATIENCE_MS = 180_000;
const VERSIONS = ["v1", "v2", "v3", "v4", "v5", "v6", "v7"];
/** What a version may lack, and the command that it then does not have. */
const MAY_LACK: Readonly<Record<string, string>> = {
  "v2-report": "workflow report",
  "v5-fleet": "workflow fleet status",
  "v6-api": "workflow serve",
  "v6-mcp": "workflow mcp",
  "v6-sdk": "workflow serve",
  "v6-analytics": "workflow analytics",
};

/** Waits until probes are at work, and says where. */
async function madeIn(folder: string): Promise<readonly string[]> {
  const isAtWork = (name: string) => existsSync(join(folder, name, ".pallium"));
  await changesUntil(folder, () => readdirSync(folder).some(isAtWork));
  return readdir(folder);
}

describe("workflow audit", () => {
  test(
    "tries every requirement, changes nothing, and fails as long as one is missing (oracle 87)",
    async () => {
      await using home = await cliHome();
      await using repo = await testRepository();
      await using temporary = await tempDir();
      await repo.commit("base", { "a.txt": "one\n" });
      const { stdout, stderr, exitCode } = await home.pallium(["workflow", "audit", "--json"], {
        cwd: repo.path,
        env: { TMPDIR: temporary.path, PALLIUM_WORKFLOW_AGENT_STUB: "of the user" },
      });
      const report = JSON.parse(stdout) as AuditReport;
      const help = (await home.pallium(["help", "--json"])).stdout;
      const lacks = Object.keys(MAY_LACK).filter((id) => !help.includes(`"${MAY_LACK[id]}"`));

      expect(report.versions).toEqual(VERSIONS as AuditReport["versions"][number][]);
      for (const version of VERSIONS) {
        expect(report.by_version[version]?.length).toBeGreaterThanOrEqual(2);
      }
      const withStatus = (status: string) =>
        report.requirements.filter((one) => one.status === status).map(({ id }) => id);
      expect(report.requirements).toHaveLength(30);
      expect(withStatus("failed")).toEqual([]);
      expect(withStatus("not_in_this_version")).toEqual(lacks);
      expect(withStatus("needs_acceptance")).toEqual(["v7-acceptance"]);
      expect(report.requirements.filter(({ evidence }) => evidence.length < 20)).toEqual([]);

      expect(report.complete).toBe(withStatus("not_in_this_version").length === 0);
      expect(report).not.toHaveProperty("acceptance_passed");
      expect(exitCode).toBe(report.complete ? 0 : 1);
      if (!report.complete) expect(errorOf(stderr).code).toBe("audit_incomplete");
      expect(outputs["workflow.audit"].safeParse(report).error?.issues ?? []).toEqual([]);
      expect(missing(golden["workflow/audit"].shape, JSON.parse(stdout))).toEqual([]);

      const ofBun = [".bun"];
      expect((await readdir(home.directory)).filter((name) => !ofBun.includes(name))).toEqual([]);
      expect(await repo.git("status", "--short", "--ignored")).toBe("");
      expect(await readdir(temporary.path)).toEqual([]);
    },
    PATIENCE_MS,
  );

  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)(
    "leaves no file and no process behind when %s ends it",
    async (signal, status) => {
      await using home = await cliHome();
      await using temporary = await tempDir();
      await using child = Bun.spawn([...PALLIUM, "workflow", "audit"], {
        cwd: home.directory,
        env: { ...home.env, TMPDIR: temporary.path },
        stdin: "ignore",
        stdout: "pipe",
        stderr: "pipe",
      });
      const benches = await madeIn(temporary.path);
      child.kill(signal);
      expect(await child.exited).toBe(status);
      expect(await child.stderr.text()).toContain("interrupted");
      expect(await readdir(temporary.path)).toEqual([]);
      expect(benches.flatMap((name) => runningFrom(temporary.join(name)))).toEqual([]);
    },
    PATIENCE_MS,
  );

  test(
    "runs the script that a variable names, and nothing of the directory it stands in (E10)",
    async () => {
      await using home = await cliHome();
      const planted = join(home.directory, "scripts/workflow-acceptance.sh");
      const own = join(home.directory, "own.sh");
      await Bun.write(planted, "touch planted\n");
      await Bun.write(own, 'touch "$OUT"; "$PALLIUM_BIN" version; echo no good; exit 3\n');
      const out = join(home.directory, "out");
      const missing = await home.pallium(["workflow", "audit", "--run-acceptance", "--json"], {
        env: { PALLIUM_WORKFLOW_ACCEPTANCE_SCRIPT: "none.sh" },
      });
      expect({ stdout: missing.stdout, code: errorOf(missing.stderr).code }).toEqual({
        stdout: "",
        code: "acceptance_script_not_found",
      });
      const { stdout, stderr, exitCode } = await home.pallium(
        ["workflow", "audit", "--run-acceptance"],
        { env: { PALLIUM_WORKFLOW_ACCEPTANCE_SCRIPT: own, OUT: out } },
      );
      expect(exitCode).toBe(1);
      expect(stderr).toContain("no good");
      expect(stdout).toContain(`Acceptance: ${own}\n`);
      expect(stdout).toMatch(/\nAcceptance gate: failed\n {2}pallium \S+\n {2}no good\n$/);
      expect(stdout).toContain("FAILED: the script ended with exit status 3");
      expect(await exists(out)).toBe(true);
      expect(await exists(join(home.directory, "planted"))).toBe(false);
    },
    PATIENCE_MS,
  );
});
