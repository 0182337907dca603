// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the scripts under test hold templates
import { describe, expect, test } from "bun:test";
import { PalliumError } from "../../../../src/lib/errors.ts";
import { prepareScript } from "../../../../src/workflow/script/prepare.ts";

async function refusal(source: string): Promise<PalliumError> {
  const error = await prepareScript(source, "flow.js").then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof PalliumError) return error;
  throw new Error(`not refused: ${source.slice(0, 80)} (${error})`);
}

/** Script, code, message without ` at flow.js:`, line:column. */
type Row = readonly [string, string, string, string];

const SYNTAX: readonly Row[] = [
  ['phase("scan"; agent("x")', "script_syntax", "Unexpected token ;", "1:13"],
  ["const a = 1\nconst a = 2", "script_syntax", "Identifier 'a' has already been declared", "2:7"],
  ["foo(\n", "script_syntax", "Unexpected end of the script", "2:1"],
  ["if (a) {\r\n  b()\r\n", "script_syntax", "Unexpected end of the script", "3:1"],
  ['log("a\nb")', "script_syntax", "Unterminated string constant", "1:5"],
  ["return `abc ${ x", "script_syntax", "Unexpected end of the script", "1:17"],
  ["return `abc", "script_syntax", "Unterminated template", "1:9"],
  ["return /abc\n", "script_syntax", "Unterminated regular expression", "1:9"],
  ["/* never", "script_syntax", "Unterminated comment", "1:1"],
  ["with (a) b()", "script_syntax", "'with' in strict mode", "1:1"],
  ["return 010", "script_syntax", "Invalid number", "1:8"],
  ["\uFEFF#!/usr/bin/env pallium\nlet a 1", "script_syntax", "Unexpected token 1", "2:7"],
  ["export const meta = { a: '}' }\n\nphase(]", "script_syntax", "Unexpected token ]", "3:7"],
  ["return 1 }); evil(); (async () => {", "script_syntax", "Unexpected token }", "1:10"],
  ["return 1 }\nfunction f() {", "script_syntax", "Unexpected token }", "1:10"],
  [
    "x => { await agent('a') }",
    "script_syntax",
    "Cannot use keyword 'await' outside an async function",
    "1:8",
  ],
  ["let a = '\u2028'\n; ]", "script_syntax", "Unexpected token ]", "3:3"],
  ["return 1\0", "script_syntax", "Unexpected character '\0'", "1:9"],
  ["let \ud800 = 1", "script_syntax", "Unexpected character '\ud800'", "1:5"],
  ["let a: string = '\ud800'", "script_syntax", "Unexpected token :", "1:6"],
  ["return '😀' 😀", "script_syntax", "Unexpected character '😀'", "1:13"],
];

const TYPESCRIPT: readonly Row[] = [
  ["enum A { b }", "script_syntax", "TypeScript enum is not supported", "1:1"],
  [
    "let é: string = '漢😀\t'; enum A {}",
    "script_syntax",
    "TypeScript enum is not supported",
    "1:25",
  ],
  [
    "let a: 1 = 1\nnamespace A { export const b = 1 }",
    "script_syntax",
    "TypeScript namespace declaration is not supported",
    "2:1",
  ],
  [
    "class A { constructor(private a: string) {} }",
    "script_syntax",
    "TypeScript parameter property is not supported",
    "1:31",
  ],
  ["let a: number = 1;\nlet b = = 2", "script_syntax", "Expression expected", "2:9"],
  ["let a: number = 1;\nlet b = 'c\n", "script_syntax", "Unterminated string constant", "2:9"],
  [
    "let a: number = 1; let a = 2",
    "script_syntax",
    "Identifier 'a' has already been declared",
    "1:24",
  ],
  [
    "export const meta: Meta = { a: 1 }\nlet b: 1 = = 1",
    "script_syntax",
    "Expression expected",
    "2:12",
  ],
  ["let a: number = 1 } let b = {", "script_syntax", "Unexpected token }", "1:19"],
  ["let a: A = import('x')", "script_import", "A workflow script cannot import modules", "1:12"],
  [
    "let a: number = 1\nreturn a<!--a",
    "script_syntax",
    "Legacy comments cannot be used in module code",
    "2:9",
  ],
  ["let a: number = 1; a important", "script_syntax", "Expected ';', '}' or <eof>", "1:22"],
  [
    "import type { A } from 'x'\nreturn 1",
    "script_import",
    "A workflow script cannot import modules",
    "1:1",
  ],
  [
    "let a: number = 1\nexport interface B {}\nreturn 1",
    "script_export",
    "A workflow script cannot export anything but `const meta`",
    "2:1",
  ],
];

