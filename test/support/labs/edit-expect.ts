import type { EditBench, Files } from "../edit-bench.ts";
import { type Model, modelFiles } from "./edit-model.ts";

/** A tree of the store, and what the model has for it. */
export interface Staged {
  readonly tree: string;
  readonly model: Model;
}

/** @throws Error that names the first file that differs. */
export async function expectTree(
  bench: EditBench,
  { tree, model }: Staged,
  what: string,
): Promise<void> {
  expectSame(what, await bench.files(tree), model);
}

/** @throws Error that names the first file that differs. */
export function expectSame(what: string, files: Files, model: Model): void {
  const expected = modelFiles(model);
  for (const path of new Set([...Object.keys(files), ...Object.keys(expected)])) {
    if (files[path] === expected[path]) continue;
    const said = JSON.stringify({ path, got: files[path], expected: expected[path] });
    throw new Error(`${what}: ${said}`);
  }
}
