import { observerOf } from "../cli/commands/observer.ts";
import { createInterrupts } from "../cli/interrupts.ts";
import { createPrinter } from "../cli/printer.ts";
import type { Output } from "../cli/program.ts";
import { exitCodeOf, renderError } from "../cli/report-error.ts";
import { runText } from "../cli/views/run.ts";
import { errorData, PalliumError } from "../lib/errors.ts";
import { readStdin } from "../platform/stdin.ts";
import type { RunnerAnswer } from "../workflow/run/background.ts";
import { readEnvironment } from "./env.ts";
import { processSignals } from "./signals.ts";

const LOG_STYLE = { json: false, colour: false, terminal: false };

/**
 * Executes the run that another process hands over on stdin. That process reads one line from stdout,
 * whether the run was taken, and goes; stderr is the log of the run. Resolves with the exit status.
 */
export async function executeHandedOver(output: Output): Promise<number> {
  const environment = readEnvironment();
  const printer = createPrinter({
    quiet: false,
    terminal: false,
    write: output.message,
    waiting: output.waiting,
  });
  let answered = false;
  const answer = (line: RunnerAnswer) => {
    if (answered) return;
    answered = true;
    return output.data(`${JSON.stringify(line)}\n`);
  };
  try {
    const { createServices } = await import("./wire.ts");
    const workflow = await createServices(environment, printer.notice).workflow();
    const { text } = await readStdin(Number.POSITIVE_INFINITY);
    const { snapshot, error } = await workflow.runHandedOver(text, {
      ...observerOf({ printer, interrupts: createInterrupts(processSignals()), watched: true }),
      claimed: () => void answer({ claimed: true }),
    });
    output.message(`${runText(snapshot)}\n`);
    if (error === undefined) return 0;
    throw error;
  } catch (thrown) {
    const exitCode = exitCodeOf(thrown);
    await answer({ error: errorData(thrown), exitCode });
    const isDefect = !(thrown instanceof PalliumError);
    output.message(renderError(thrown, { ...LOG_STYLE, verbose: isDefect }));
    return exitCode;
  }
}
