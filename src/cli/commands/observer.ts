import type { RunObserver } from "../../workflow/powers.ts";
import type { CommandContext } from "../command.ts";

/** How an operation talks to whoever runs the command. */
export function observerOf({
  printer,
  interrupts,
  watched,
}: Pick<CommandContext, "printer" | "interrupts" | "watched">): RunObserver {
  return {
    notice: printer.progress,
    detail: watched ? printer.progress : () => {},
    warn: printer.warn,
    onInterrupt: interrupts.listen,
  };
}
