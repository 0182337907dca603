/** Views drawn over each other: the terminal is left as it was, whatever goes wrong. */
import { expect, test } from "bun:test";
import type { ScreenView } from "../../../src/cli/command.ts";
import { showOnScreen } from "../../../src/cli/screen.ts";

const ESCAPE = "\u001b";
const ENTER = `${ESCAPE}[?1049h${ESCAPE}[?25l`;
const LEAVE = `${ESCAPE}[?25h${ESCAPE}[?1049l`;

/** A terminal of 4 columns and 3 rows that is gone after so many writes. */
function terminal(writes = Number.POSITIVE_INFINITY) {
  const sent: string[] = [];
  return {
    sent,
    output: {
      data: async (data: string | Uint8Array) => {
        sent.push(String(data));
        return sent.length < writes;
      },
      terminal: { size: () => ({ columns: 4, rows: 3 }), onResize: () => () => {} },
    },
  };
}

function view(...rows: string[]): ScreenView {
  return { rows: ({ rows: most }) => rows.slice(0, most) };
}

async function* views(...all: readonly (ScreenView | Error)[]): AsyncGenerator<ScreenView> {
  for (const one of all) {
    if (one instanceof Error) throw one;
    yield one;
  }
}

test("each row is written over and the rest of it cleared, unless it is full", async () => {
  const { sent, output } = terminal();
  await showOnScreen(output, views(view("a", "full")));
  const row = (at: number, text: string) => `${ESCAPE}[${at};1H${text}`;
  expect(sent).toEqual([
    ENTER,
    `${ESCAPE}[?2026h${row(1, `a${ESCAPE}[K`)}${row(2, "full")}${row(3, `${ESCAPE}[K`)}${ESCAPE}[?2026l`,
    LEAVE,
    "a\nfull\n",
  ]);
});

test("an error that ends the views leaves the terminal first", async () => {
  const { sent, output } = terminal();
  const showing = showOnScreen(output, views(view("a"), new Error("on purpose")));
  await expect(showing).rejects.toThrow("on purpose");
  expect(sent.slice(-2)).toEqual([LEAVE, "a\n"]);
});

test("a view that cannot be drawn leaves the terminal too", async () => {
  const { sent, output } = terminal();
  const broken: ScreenView = {
    rows: () => {
      throw new Error("no rows");
    },
  };
  await expect(showOnScreen(output, views(broken))).rejects.toThrow("no rows");
  expect(sent).toEqual([ENTER, LEAVE]);
});

test("nothing is entered where there is no view, and no more is asked for once nobody looks", async () => {
  const none = terminal();
  await showOnScreen(none.output, views());
  expect(none.sent).toEqual([]);
  const gone = terminal(2);
  await showOnScreen(gone.output, views(view("a"), new Error("asked for")));
  expect(gone.sent).toHaveLength(4);
});
