/** The edge of the process: what it is given, what it prints, how it ends. */
import { readArguments, readSelf } from "./app/arguments.ts";
import { processOutput } from "./app/output.ts";
import { quickVersion } from "./app/version.ts";
import { NAMES_COMMAND } from "./cli/completions/names.ts";
import { RUNNER_COMMAND } from "./lib/runner-command.ts";

const output = processOutput();

async function run(): Promise<number> {
  const version = quickVersion(readArguments(), readSelf());
  if (version !== undefined) {
    await output.data(version);
    return 0;
  }
  const [first, ...words] = readArguments();
  if (first === NAMES_COMMAND) {
    const { printNames } = await import("./app/names.ts");
    return printNames(output, words);
  }
  if (first === RUNNER_COMMAND) {
    const { executeHandedOver } = await import("./app/runner.ts");
    return executeHandedOver(output);
  }
  const { runCommandLine } = await import("./app/run.ts");
  return runCommandLine(output);
}

/** Reports what the command line could not: errors before it runs, and those nobody waited for. */
async function fail(thrown: unknown): Promise<number> {
  const { exitCodeOf, renderError } = await import("./cli/report-error.ts");
  const words = readArguments();
  const style = {
    json: words.includes("--json"),
    verbose: words.includes("--verbose"),
    colour: false,
    terminal: process.stderr.isTTY === true,
  };
  output.message(renderError(thrown, style));
  return exitCodeOf(thrown);
}

/** Ends the process once everything that was printed is out. */
async function end(exitCode: number): Promise<void> {
  await output.flush();
  process.exit(exitCode);
}

process.on("uncaughtException", (thrown) => void fail(thrown).then(end));
process.on("unhandledRejection", (thrown) => void fail(thrown).then(end));
void run().catch(fail).then(end);
