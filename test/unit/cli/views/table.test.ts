import { expect, test } from "bun:test";
import { type Column, tableLines } from "../../../../src/cli/views/table.ts";
import { textWidth } from "../../../../src/platform/text-width.ts";

interface Row {
  readonly name: string;
  readonly count: string;
}

const COLUMNS: readonly Column<Row>[] = [
  { title: "Name", cut: "start", cell: ({ name }) => name },
  { title: "Count", align: "right", cell: ({ count }) => count },
];

test("columns stand below each other whatever characters they hold", () => {
  const rows = [
    { name: "a", count: "1" },
    { name: "日本.txt", count: "12" },
  ];
  expect(tableLines(rows, COLUMNS, { colours: false })).toEqual([
    "Name      Count",
    "a             1",
    "日本.txt     12",
  ]);
});

test("what is too wide is cut at its start, no character in two", () => {
  const rows = [{ name: "日本/日本/日本/日本/日本.txt", count: "1" }];
  const [, line = ""] = tableLines(rows, COLUMNS, { colours: false, columns: 25 });
  expect(line).toMatch(/^…本\/日本\/日本\.txt {3,}1$/u);
  expect(textWidth(line)).toBeLessThanOrEqual(25);
});
