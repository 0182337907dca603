/** Enforces the house rules about size, in lines: files 250 soft and 400 hard, functions 60 and 80. */
import { join } from "node:path";
import { type Finding, findingLine, report } from "./checks/finding.ts";
import { functionsIn } from "./checks/functions.ts";
import { readSources, type SourceFile, syntaxTree } from "./checks/source.ts";

interface Limit {
  readonly soft: number;
  readonly hard: number;
}

const FILE_LIMIT: Limit = { soft: 250, hard: 400 };
const FUNCTION_LIMIT: Limit = { soft: 60, hard: 80 };

export interface SizeReport {
  /** Over the hard limit. */
  readonly errors: readonly Finding[];
  /** Over the soft limit. */
  readonly warnings: readonly Finding[];
}

interface Measured {
  readonly finding: Finding;
  readonly lines: number;
  readonly limit: Limit;
}

function measureFile({ path, text }: SourceFile): Measured {
  const lines = text.split("\n").length - 1;
  const message = `${lines} lines; split it by purpose`;
  return { finding: { path, line: 1, rule: "file-size", message }, lines, limit: FILE_LIMIT };
}

function measureFunctions(file: SourceFile): readonly Measured[] {
  return functionsIn(syntaxTree(file)).map(({ name, line, lines }) => ({
    finding: {
      path: file.path,
      line,
      rule: "function-size",
      message: `${name} has ${lines} lines`,
    },
    lines,
    limit: FUNCTION_LIMIT,
  }));
}

/** Measures files everywhere, and functions outside tests, where a suite is one long callback. */
export async function checkSize(root: string): Promise<SizeReport> {
  const product = await readSources(root, ["src", "workers", "scripts"]);
  const tests = await readSources(root, ["test"]);
  const measured = [
    ...[...product, ...tests].map(measureFile),
    ...product.flatMap(measureFunctions),
  ];
  const over = (bound: (limit: Limit) => number) =>
    measured.filter(({ lines, limit }) => lines > bound(limit));
  return {
    errors: over(({ hard }) => hard).map(({ finding }) => finding),
    warnings: over(({ soft }) => soft)
      .filter(({ lines, limit }) => lines <= limit.hard)
      .map(({ finding }) => finding),
  };
}

if (import.meta.main) {
  const { errors, warnings } = await checkSize(join(import.meta.dir, ".."));
  for (const warning of warnings) console.log(`soft limit: ${findingLine(warning)}`);
  process.exitCode = report("sizes", errors);
}
