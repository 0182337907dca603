/** `workflow secrets`: what it finds in patches, what it says of those it cannot search. */
import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { outputs } from "../../src/operations/schemas.ts";
import { cliHome } from "../support/cli.ts";
import { createDraw } from "../support/secrets/draw.ts";
import { errorOf, workflowHome } from "../support/workflow.ts";

const NPM = `npm${"_"}${createDraw(4).text(36)}`;
const added = (file: string, line: string) =>
  `diff --git a/${file} b/${file}\nnew file mode 100644\n--- /dev/null\n+++ b/${file}\n@@ -0,0 +1,2 @@\n+a\n+${line}\n`;
const BINARY = "diff --git a/x.png b/x.png\nBinary files a/x.png and b/x.png differ\n";

describe("workflow secrets", () => {
  test("names file, line and rule, never the secret, and fails", async () => {
    await using home = await cliHome();
    await Bun.write(`${home.directory}/c.patch`, `${added("src/a.ts", `x = "${NPM}"`)}${BINARY}`);
    const text = await home.pallium(["workflow", "secrets", "c.patch"]);
    expect(text.stdout).toBe(
      "src/a.ts:2: npm-token\nNot searched: x.png (binary, and not whole in the patch)\n",
    );
    expect(text.exitCode).toBe(1);
    const json = await home.pallium(["workflow", "secrets", "c.patch", "--json"]);
    expect(JSON.parse(json.stdout)).toEqual({
      findings: [{ rule: "npm-token", file: "src/a.ts", line: 2, column: 6 }],
      skipped: [{ file: "x.png", reason: "binary" }],
    });
    expect(errorOf(json.stderr).code).toBe("secrets_found");
    expect(errorOf(json.stderr).message).toBe("1 secret found");
    for (const said of [text.stdout, text.stderr, json.stdout, json.stderr]) {
      expect(said).not.toContain(NPM.slice(4, 16));
    }
  });

  test("reads a patch from stdin; an empty one has none", async () => {
    await using home = await cliHome();
    const found = await home.pallium(["workflow", "secrets", "-"], { input: added("a", NPM) });
    expect(found).toMatchObject({ stdout: "a:2: npm-token\n", exitCode: 1 });
    const none = await home.pallium(["workflow", "secrets", "-"], { input: "" });
    expect(none).toMatchObject({ stdout: "No secrets found.\n", stderr: "", exitCode: 0 });
  });

  test("file names cannot pass for other lines", async () => {
    await using home = await cliHome();
    const patch = added("x", NPM).replaceAll("b/x", '"b/x\\nb:1: ok"');
    const { stdout } = await home.pallium(["workflow", "secrets", "-"], { input: patch });
    expect(stdout).toBe("x\\u{a}b:1: ok:2: npm-token\n");
  });

  test("what cannot be searched is an error, not a good answer", async () => {
    await using home = await cliHome();
    await Bun.write(`${home.directory}/a.env`, `KEY=${NPM}\n`);
    await Bun.write(
      `${home.directory}/large.patch`,
      `${added("a", "b")}${" \n".repeat(34_000_000)}`,
    );
    for (const [subject, code] of [
      ["a.env", "not_a_patch"],
      ["missing", "patch_not_found"],
      ["./missing.patch", "patch_not_found"],
      [".", "patch_not_found"],
      ["large.patch", "patch_too_large"],
    ] as const) {
      const { stdout, stderr, exitCode } = await home.pallium([
        ...["workflow", "secrets", subject, "--json"],
      ]);
      expect({ subject, stdout, exitCode }).toEqual({ subject, stdout: "", exitCode: 1 });
      expect({ subject, code: errorOf(stderr).code }).toEqual({ subject, code });
    }
  });

  test("a run comes before a file of its name; one that edited nothing has no patches", async () => {
    await using home = await workflowHome();
    await home.script(`return await agent("x");`, { stub: "y" });
    await Bun.write(`${home.directory}/wf-test`, added("a", NPM));
    const { stderr } = await home.pallium(["workflow", "secrets", "wf-test", "--json"]);
    expect(errorOf(stderr).code).toBe("no_patches");
    const { stdout } = await home.pallium(["workflow", "secrets", "./wf-test"]);
    expect(stdout).toBe("a:2: npm-token\n");
  });

  test("searches all patches that the calls of a run left", async () => {
    await using home = await workflowHome();
    await home.script(`return [await agent("x"), await agent("y")];`, { stub: "z" });
    const database = new Database(`${home.directory}/.pallium/pallium.sqlite`);
    for (const index of [1, 2]) {
      const path = `${home.directory}/${index}.patch`;
      await Bun.write(path, added(`${index}.txt`, NPM));
      database.run("UPDATE workflow_calls SET patch_path = ? WHERE call_index = ?", [path, index]);
    }
    database.close();
    const { stdout, exitCode } = await home.pallium(["workflow", "secrets", "wf-test", "--json"]);
    expect(JSON.parse(stdout).findings.map(({ file }: { file: string }) => file)).toEqual([
      "1.txt",
      "2.txt",
    ]);
    expect(outputs["workflow.secrets"].parse(JSON.parse(stdout))).toBeDefined();
    expect(exitCode).toBe(1);
  });
});
