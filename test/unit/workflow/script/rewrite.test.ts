// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the scripts under test hold templates
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { prepareScript } from "../../../../src/workflow/script/prepare.ts";
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

/** Script, and what it returns when evaluated as it stands. */
const SCRIPTS: readonly (readonly [string, unknown])[] = [
  ["return 'call import(\"x\") and eval(y)'", 'call import("x") and eval(y)'],
  ['return "<!-- a --> b"', "<!-- a --> b"],
  ['return "<!-->"', "<!-->"],
  ['return "\\import( \\\\import( \\\\\\import("', "import( \\import( \\import("],
  ['return "\\eval( \\\\eval( \\<!-- \\\\<!--"', "eval( \\eval( <!-- \\<!--"],
  ['return "\\-->"', "-->"],
  ["return 'import \\\n(x) import /* y'", "import (x) import /* y"],
  ["return `import\n(a) ${`eval (${1})`} -->`", "import\n(a) eval (1) -->"],
  ["return `a\r\nimport(\r\n`", "a\nimport(\n"],
  ["return `${'import('}${1}import(${2}`", "import(1import(2"],
  ["// import('x') eval(y) <!-- -->\nreturn 1", 1],
  ["/* import(\n eval( --*/ return /* --> <!-- */ 2", 2],
  ["let a = 3 // import\n;(0)\nreturn a", 3],
  ["return [/import\\(/.test('import('), /^(import(a))$/.test('importa')]", [true, true]],
  ["return /^\\import(s)$/.test('imports') && /^\\eval(s)$/.test('evals')", true],
  ["return [/[<!--x]/.test('#'), /[+-->]/.test(','), /[+-->]/.test('=')]", [true, true, false]],
  ["return [/(?<!--)x/.test('--x'), /(?<!--)x/.test('-x')]", [false, true]],
  ["return ['ab', 'b>'].map(s => /[\\w-->]/.test(s))", [true, true]],
  ["return /[\\p{L}--[a-z]]<!-->/v.test('A<!-->')", true],
  ["let n = 3, c = 0; while (n --> 0) c++; return [n, c]", [-1, 3]],
  ["let n = 3; return [n-->2, n-->>1, n]", [true, 1, 1]],
  ["let a = 1, b = 1; return [a<!--b, a<<!--b, b]", [false, 1, -1]],
  ["return new (class { import(a) { return a } })().import(4)", 4],
  ["return ({ import(a) { return a }, eval (b) { return b } }) . import (5)", 5],
  ["const o = { eval: (x) => x + 1 }; return [o.eval(1), o. eval(2), o?.eval(3)]", [2, 3, 4]],
  [
    "class A { #import(a) { return a } #eval = (b) => b; m() { return [this.#import(1), this.#eval(2)] } } return new A().m()",
    [1, 2],
  ],
  ["const $import = (x) => x, éeval = (x) => -x; return [$import(1), éeval(2)]", [1, -2]],
  ["const o = { get import() { return 6 } }; return o.import /* c */", 6],
  ["const o = { import /* c */ : 7, 'import(': 8 }; return [o.import, o['import(']]", [7, 8]],
  ["const g = (s) => s.raw[0]; return [g`fine`, `import(`]", ["fine", "import("]],
  ["return ((s, v) => v)`a${`import(`}b`", "import("],
  ["const f = async () => 1\n/* eval( */ return await f() // import(", 1],
  ["const importer = (x) => x; return importer(9)", 9],
  ["return 'x'.replace(/import(s)?/g, '-->')", "x"],
  ["const n = 8, i = 2; return [/import/ /n, n /i/ 2]", [Number.NaN, 2]],
  ["return '\ud800 import('.length", 9],
  ["return '\u2028 import('.length", 9],
  ["const t: string = 'import('; return t as string", "import("],
];

describe("text that SES refuses keeps its meaning", () => {
  for (const [source, expected] of SCRIPTS) {
    test(JSON.stringify(source), async () => {
      expect(await returned(source)).toEqual(expected);
    });
  }

  test("SES itself refuses such scripts as they stand", async () => {
    const bare = "(async function () { return 'import(' })";
    const refusal = await compartment.run(bare).catch(String);
    expect(refusal).toContain("SES_IMPORT_REJECTED");
  });

  test("lines keep their numbers", async () => {
    const source = "return [\n'import(', `\n<!--\n`,\n/* eval(\n*/ /-->/,\n]";
    const { program } = await prepareScript(source, "script.js");
    expect(program.split("\n").length).toBe(source.split("\n").length + 2);
    expect(program.split("\n")[5]).toBe("*/ /--\\x3e/,");
  });
});
