import { describe, expect, test } from "bun:test";
import { createPrinter } from "../../../src/cli/printer.ts";

const MIB = 1024 * 1024;

function printerOver(reader: { waiting: number }) {
  const written: string[] = [];
  const printer = createPrinter({
    quiet: false,
    terminal: false,
    write: (text) => written.push(text),
    waiting: () => reader.waiting,
  });
  return { printer, written };
}

describe("progress that is read too slowly (P4)", () => {
  test("is left out, and counted where it is missing", () => {
    const reader = { waiting: 0 };
    const { printer, written } = printerOver(reader);
    printer.progress("first");
    reader.waiting = 17 * MIB;
    printer.progress("second");
    printer.progress("third");
    reader.waiting = 15 * MIB;
    printer.progress("fourth");
    expect(written).toEqual([
      "first\n",
      "warning: lines of progress left out here, since nobody read them in time: 2\n",
      "fourth\n",
    ]);
  });

  test("is counted at the end too", async () => {
    const { printer, written } = printerOver({ waiting: 17 * MIB });
    printer.progress("lost");
    await printer.flush();
    expect(written).toEqual([
      "warning: lines of progress left out here, since nobody read them in time: 1\n",
    ]);
  });

  test("keeps no warning back", () => {
    const { printer, written } = printerOver({ waiting: 17 * MIB });
    printer.warn("look");
    expect(written).toEqual(["warning: look\n"]);
  });
});
