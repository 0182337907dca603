import { expect, test } from "bun:test";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { outputs } from "../../src/operations/schemas.ts";
import { cliHome } from "../support/cli.ts";
import { errorOf } from "../support/workflow.ts";

test("workflow types prints declarations, or writes them where asked", async () => {
  await using home = await cliHome();
  const shown = await home.pallium(["workflow", "types"]);
  expect(shown).toMatchObject({ exitCode: 0, stderr: "" });
  expect(shown.stdout).toContain("declare function agent<");
  await mkdir(join(home.directory, "sub"));
  const output = join("types", "pallium.d.ts");
  const written = await home.pallium(["workflow", "types", "--output", output, "--json"], {
    cwd: join(home.directory, "sub"),
  });
  const document = JSON.parse(written.stdout);
  expect(outputs["workflow.types"].safeParse(document).error?.issues ?? []).toEqual([]);
  expect(document.path).toBe(join(home.directory, "sub", output));
  expect(await readFile(document.path, "utf8")).toBe(shown.stdout);
});

test("workflow types brings its own file up to date and no other", async () => {
  await using home = await cliHome();
  const path = join(home.directory, "a.d.ts");
  const write = (...flags: string[]) =>
    home.pallium(["workflow", "types", "--output", "a.d.ts", ...flags]);
  expect((await write()).stdout).toBe(`Types of workflow scripts: ${path}\n`);
  const made = await readFile(path, "utf8");
  await writeFile(path, `${made.split("\n")[0]}\nof an older version`);
  expect((await write()).exitCode).toBe(0);
  expect(await readFile(path, "utf8")).toBe(made);
  await writeFile(path, "mine");
  const refused = await write("--json");
  expect(refused.exitCode).toBe(1);
  expect(errorOf(refused.stderr).code).toBe("types_exist");
  expect(await readFile(path, "utf8")).toBe("mine");
  expect((await write("--force")).exitCode).toBe(0);
  expect(await readFile(path, "utf8")).toBe(made);
  const folder = await home.pallium(["workflow", "types", "--output", ".", "--force", "--json"]);
  expect(errorOf(folder.stderr)).toMatchObject({ code: "types_exist" });
  expect((await home.pallium(["workflow", "types", "--output="])).exitCode).toBe(2);
});
