import type { ProgramTable } from "./program.ts";
import { linuxPrograms } from "./programs-linux.ts";
import { macosPrograms } from "./programs-macos.ts";

/** What runs on the system this runs on. */
export const programTable: ProgramTable =
  process.platform === "darwin" ? macosPrograms : linuxPrograms;
