import type { RunObserver } from "../../workflow/powers.ts";
import type { CommandContext } from "../command.ts";

type Listener = Pick<CommandContext, "printer" | "interrupts" | "watched"> &
  Partial<Pick<CommandContext, "readerGone">>;

/** How an operation talks to whoever runs the command. */
export function observerOf({ printer, interrupts, readerGone, watched }: Listener): RunObserver {
  return {
    notice: printer.progress,
    detail: watched ? printer.progress : () => {},
    warn: printer.warn,
    ...(readerGone === undefined ? {} : { readerGone }),
    onInterrupt: interrupts.listen,
  };
}
