import { expect, test } from "bun:test";
import { resolve } from "node:path";
import { checkSize } from "../../scripts/check-size.ts";
import { writeTree } from "../support/build.ts";
import { tempDir } from "../support/temp.ts";

const ROOT = resolve(import.meta.dir, "../..");

function lines(count: number): string {
  return Array.from({ length: count }, (_, index) => `// ${index}\n`).join("");
}

/** A function declaration of so many lines. */
function functionOf(name: string, count: number): string {
  return `export function ${name}(): void {\n${lines(count - 2)}}\n`;
}

test("this checkout keeps the hard limits", async () => {
  expect((await checkSize(ROOT)).errors).toEqual([]);
});

test("files and functions over the hard limit are errors, over the soft one warnings", async () => {
  await using dir = await tempDir();
  await writeTree(dir.path, {
    "src/fits.ts": functionOf("fits", 60),
    "src/long.ts": lines(251),
    "src/longest.ts": lines(401),
    "workers/long.ts": functionOf("long", 61),
    "scripts/longest.ts": functionOf("longest", 81),
    "scripts/method.ts": `export const it = {\n  typed(a: string): string {\n${lines(79)}    return a;\n  },\n};\n`,
    "test/suite.ts": functionOf("suite", 100),
  });
  const { errors, warnings } = await checkSize(dir.path);
  const places = [errors, warnings].map((found) =>
    found.map(({ path, line, rule }) => `${path}:${line} ${rule}`),
  );
  expect(places).toEqual([
    [
      "src/longest.ts:1 file-size",
      "scripts/longest.ts:1 function-size",
      "scripts/method.ts:2 function-size",
    ],
    ["src/long.ts:1 file-size", "workers/long.ts:1 function-size"],
  ]);
});
