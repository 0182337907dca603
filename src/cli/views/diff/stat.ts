/** How much of which files a run changed. */
import { counted } from "../../../lib/counted.ts";
import type { ChangedFile } from "../../../workflow/diff/changed-files.ts";
import { type Column, type TableOptions, tableLines } from "../table.ts";
import { fileChange, fileName } from "./file-title.ts";

export function statText(files: readonly ChangedFile[], options: TableOptions): string {
  const sum = (of: (file: ChangedFile) => number) =>
    files.reduce((total, file) => total + of(file), 0);
  const [added, removed] = [sum(({ additions }) => additions), sum(({ deletions }) => deletions)];
  const total = `${counted(files.length, "file")} changed, ${counted(added, "line")} added, ${removed} removed`;
  return files.length === 0 ? total : [...tableLines(files, COLUMNS, options), total].join("\n");
}

const COLUMNS: readonly Column<ChangedFile>[] = [
  { title: "File", cut: "start", cell: fileName },
  {
    title: "Added",
    align: "right",
    cell: ({ additions }) => number(additions),
    format: () => "green",
  },
  {
    title: "Removed",
    align: "right",
    cell: ({ deletions }) => number(deletions),
    format: () => "red",
  },
  { title: "Change", cell: fileChange },
];

function number(value: number): string {
  return value.toLocaleString("en");
}
