import type { ExportNamedDeclaration, ObjectExpression, Program } from "acorn";
import type { Json } from "../../lib/json.ts";
import { faultAt, type ScriptFault } from "./fault.ts";
import { metaFault, metaValue } from "./meta.ts";

/** The fault of an import of any kind. */
export function importFault(text: string, offset: number): ScriptFault {
  return faultAt(
    text,
    offset,
    "script_import",
    "A workflow script cannot import modules",
    "use the script API instead: agent() and check() reach files and commands",
  );
}

/** The fault of an export that is not the meta block. */
export function exportFault(text: string, offset: number): ScriptFault {
  return faultAt(
    text,
    offset,
    "script_export",
    "A workflow script cannot export anything but `const meta`",
    "remove `export`, and `return` the result of the script",
  );
}

/** The literal of `export const meta = {…}`; `undefined` where the export is of something else. */
function metaLiteral(text: string, node: ExportNamedDeclaration): ObjectExpression | undefined {
  const declaration = node.declaration;
  if (declaration?.type !== "VariableDeclaration") return undefined;
  const [declarator, second] = declaration.declarations;
  if (declarator?.id.type !== "Identifier" || declarator.id.name !== "meta") return undefined;
  if (declaration.kind !== "const") {
    throw metaFault(text, declaration, "meta must be declared with `const`");
  }
  if (second !== undefined) throw metaFault(text, second, "meta must be declared alone");
  if (declarator.init?.type !== "ObjectExpression") {
    throw metaFault(text, declarator.init ?? declarator, "meta must be an object literal");
  }
  return declarator.init;
}

export interface MetaBlock {
  readonly value: Json;
  /** Offset of the word `export`. */
  readonly offset: number;
}

/**
 * Finds the meta block and refuses every other import and export at the top of a script.
 * @throws ScriptFault `script_meta`, `script_import` or `script_export`.
 */
export function readModuleSyntax(text: string, program: Program): MetaBlock | null {
  let block: MetaBlock | null = null;
  for (const [index, statement] of program.body.entries()) {
    switch (statement.type) {
      case "ImportDeclaration":
        throw importFault(text, statement.start);
      case "ExportAllDeclaration":
      case "ExportDefaultDeclaration":
        throw exportFault(text, statement.start);
      case "ExportNamedDeclaration": {
        const literal = metaLiteral(text, statement);
        if (literal === undefined) throw exportFault(text, statement.start);
        if (index > 0) {
          const message = "`export const meta` must be the first statement of the script";
          throw faultAt(text, statement.start, "script_meta", message, "move it to the top");
        }
        block = { value: metaValue(text, literal), offset: statement.start };
      }
    }
  }
  return block;
}
