/** Where runs are kept, and for whom. */
import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { link, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PALLIUM } from "../support/cli.ts";
import { provider, workflowHome } from "../support/workflow.ts";

const STRACE = ["strace", "-f", "-y", "-e", "trace=fsync,fdatasync,execve"];

/** Not every machine has it, or lets it look. */
function canTrace(): boolean {
  return (
    Bun.which("strace") !== null && Bun.spawnSync(["strace", "-o", "/dev/null", "true"]).success
  );
}

describe("the store", () => {
  test("is where PALLIUM_TEST_DB says, unless --db says otherwise (oracle 76)", async () => {
    await using home = await workflowHome();
    const redirected = join(home.directory, "other.sqlite");
    const explicit = join(home.directory, "explicit.sqlite");
    const env = { PALLIUM_TEST_DB: redirected };
    const first = await home.script("return 1;", { env });
    expect(first.stderr).toContain(`PALLIUM_TEST_DB is set: using ${redirected}`);
    expect(existsSync(redirected)).toBe(true);
    expect(existsSync(join(home.directory, ".pallium", "pallium.sqlite"))).toBe(false);
    const second = await home.script("return 1;", { env, flags: ["--db", explicit] });
    expect(second.stderr).not.toContain("PALLIUM_TEST_DB");
    expect(existsSync(explicit)).toBe(true);
  });

  test("and its files are the user's alone; nothing is written to the repository (oracle 75, X6)", async () => {
    await using home = await workflowHome();
    await home.script(`return (await check("true")).ok;`);
    const listing = await home.pallium(["workflow", "read", "wf-test"]);
    expect(listing.stdout.trim()).toBe("true");
    const find = Bun.spawnSync(["find", join(home.directory, ".pallium"), "-perm", "/077"]);
    expect(find.stdout.toString()).toBe("");
  });

  test("is neither set up nor written again by commands that only read (P1)", async () => {
    await using home = await workflowHome();
    await home.script(`return await agent("x");`, { stub: "fine" });
    // Whatever would write waits for the lock that is taken here.
    using store = new Database(join(home.directory, ".pallium", "pallium.sqlite"));
    const versions = () => store.query("PRAGMA schema_version").get();
    const before = versions();
    store.run("BEGIN IMMEDIATE");
    const words = ["list", "status wf-test", "inspect wf-test", "show wf-test", "read wf-test"];
    for (const command of [...words, "events wf-test", "resume wf-test --plan"]) {
      const { exitCode, stderr } = await home.pallium(["workflow", ...command.split(" ")]);
      expect([command, exitCode, stderr]).toEqual([command, 0, ""]);
    }
    store.run("COMMIT");
    expect(versions()).toEqual(before);
  });

  test("keeps the script whole: a new one never overwrites the file of the old (P5)", async () => {
    await using home = await workflowHome();
    await home.script("return 1;");
    const folder = join(home.directory, ".pallium", "workflow-runs", "wf-test");
    await link(join(folder, "workflow.js"), join(home.directory, "old.js"));
    await home.script("return 2;");
    expect(await readFile(join(home.directory, "old.js"), "utf8")).toBe("return 1;");
    expect(await readFile(join(folder, "workflow.js"), "utf8")).toBe("return 2;");
    expect((await readdir(folder)).sort()).toEqual(["run.json", "workflow.js"]);
  });

  test.skipIf(!canTrace())(
    "has what it was told on the disk before the run goes on (P5)",
    async () => {
      await using home = await workflowHome();
      await home.script("return 1;");
      const script = join(home.directory, "script.js");
      await writeFile(script, `return await agent("x");`);
      const trace = join(home.directory, "trace");
      const command = [...STRACE, "-o", trace, ...PALLIUM, "workflow", "run", "--script", script];
      const run = Bun.spawnSync(command, {
        cwd: home.directory,
        env: { ...home.env, PALLIUM_WORKFLOW_PROVIDER: "p", ...provider("p", "echo fine") },
      });
      expect(run.exitCode).toBe(0);
      const calls = (await readFile(trace, "utf8")).split("\n");
      const worker = calls.findIndex((call) => call.includes('"echo fine"'));
      const synced = (path: string, part: string[]) =>
        part.filter((call) => /sync\(/.test(call) && call.includes(path)).length;
      expect(worker).toBeGreaterThan(0);
      expect(synced("workflow.js", calls.slice(0, worker))).toBe(1);
      // The claim and the start before it, the answer and the end of the run after it.
      expect(synced("pallium.sqlite-wal", calls.slice(0, worker))).toBeGreaterThan(1);
      expect(synced("pallium.sqlite-wal", calls.slice(worker))).toBeGreaterThan(1);
    },
  );
});
