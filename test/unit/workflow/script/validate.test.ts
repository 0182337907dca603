import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { LANGUAGE_GLOBALS, SCRIPT_API_NAMES } from "../../../../src/workflow/script/constants.ts";
import { prepareScript } from "../../../../src/workflow/script/prepare.ts";
import { validateScript } from "../../../../src/workflow/script/validate.ts";
import { HOST_NAMES } from "../../../../src/workflow/script/warnings/host-names.ts";
import { ScriptCompartment } from "../../../support/script-compartment.ts";

async function warningsOf(source: string): Promise<readonly string[]> {
  const report = await validateScript(source, "flow.js");
  expect(report.error).toBeUndefined();
  return report.warnings ?? [];
}

describe("reports", () => {
  test("a valid script is just valid", async () => {
    const source = "export const meta = { limits: { agents: 3 } }\nreturn await agent('a')";
    expect(await validateScript(source, "flow.js")).toEqual({ valid: true });
  });

  test("an invalid one carries code, place and next step", async () => {
    expect(await validateScript('log(1)\nphase("scan"; x', "dir/flow.js")).toEqual({
      valid: false,
      code: "script_syntax",
      error: "Unexpected token ; at dir/flow.js:2:13",
      line: 2,
      column: 13,
      hints: ["correct the script there and validate it again"],
    });
  });

  test("a blank one is empty and has no place", async () => {
    const report = await validateScript(" \n", "flow.js");
    expect(report).toMatchObject({ valid: false, code: "script_empty" });
    expect(report.error).toBe("workflow script is empty");
    expect(report).not.toHaveProperty("line");
  });

  test("warnings come as text and as data", async () => {
    const report = await validateScript("\n return agnet('x')", "flow.js");
    expect(report).toEqual({
      valid: true,
      warnings: [
        "agnet is not declared, so it reads as undefined; did you mean agent? at flow.js:2:9",
      ],
      diagnostics: [
        {
          code: "undeclared",
          message: "agnet is not declared, so it reads as undefined; did you mean agent?",
          line: 2,
          column: 9,
        },
      ],
    });
  });

  test("then and catch on a call are right", async () => {
    const source =
      "await agent('a').then((text) => log(text)).catch(() => null); await check('b').catch(log)";
    expect(await warningsOf(source)).toEqual([]);
  });
});

describe("undeclared names", () => {
  const fine = [
    "function f(a, { b, c: [d] = [] }, ...rest) { return [a, b, d, rest, f, arguments.length] } f(1, {})",
    "class A { #x = 1; static s = 2; m() { return this.#x + A.s + new.target } } new A().m()",
    "try { log(1) } catch { log(2) } try { log(3) } catch (error) { log(error) }",
    "label: for (const a of [1]) { continue label }",
    "hoisted(); function hoisted() { return later } const later = 1; var loose = later; log(loose)",
    "const o = { fetch: 1, require() {} }; o.process = o.fetch; log(o.console, o?.setTimeout)",
    "if (typeof fetch === 'undefined' && typeof (Bun) === 'undefined') log(1)",
    "const { a = 1, ...b } = args; const c = { a, b }; for (const d in c) log(d)",
    "const tag = (s) => s; tag`x`; const f = async (x) => { for await (const y of x) log(y) }; await f([])",
    "interface Foo { a: Missing } type Bar = Absent; let foo: Foo | Bar; foo = args as Other; log(foo)",
    "const x = 1; { const x = 2; log(x) } log(x, undefined, NaN, Infinity, globalThis)",
  ];
  for (const source of fine) {
    test(`none in ${source}`, async () => {
      expect(await warningsOf(source)).toEqual([]);
    });
  }

  test("every global of the script API and the language is known", async () => {
    expect(
      await warningsOf(`log(${[...SCRIPT_API_NAMES, ...LANGUAGE_GLOBALS].join(", ")})`),
    ).toEqual([]);
  });

  test("every host name says what to use instead", async () => {
    const names = [...HOST_NAMES.keys()].filter((name) => name !== "eval");
    for (const name of names) {
      const [warning] = await warningsOf(`const x = ${name}`);
      expect(warning).toStartWith(
        `${name} does not exist in workflow scripts: ${HOST_NAMES.get(name)}`,
      );
      expect(warning).toEndWith(" at flow.js:1:11");
    }
    expect(names).toContain("console");
  });

  test("a misspelt own name is matched too", async () => {
    expect(await warningsOf("const results = [1]; return resluts.length")).toEqual([
      "resluts is not declared, so it reads as undefined; did you mean results? at flow.js:1:29",
    ]);
  });

  test("a name used after it was asked for its type is still undeclared", async () => {
    const [warning] = await warningsOf("if (typeof zork === 'function') zork()");
    expect(warning).toBe("zork is not declared, so it reads as undefined at flow.js:1:33");
  });

  test("an assignment is reported at its place, before reads", async () => {
    for (const source of [
      "log(total); total = 1",
      "log(total); total += 1",
      "log(total); [total] = [1]",
    ]) {
      const [warning, second] = await warningsOf(source);
      expect(warning).toStartWith("total is assigned but never declared, which throws");
      expect(second).toBeUndefined();
    }
    expect((await warningsOf("for (zork of [1]) log(zork)"))[0]).toEndWith("at flow.js:1:6");
    expect((await warningsOf("zork++"))[0]).toContain("assigned");
  });

  test("each name is reported once, at its first use, in order", async () => {
    const report = await validateScript("zorkB()\nlog(zorkA, zorkB)\nzorkA()", "flow.js");
    expect(report.diagnostics?.map(({ line, column }) => [line, column])).toEqual([
      [1, 1],
      [2, 5],
    ]);
  });

  test("places are those of a TypeScript file too", async () => {
    expect(await warningsOf("let a: string = 'é'; log(a, zork)")).toEqual([
      "zork is not declared, so it reads as undefined at flow.js:1:29",
    ]);
  });

  test("a flood of names is cut with a mark", async () => {
    const source = Array.from({ length: 5_000 }, (_, index) => `q${index}q()`).join("\n");
    const warnings = await warningsOf(source);
    expect(warnings).toHaveLength(51);
    expect(warnings[50]).toBe("4950 more warnings of this kind are not shown at flow.js:51:1");
  });

  test("what is too deep to look through is said to be", async () => {
    const warnings = await warningsOf(`return zork${"+1".repeat(100_000)}`);
    expect(warnings).toEqual([
      "The script is nested too deeply to look for mistakes at flow.js:1:1",
    ]);
  });
});

describe("the lists of globals", () => {
  let compartment: ScriptCompartment;
  beforeAll(() => {
    compartment = new ScriptCompartment();
  });
  afterAll(() => compartment.close());

  test("are what a script finds besides the script API", async () => {
    const found = "return Object.getOwnPropertyNames(globalThis).sort()";
    const { program } = await prepareScript(found, "flow.js");
    expect(await compartment.run(program)).toEqual([...LANGUAGE_GLOBALS].sort());
  });

  test("do not overlap", () => {
    const all = [...LANGUAGE_GLOBALS, ...SCRIPT_API_NAMES];
    expect(new Set(all).size).toBe(all.length);
    for (const name of HOST_NAMES.keys()) {
      expect([...LANGUAGE_GLOBALS, ...SCRIPT_API_NAMES] as string[]).not.toContain(name);
    }
  });
});
