/** Has the acceptance script put this very program to the test. */
import { delimiter, join, resolve } from "node:path";
import { byteLines } from "../../lib/byte-lines.ts";
import { PalliumError } from "../../lib/errors.ts";
import { isFile, writePrivateFile, writeProgram } from "../../platform/files.ts";
import { findExecutable } from "../../platform/process/executable.ts";
import { type StreamEnd, stream } from "../../platform/process/stream.ts";
import { temporaryFolder } from "../../platform/temporary-folder.ts";
import type { RunObserver, WorkflowPowers } from "../powers.ts";
import type { Finding } from "./finding.ts";

/** Where the script lies in pallium's own repository; the program has it built in. */
export const SCRIPT_NAME = "scripts/workflow-acceptance.sh";
const SCRIPT_VARIABLE = "PALLIUM_WORKFLOW_ACCEPTANCE_SCRIPT";

const LINE_BYTES = 4096;
/** Of a script that prints a lot, so many of the last lines are kept. */
const KEPT_LINES = 400;
/** Its last line. */
const TOTAL = /^(\d+) ok, (\d+) failed, (\d+) not in this version$/;

export interface AcceptanceResult {
  readonly finding: Finding;
  readonly fields: {
    readonly acceptance_script: string;
    readonly acceptance_passed: boolean;
    /** What the script printed, where it did not pass. */
    readonly acceptance_error?: string;
  };
}

/** Named as in reports; what is built in has no path. */
export type AcceptanceScript = { readonly name: string } & (
  | { readonly text: string }
  | { readonly path: string }
);

/**
 * The script that is built into the program, or the one that `PALLIUM_WORKFLOW_ACCEPTANCE_SCRIPT`
 * names; none of the current directory.
 * @throws PalliumError `acceptance_script_not_found`
 */
export async function readAcceptanceScript({
  environment: { variables, cwd },
  acceptanceScript,
}: WorkflowPowers): Promise<AcceptanceScript> {
  const named = variables[SCRIPT_VARIABLE];
  if (named === undefined || named === "") {
    return { name: SCRIPT_NAME, text: await acceptanceScript() };
  }
  const path = resolve(cwd, named);
  if (await isFile(path)) return { name: path, path };
  throw new PalliumError(
    "acceptance_script_not_found",
    `workflow acceptance script not found; ${SCRIPT_VARIABLE} names ${path}`,
    { hints: [`unset ${SCRIPT_VARIABLE}: the program has the script built in`] },
  );
}

/** Runs a script in a folder of its own, with `PALLIUM_BIN` set to this program. */
export async function runAcceptance(
  powers: WorkflowPowers,
  observer: RunObserver,
  signal: AbortSignal,
  script: AcceptanceScript,
): Promise<AcceptanceResult> {
  const { environment, clock } = powers;
  await using folder = await temporaryFolder("pallium-acceptance-");
  const path = "path" in script ? script.path : join(folder.path, "workflow-acceptance.sh");
  if ("text" in script) await writePrivateFile(path, script.text);
  const begin = clock.monotonicMs();
  const { exitCode, lines } = await follow([shell(powers), path], {
    cwd: folder.path,
    env: {
      ...environment.variables,
      PALLIUM_BIN: await ownProgram(powers, folder.path),
      TMPDIR: folder.path,
    },
    signal,
    heard: observer.notice,
  });
  const passed = exitCode === 0;
  return {
    finding: {
      ...judged(exitCode, lines),
      duration_ms: Math.round(clock.monotonicMs() - begin),
    },
    fields: {
      acceptance_script: script.name,
      acceptance_passed: passed,
      ...(passed ? {} : { acceptance_error: lines.join("\n") }),
    },
  };
}

/** One path that starts this program, as `PALLIUM_BIN` has to be. */
async function ownProgram(
  { environment: { self } }: WorkflowPowers,
  folder: string,
): Promise<string> {
  const [program = "", ...words] = self;
  if (words.length === 0) return program;
  const path = join(folder, "pallium");
  await writeProgram(path, `#!/bin/sh\nexec ${self.map(quoted).join(" ")} "$@"\n`);
  return path;
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

function shell({ environment: { variables, cwd } }: WorkflowPowers): string {
  const path = [variables.PATH ?? "", "/bin", "/usr/bin"].join(delimiter);
  return findExecutable("sh", path, cwd) ?? "/bin/sh";
}

interface Followed {
  readonly exitCode: number;
  readonly lines: readonly string[];
}

/** Hands each line on as it comes. */
async function follow(
  argv: readonly string[],
  options: {
    readonly cwd: string;
    readonly env: Readonly<Record<string, string>>;
    readonly signal: AbortSignal;
    readonly heard: (line: string) => void;
  },
): Promise<Followed> {
  const lines: string[] = [];
  let end: StreamEnd | undefined;
  const output = async function* () {
    end = yield* stream(argv, options);
  };
  for await (const batch of byteLines(output(), LINE_BYTES)) {
    for (const { bytes } of batch) {
      const line = bytes.toString("utf8");
      options.heard(line);
      lines.push(line);
      if (lines.length > KEPT_LINES) lines.shift();
    }
  }
  const said = end?.stderr.trim() ?? "";
  if (said !== "") lines.push(...said.split("\n"));
  return { exitCode: end?.exitCode ?? 1, lines };
}

/** Only the script that comes with the program has a total in its last line. */
function judged(exitCode: number, lines: readonly string[]): Omit<Finding, "duration_ms"> {
  const total = lines.findLast((line) => TOTAL.test(line));
  const [, , failed, absent] = TOTAL.exec(total ?? "") ?? [];
  const evidence = total ?? `the script ended with exit status ${exitCode}`;
  if (exitCode === 0) return { status: "passed", evidence };
  const onlyAbsent = failed === "0" && absent !== "0";
  return { status: onlyAbsent ? "not_in_this_version" : "failed", evidence };
}
