/** `workflow audit`: what it tries, what it answers, and that nobody else's files run or change. */
import { describe, expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { outputs } from "../../src/operations/schemas.ts";
import { exists } from "../../src/platform/files.ts";
import type { AuditReport } from "../../src/workflow/audit/audit.ts";
import golden from "../golden/go-0.9.17.json" with { type: "json" };
import { missing } from "../golden/shapes.ts";
import { cliHome } from "../support/cli.ts";
import { testRepository } from "../support/repository.ts";
import { tempDir } from "../support/temp.ts";
import { errorOf } from "../support/workflow.ts";

const PATIENCE_MS = 180_000;
const VERSIONS = ["v1", "v2", "v3", "v4", "v5", "v6", "v7"];
/** What later versions have; the audit says so, and is not complete without. */
const ABSENT = ["v2-sessions", "v6-api", "v6-mcp", "v6-sdk"];

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

      expect(report.versions).toEqual(VERSIONS as AuditReport["versions"][number][]);
      for (const version of VERSIONS) {
        expect(report.by_version[version]?.length).toBeGreaterThanOrEqual(2);
      }
      const withStatus = (status: string) =>
        report.requirements.filter((one) => one.status === status).map(({ id }) => id);
      expect(report.requirements).toHaveLength(30);
      expect(withStatus("failed")).toEqual([]);
      expect(withStatus("not_in_this_version")).toEqual(ABSENT);
      expect(withStatus("needs_acceptance")).toEqual(["v7-acceptance"]);
      expect(report.requirements.filter(({ evidence }) => evidence.length < 20)).toEqual([]);

      expect(report.complete).toBe(false);
      expect(report).not.toHaveProperty("acceptance_passed");
      expect({ exitCode, code: errorOf(stderr).code }).toEqual({
        exitCode: 1,
        code: "audit_incomplete",
      });
      expect(outputs["workflow.audit"].safeParse(report).error?.issues ?? []).toEqual([]);
      expect(missing(golden["workflow/audit"].shape, JSON.parse(stdout))).toEqual([]);

      const ofBun = [".bun"];
      expect((await readdir(home.directory)).filter((name) => !ofBun.includes(name))).toEqual([]);
      expect(await repo.git("status", "--short", "--ignored")).toBe("");
      expect(await readdir(temporary.path)).toEqual([]);
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
