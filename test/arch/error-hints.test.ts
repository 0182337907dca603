/** Every error says what to do next: where one is made, its hints stand beside it. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import type { NewExpression, ObjectExpression } from "acorn";
import { readSources, type SourceFile, syntaxTree } from "../../scripts/checks/source.ts";
import { walk } from "../../src/workflow/script/walk.ts";

const ROOT = join(import.meta.dir, "../..");

/** Codes of errors after which nobody has anything to do, and why. */
const NO_NEXT_STEP: Readonly<Record<string, string>> = {
  database_closed: "only a defect of pallium asks a database that it has closed",
  internal_error: "a defect of pallium",
  interrupted: "somebody asked for it, and the run says how to go on",
  schema_worker_ended: "the run is over, and nobody reads it",
};

function hasHints(options: ObjectExpression): boolean {
  return options.properties.some(
    (property) =>
      property.type === "SpreadElement" ||
      (property.key.type === "Identifier" && property.key.name === "hints"),
  );
}

/** A usage error may say it in its one sentence: which flag takes what. */
function saysWhatToDo({ callee, arguments: args }: NewExpression): boolean {
  if (callee.type !== "Identifier" || callee.name !== "PalliumError") return true;
  const [code, , options] = args;
  if (code?.type === "Literal" && String(code.value) in NO_NEXT_STEP) return true;
  return options?.type === "ObjectExpression" && hasHints(options);
}

function silentErrors(file: SourceFile): string[] {
  const found: string[] = [];
  walk(syntaxTree(file), (node) => {
    if (node.type === "NewExpression" && !saysWhatToDo(node)) {
      found.push(`${file.path}:${node.loc?.start.line}`);
    }
  });
  return found;
}

test("every error has a next step", async () => {
  const files = await readSources(ROOT, ["src", "workers"]);
  expect(files.flatMap(silentErrors)).toEqual([]);
});