const FORBIDDEN: readonly Row[] = [
  ["import a from 'a'", "script_import", "A workflow script cannot import modules", "1:1"],
  ["log(1)\nimport 'a'", "script_import", "A workflow script cannot import modules", "2:1"],
  [
    "const a =\n  await import('a')",
    "script_import",
    "A workflow script cannot import modules",
    "2:9",
  ],
  [
    "return `${`${import ('a')}`}`",
    "script_import",
    "A workflow script cannot import modules",
    "1:14",
  ],
  ["return import\n// c\n('a')", "script_import", "A workflow script cannot import modules", "1:8"],
  ["return import.meta.url", "script_import", "A workflow script cannot import modules", "1:8"],
  ["eval('1')", "script_eval", "A workflow script cannot call eval()", "1:1"],
  ["return [...eval ('1')]", "script_eval", "A workflow script cannot call eval()", "1:12"],
  ["return (eval)?.('1')", "script_eval", "A workflow script cannot call eval()", "1:8"],
  ["return \\u0065val('1')", "script_eval", "A workflow script cannot call eval()", "1:8"],
  [
    "log(1); b(eval(1)); import('a')",
    "script_eval",
    "A workflow script cannot call eval()",
    "1:11",
  ],
  [
    "return String.raw`a\nimport(`",
    "script_text",
    "The text import cannot stand in a tagged template",
    "2:1",
  ],
  [
    "return tag`a ${1} \\unicode <!--`",
    "script_text",
    "The text <!-- cannot stand in a tagged template",
    "1:28",
  ],
  [
    "export default 1",
    "script_export",
    "A workflow script cannot export anything but `const meta`",
    "1:1",
  ],
  [
    "let meta\nexport { meta }",
    "script_export",
    "A workflow script cannot export anything but `const meta`",
    "2:1",
  ],
  [
    "export * from 'a'",
    "script_export",
    "A workflow script cannot export anything but `const meta`",
    "1:1",
  ],
  [
    "export const other = 1",
    "script_export",
    "A workflow script cannot export anything but `const meta`",
    "1:1",
  ],
  [
    "export function meta() {}",
    "script_export",
    "A workflow script cannot export anything but `const meta`",
    "1:1",
  ],
];

const META: readonly Row[] = [
  [
    "log(1)\nexport const meta = {}",
    "script_meta",
    "`export const meta` must be the first statement of the script",
    "2:1",
  ],
  ["export let meta = {}; log(1)", "script_meta", "meta must be declared with `const`", "1:8"],
  ["export const meta = {}, b = 1; log(1)", "script_meta", "meta must be declared alone", "1:25"],
  ["export const meta = [1]; log(1)", "script_meta", "meta must be an object literal", "1:21"],
  [
    "export const meta = {\n  a: [1, b],\n}; log(1)",
    "script_meta",
    "meta has a value that is no literal",
    "2:10",
  ],
  [
    "export const meta = { a: f() }; log(1)",
    "script_meta",
    "meta has a value that is no literal",
    "1:26",
  ],
  [
    "export const meta = { a: `x${1}` }; log(1)",
    "script_meta",
    "meta has a value that is no literal",
    "1:26",
  ],
  [
    "export const meta = { a: -'1' }; log(1)",
    "script_meta",
    "meta has a value that is no literal",
    "1:26",
  ],
  [
    "export const meta = { a: /x/ }; log(1)",
    "script_meta",
    "meta has a value that is no literal",
    "1:26",
  ],
  [
    "export const meta = { a: 1n }; log(1)",
    "script_meta",
    "meta has a value that is no literal",
    "1:26",
  ],
  [
    "export const meta = { a: undefined }; log(1)",
    "script_meta",
    "meta has a value that is no literal",
    "1:26",
  ],
  [
    "export const meta = { a: 1e999 }; log(1)",
    "script_meta",
    "meta has a number out of range",
    "1:26",
  ],
  [
    "export const meta = { a: [1,,2] }; log(1)",
    "script_meta",
    "meta has an array with a hole",
    "1:26",
  ],
  [
    "export const meta = { ...a }; log(1)",
    "script_meta",
    "meta has a member that is no plain value",
    "1:23",
  ],
  [
    "export const meta = { get a() { return 1 } }; log(1)",
    "script_meta",
    "meta has a member that is no plain value",
    "1:23",
  ],
  [
    "export const meta = { a() {} }; log(1)",
    "script_meta",
    "meta has a member that is no plain value",
    "1:23",
  ],
  [
    "export const meta = { a }; log(1)",
    "script_meta",
    "meta has a value that is no literal",
    "1:23",
  ],
  [
    "export const meta = { ['a']: 1 }; log(1)",
    "script_meta",
    "meta has a key that is no plain name",
    "1:24",
  ],
  [
    "export const meta = { a: { __proto__: {} } }; log(1)",
    "script_meta",
    "meta has the key __proto__",
    "1:28",
  ],
  [
    "export const meta = { '__proto__': {} }; log(1)",
    "script_meta",
    "meta has the key __proto__",
    "1:23",
  ],
];

