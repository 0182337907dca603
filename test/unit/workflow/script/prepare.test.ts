// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the scripts under test hold templates
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Json } from "../../../../src/lib/json.ts";
import { prepareScript, WRAPPER_COLUMNS } from "../../../../src/workflow/script/prepare.ts";
import { ScriptCompartment } from "../../../support/script-compartment.ts";

let compartment: ScriptCompartment;
beforeAll(() => {
  compartment = new ScriptCompartment();
});
afterAll(() => compartment.close());

async function returned(source: string): Promise<unknown> {
  const { program } = await prepareScript(source, "script.js");
  return await compartment.run(program);
}

async function metaOf(source: string): Promise<Json> {
  return (await prepareScript(`${source}\nreturn 1`, "script.js")).meta;
}

describe("meta", () => {
  test("is null where there is none", async () => {
    expect(await metaOf("const meta = { a: 1 }")).toBeNull();
  });

  test("is read from the syntax tree, so braces in strings and comments do not count", async () => {
    const source = `// leading comment
export const meta = {
  name: "brace } {", 'quoted key': \`template \\} {\`, 3: [1, -2.5, 0x10, 1_000], // }
  /* } */ nested: { limits: { agents: 3 }, list: [[], {}, [null]] }, yes: true, no: false,
};`;
    expect(await metaOf(source)).toEqual({
      name: "brace } {",
      "quoted key": "template } {",
      3: [1, -2.5, 16, 1000],
      nested: { limits: { agents: 3 }, list: [[], {}, [null]] },
      yes: true,
      no: false,
    });
  });

  test("may have any layout and need no semicolon", async () => {
    expect(await metaOf("export\n  const\tmeta={a:1}")).toEqual({ a: 1 });
    expect(await metaOf("\uFEFFexport const meta = {}\r\n")).toEqual({});
  });

  test("may carry types", async () => {
    expect(await metaOf("export const meta: Meta = { a: '}' } as const;")).toEqual({ a: "}" });
    expect(await metaOf("/* } */ export const meta = { a: 1 } satisfies Meta")).toEqual({ a: 1 });
  });

  test("keeps keys of object prototypes as data", async () => {
    const meta = await metaOf("export const meta = { constructor: 1, toString: null }");
    expect(JSON.stringify(meta)).toBe('{"constructor":1,"toString":null}');
  });

  test("is a constant of the script", async () => {
    expect(await returned("export const meta = { name: 'x' }\nreturn meta.name")).toBe("x");
  });

  test("is not looked for in strings and comments", async () => {
    const source = "// export const meta = { a: 1 }\nreturn 'export const meta = { b: 2 }'";
    expect(await metaOf(source)).toBeNull();
    expect(await returned(source)).toBe("export const meta = { b: 2 }");
  });
});

describe("the program", () => {
  test("awaits and returns at the top", async () => {
    expect(await returned("const a = await Promise.resolve(2); return a + 1")).toBe(3);
    expect(await returned("for await (const a of [1, 2]) if (a === 2) return a")).toBe(2);
  });

  test("runs in strict mode without this", async () => {
    expect(await returned("return this === undefined && (() => !this)()")).toBe(true);
    const failure = await returned("undeclared = 1").catch(String);
    expect(failure).toContain("ReferenceError");
  });

  test("is not swallowed by a comment on the last line", async () => {
    expect(await returned("return 1 // the end")).toBe(1);
    expect(await returned("return 2 //# sourceURL=other.js")).toBe(2);
  });

  test("starts with a mark, a #! line or Windows line ends", async () => {
    expect(await returned("\uFEFF#!/usr/bin/env -S pallium import(\r\nreturn `a\r\nb`")).toBe(
      "a\nb",
    );
  });

  test("keeps every line, and every column but those of the first line", async () => {
    const { program } = await prepareScript("const a = 1\n  return a", "script.js");
    const lines = program.split("\n");
    expect(lines[0]?.indexOf("const a")).toBe(WRAPPER_COLUMNS);
    expect(lines[1]).toBe("  return a");
  });

  test("has its types blanked in place", async () => {
    const source = [
      "interface Finding { file: string; line?: number }",
      "type Id<T> = T extends string ? T : never",
      "declare const outer: unknown",
      "const pick = async <T,>(items: readonly T[], at: number = 0): Promise<T> => items[at]!",
      "abstract class Base<T> { protected readonly items: T[] = []; add(item: T): this { this.items.push(item); return this } }",
      "class List extends Base<Finding> implements Iterable<Finding> { *[Symbol.iterator]() { yield* this.items } }",
      "const found = new List().add({ file: 'é漢😀' } satisfies Finding) as List",
      "return [await pick<Finding>([...found]), typeof pick]",
    ].join("\n");
    const { program } = await prepareScript(source, "script.ts");
    expect(await compartment.run(program)).toEqual([{ file: "é漢😀" }, "function"]);
    expect(program.split("\n").map((line) => line.length)).toEqual(
      [`(async function () {${source}`, "})", "//# sourceURL=script.ts"]
        .join("\n")
        .split("\n")
        .map((line) => line.length),
    );
  });

  test("JavaScript that a type stripper would damage runs as it is", async () => {
    expect(await returned("const b = 3, c = 2, d = 0; return b < c > (d)")).toBe(false);
  });

  test("names its file, whatever the name", async () => {
    const names = [
      "a/b-c.js",
      "import(x).js",
      "a//*b eval(.js",
      "a/import//b.js",
      "<!-- -->.js",
      "x\n;throw 1//\u2028'\"`.js",
      "é 漢.js",
    ];
    for (const name of names) {
      const { program, fileName } = await prepareScript("return 1", name);
      expect(fileName).toBe(name);
      expect(await compartment.run(program)).toBe(1);
      expect(program).toMatch(/\n\/\/# sourceURL=[^\s'"`()<>*]+$/);
    }
    expect((await prepareScript("return 1", "a/b-c.js")).program).toEndWith("sourceURL=a/b-c.js");
  });

  test("errors carry the script's name, line and column", async () => {
    const { program } = await prepareScript("throw new Error('a');", "dir/flow.js");
    // biome-ignore lint/security/noGlobalEval: what the engine makes of the program is the subject
    const evaluate: (text: string) => () => Promise<unknown> = globalThis.eval;
    const stack = await evaluate(program)().catch((thrown: Error) => thrown.stack);
    const column = "throw new Error".length + 1 + WRAPPER_COLUMNS;
    expect(stack).toContain(`(dir/flow.js:1:${column})`);
  });

  test("is made of a megabyte of prompts in reasonable time", async () => {
    const prompt = "Audit calls such as import(x), eval(y) and <!-- --> in this module. ".repeat(
      50,
    );
    const step = `await agent(\`${prompt}\`, { label: "x" });\n`;
    const source = step.repeat(Math.ceil(1_000_000 / step.length));
    const started = performance.now();
    await prepareScript(source, "big.js");
    // Some 40 ms alone; the bound only catches work that grows with the square of the size.
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
