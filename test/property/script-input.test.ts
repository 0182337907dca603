// biome-ignore-all lint/suspicious/noTemplateCurlyInString: tokens of templates are meant
/** Whatever text comes in, it becomes one whole function or an error with a place. */
import { expect, test } from "bun:test";
import { parse } from "acorn";
import fc from "fast-check";
import { PalliumError } from "../../src/lib/errors.ts";
import { prepareScript } from "../../src/workflow/script/prepare.ts";

const TOKENS =
  "a b = => ( ) { } [ ] ; , . ... ? ?. ?? : ! ~ + - ++ -- > < << >>> <!-- --> /x/g / // /* */ \n ` ${ } \
  'import(' \"eval(\" import export const let var function async await class extends # #a static get return \
  if else for of while do break label: try catch finally throw new typeof void delete in this null 1 .5 0x1 1n \
  meta export\u0020const\u0020meta\u0020=\u0020{} as satisfies interface type enum declare <T> : ? number string \
  }) ({ (async eval arguments yield using @ \\u0061 \u2028 \uFEFF #! é".split(/ +/);

const soup = fc
  .array(fc.constantFrom(...TOKENS), { maxLength: 14 })
  .map((tokens) => tokens.map((token) => token.replaceAll("\u0020", " ")).join(" "));
/** Controls, Latin, spaces of all kinds, lone surrogates; parser and engine agree on their letters. */
const unit = fc
  .oneof(
    fc.integer({ min: 0, max: 0x17f }),
    fc.integer({ min: 0x2000, max: 0x206f }),
    fc.integer({ min: 0xdc00, max: 0xdfff }),
    fc.integer({ min: 0xfeff, max: 0xffff }),
  )
  .map((code) => String.fromCharCode(code));
const noise = fc.string({ unit, maxLength: 40 });

async function prepared(source: string): Promise<string | undefined> {
  try {
    return (await prepareScript(source, "a.js", { warnings: true })).program;
  } catch (error) {
    if (!(error instanceof PalliumError)) throw error;
    expect(error.code).toMatch(/^script_[a-z]+$/);
    expect(error.message).toMatch(/^workflow script is empty$| at a\.js:\d+:\d+$/);
    return undefined;
  }
}

function expectOneFunction(program: string): void {
  const { body } = parse(program, { ecmaVersion: "latest", sourceType: "script", strict: true });
  expect(body).toHaveLength(1);
  expect(body[0]).toMatchObject({
    type: "ExpressionStatement",
    expression: { type: "FunctionExpression", async: true, params: [] },
  });
  // biome-ignore lint/security/noGlobalEval: evaluating it only makes the function, as the worker does
  expect(typeof globalThis.eval(`"use strict";${program}`)).toBe("function");
}

test("token soup and noise", async () => {
  let functions = 0;
  await fc.assert(
    fc.asyncProperty(fc.oneof({ weight: 5, arbitrary: soup }, noise), async (source) => {
      const program = await prepared(source);
      if (program === undefined) return;
      expectOneFunction(program);
      functions++;
    }),
    { numRuns: 3_000 },
  );
  expect(functions).toBeGreaterThan(50);
});
