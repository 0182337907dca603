/** Draws views over each other on a terminal, and leaves it as it was with the last one below. */
import type { ScreenView, TerminalSize } from "./command.ts";
import type { Output } from "./program.ts";
import { cellWidth } from "./views/cells.ts";

const ESCAPE = "\u001b[";
/** The other buffer of the terminal, without a cursor. */
const ENTER = `${ESCAPE}?1049h${ESCAPE}?25l`;
const LEAVE = `${ESCAPE}?25h${ESCAPE}?1049l`;
/** Terminals that know these show nothing until the frame is whole; others pass them over. */
const BEGIN_FRAME = `${ESCAPE}?2026h`;
const END_FRAME = `${ESCAPE}?2026l`;
const REST_OF_LINE = `${ESCAPE}K`;
/** How often a view is drawn anew though none has come: it may show how long something takes. */
const TICK_MS = 1000;

type Screen = Pick<Output, "data" | "terminal">;

/** Ends early where the terminal is gone. */
export async function showOnScreen(
  output: Screen,
  views: AsyncIterable<ScreenView>,
): Promise<void> {
  const { terminal } = output;
  let view: ScreenView | undefined;
  let drawing = Promise.resolve(true);
  const draw = (): Promise<boolean> => {
    drawing = drawing.then(async (isThere) => {
      if (!isThere || view === undefined) return isThere;
      return output.data(frame(view, terminal.size()));
    });
    return drawing;
  };
  // What keeps a view from being drawn is thrown where the next one is.
  const again = () => void draw().catch(() => {});
  const tick = setInterval(again, TICK_MS);
  const forget = terminal.onResize(again);
  try {
    for await (const next of views) {
      if (view === undefined) await output.data(ENTER);
      view = next;
      if (!(await draw())) return;
    }
  } finally {
    clearInterval(tick);
    forget();
    await Promise.allSettled([drawing]);
    if (view !== undefined) {
      await output.data(LEAVE);
      await output.data(remains(view, terminal.size()));
    }
  }
}

/** Every row of the terminal is written over, none cleared before, so that nothing flickers. */
function frame(view: ScreenView, size: TerminalSize): string {
  const rows = view.rows(size, new Date(), true);
  const lines = Array.from({ length: size.rows }, (_, at) => {
    const row = rows[at] ?? "";
    // At the end of a full row the cursor stands on its last character still.
    const rest = cellWidth(row) < size.columns ? REST_OF_LINE : "";
    return `${ESCAPE}${at + 1};1H${row}${rest}`;
  });
  return `${BEGIN_FRAME}${lines.join("")}${END_FRAME}`;
}

function remains(view: ScreenView, { columns, rows }: TerminalSize): string {
  return `${view.rows({ columns, rows: rows - 1 }, new Date(), false).join("\n")}\n`;
}
