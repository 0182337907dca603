/** Scripts full of text that SES refuses compute in a compartment what they compute outside one. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { prepareScript } from "../../src/workflow/script/prepare.ts";
import { ScriptCompartment } from "../support/script-compartment.ts";

/** An expression: as a script writes it, and as it reads where nothing is refused or a comment. */
interface Expression {
  readonly script: string;
  readonly plain: string;
}

const DANGERS = [
  "import(",
  "import (",
  "import\t(",
  "import//",
  "import /*",
  "eval(",
  "eval (",
  "$eval(",
  "...import(",
  ".import(",
  "<!--",
  "-->",
  "<!-->",
  "--",
  ">",
  "<!",
  "import",
  "(",
  "é",
  "\ud83d\ude00",
  "{ }",
];
const ESCAPES = ["\\\\", "\\n", "\\x2e", "\\u{2e}", "\\-", "\\<", "\\i", "\\$", "\\\n"];
const SPACES = [" ", "\n", "/* import( eval( <!-- --> */", "// <!-- import(\n", "\r\n"];

const pieces = fc.array(fc.constantFrom(...DANGERS, ...ESCAPES), { maxLength: 6 });
const space = fc.constantFrom(...SPACES);

function same(script: fc.Arbitrary<string>): fc.Arbitrary<Expression> {
  return script.map((text) => ({ script: text, plain: text }));
}

function join(parts: readonly (string | Expression)[]): Expression {
  const pick = (key: "script" | "plain") =>
    parts.map((part) => (typeof part === "string" ? part : part[key])).join("");
  return { script: pick("script"), plain: pick("plain") };
}

const quoted = fc
  .tuple(pieces, fc.constantFrom("'", '"'))
  .map(([text, quote]) => quote + text.join("") + quote);

/** Regular expressions are built of whole atoms; what they match shows in a replacement. */
const regex = fc
  .tuple(
    fc.uniqueArray(
      fc.constantFrom(
        "import(s|)",
        "eval(x)?",
        "<!--",
        "-->",
        "(?<!--)",
        "(?<!-->)",
        "[<!--x]",
        "[+-->]",
        "\\import(s)?",
        "\\eval(x)?",
        "[^-->]",
        "(?<eval>-->)?",
      ),
      { minLength: 1, maxLength: 3 },
    ),
    fc.constantFrom("g", "gi"),
    quoted,
  )
  .map(([atoms, flags, subject]) => `${subject}.replace(/${atoms.join("")}/${flags}, "_")`);

const operators = fc.tuple(fc.constantFrom("-->", "-->>", "-->="), fc.nat(4)).map(
  ([operator, right]): Expression => ({
    script: `((n) => [n${operator}${right}, n])(3)`,
    plain: `((n) => [n${operator.replace("--", "-- ")}${right}, n])(3)`,
  }),
);
const comparisons = fc.constantFrom("<", "<<").map(
  (operator): Expression => ({
    script: `((a, b) => [a${operator}!--b, b])(1, 2)`,
    plain: `((a, b) => [a${operator}! --b, b])(1, 2)`,
  }),
);

const methods = fc
  .tuple(fc.constantFrom("import", "eval", "$import", "éeval"), space, space, quoted)
  .map(([name, before, after, argument]) => {
    const method = `${name}${after}(a) { return [a] }`;
    return `({${before}${method}, x: 1 }).${before}${name}${after}(${argument})`;
  });
const privates = fc
  .tuple(fc.constantFrom("#import", "#eval"), quoted)
  .map(
    ([name, value]) =>
      `new (class { ${name}(a) { return a } m() { return this.${name}(${value}) } })().m()`,
  );

const { expression } = fc.letrec<{ expression: Expression }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    same(quoted),
    same(regex),
    operators,
    comparisons,
    same(methods),
    same(privates),
    fc
      .tuple(pieces, tie("expression"), pieces)
      .map(([head, middle, tail]) =>
        join([`\`${head.join("")}\${`, middle, `}${tail.join("")}\``]),
      ),
    fc
      .tuple(tie("expression"), space, tie("expression"))
      .map(([left, gap, right]) => join(["[", left, `,${gap}`, right, "]"])),
    fc
      .tuple(space, tie("expression"), space)
      .map(([before, inner, after]) => join([`((${before}`, inner, `${after}))`])),
    fc.tuple(quoted, tie("expression")).map(([key, value]) => join([`({ ${key}: `, value, " })"])),
    tie("expression").map((value) => join(["((s, ...v) => v)`tagged ${", value, "} text`"])),
  ),
}));

let compartment: ScriptCompartment;
beforeAll(() => {
  compartment = new ScriptCompartment();
});
afterAll(() => compartment.close());

test("scripts keep their meaning", async () => {
  await fc.assert(
    fc.asyncProperty(expression, fc.boolean(), async (value, typed) => {
      // The type stripper refuses `a<!--b`, which is an error with a place, not a change of meaning.
      const strippable =
        typed && !value.script.includes("a<!--b") && !value.script.includes("a<<!--b");
      const script = strippable
        ? `const value: unknown =${value.script}\nreturn value`
        : `return ${value.script}`;
      // biome-ignore lint/security/noGlobalEval: plain evaluation is what the property compares with
      const expected = globalThis.eval(`"use strict"; (${value.plain})`);
      const { program } = await prepareScript(script, "script.js");
      expect(await compartment.run(program)).toEqual(expected);
      expect(program.split(/\r\n?|\n/).length).toBe(script.split(/\r\n?|\n/).length + 2);
    }),
    { numRuns: 1_000 },
  );
});
