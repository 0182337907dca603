import type { ProcessTable } from "./process-row.ts";
import { linuxTable } from "./table-linux.ts";
import { macosTable } from "./table-macos.ts";

/** The process table of the system this runs on. */
export const processTable: ProcessTable = process.platform === "darwin" ? macosTable : linuxTable;