for (const [title, rows] of Object.entries({ SYNTAX, TYPESCRIPT, FORBIDDEN, META })) {
  describe(`refused: ${title.toLowerCase()}`, () => {
    for (const [source, code, message, place] of rows) {
      test(JSON.stringify(source), async () => {
        const error = await refusal(source);
        expect(error.message).toBe(`${message} at flow.js:${place}`);
        expect(error.code).toBe(code);
        expect(error.hints.length).toBeGreaterThan(0);
      });
    }
  });
}

describe("empty scripts", () => {
  const blanks = [
    "",
    " \n\t",
    "\uFEFF",
    "#!/usr/bin/env pallium",
    "// only\n/* comments */",
    ";;",
    "export const meta = { name: 'x' };\n// nothing",
  ];
  for (const source of blanks) {
    test(JSON.stringify(source), async () => {
      const error = await refusal(source);
      expect(error.code).toBe("script_empty");
      expect(error.message).toBe("workflow script is empty");
    });
  }
});

describe("hostile input ends in an error of ours", () => {
  const deep = 100_000;
  const rows: Record<string, string> = {
    parentheses: "(".repeat(deep) + ")".repeat(deep),
    brackets: "[".repeat(deep),
    templates: "`${".repeat(deep),
    blocks: "{".repeat(deep) + "}".repeat(deep),
    arrows: `${"x=>".repeat(deep)}1`,
    conditionals: `a${"?b:c".repeat(deep)}`,
    "meta arrays": `export const meta = { a: ${"[".repeat(deep)}${"]".repeat(deep)} }; log(1)`,
    controls: "\u0001\u0002\u0003",
    "only a lone surrogate": "\udc00",
  };
  for (const [title, source] of Object.entries(rows)) {
    test(title, async () => {
      const error = await refusal(source);
      expect(error.code).toBe("script_syntax");
      expect(error.message).toMatch(/ at flow\.js:\d+:\d+$/);
    });
  }

  test("nesting that breaks the type stripper is said to", async () => {
    const prepare = new URL("../../../../src/workflow/script/prepare.ts", import.meta.url).href;
    const script = `
      const { prepareScript } = await import(${JSON.stringify(prepare)});
      for (const source of ["let a: 1 = 1;" + "(".repeat(100000), "let a: 1 = 1; return a"]) {
        await prepareScript(source, "flow.js").then(
          () => console.log("prepared"),
          (error) => console.log(error.code, error.message),
        );
      }`;
    // A process of its own, since the stripper of this one is needed by other tests.
    const child = Bun.spawn([process.execPath, "-e", script], {
      stdout: "pipe",
      stderr: "inherit",
    });
    const lines = (await new Response(child.stdout).text()).trim().split("\n");
    const refused =
      "script_syntax The script is no JavaScript, and its types cannot be stripped at flow.js:1:6";
    expect(lines[0]).toBe(refused);
    expect([refused, "prepared"]).toContain(lines[1] ?? "");
  });

  test("long comments before a typed meta block", async () => {
    const comments = `/*${" * /".repeat(deep)}*/\n${"// line\n".repeat(deep)}${"/**/".repeat(deep)}`;
    const source = `${comments}export const meta: Meta = { a: 1 }\nreturn 1`;
    expect((await prepareScript(source, "flow.js")).meta).toEqual({ a: 1 });
  });

  test("long chains are no nesting", async () => {
    const { program } = await prepareScript(`return 1${"+1".repeat(deep)}`, "flow.js");
    expect(program.length).toBeGreaterThan(2 * deep);
  });
});
