/** Every error code that the program can give is explained in docs/errors.md. */
import { expect, test } from "bun:test";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "../..");
/** A code stands first where an error is made, or as the value of a field that holds one. */
const CODE =
  /(?:\w*(?:Error|Fault|coded|fail(?:ed|ure)?|problem)\(|(?:error_?[cC]ode|code)[:=]) *\n? *"([a-z]+(?:_[a-z]+)*)"/g;
/** Words in such places that are no codes of errors. */
const OTHER = new Set(["not_data", "too_large", "undeclared", "unchecked", "javac", "keep"]);

async function codesIn(folder: string): Promise<Set<string>> {
  const codes = new Set<string>();
  for await (const path of new Bun.Glob("**/*.ts").scan({
    cwd: join(ROOT, folder),
    absolute: true,
  })) {
    for (const [, code] of (await Bun.file(path).text()).matchAll(CODE)) {
      if (code !== undefined && !OTHER.has(code)) codes.add(code);
    }
  }
  return codes;
}

test("docs/errors.md explains every code", async () => {
  const explained = await Bun.file(join(ROOT, "docs/errors.md")).text();
  const codes = [...(await codesIn("src")), ...(await codesIn("workers"))];
  expect(codes.length).toBeGreaterThan(50);
  expect(codes.filter((code) => !explained.includes(`\`${code}\``))).toEqual([]);
});
