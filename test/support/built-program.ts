/** Programs as they were built for a whole run of the tests: each starts in a third of the time. */
import { resolve } from "node:path";
import type { TestProgramName } from "./test-programs.ts";

const PROGRAMS = resolve(import.meta.dir, "test-programs.ts");

/** How a program of the tests is started: as it was built, else from source. */
export function testProgram(name: TestProgramName, ...args: readonly string[]): readonly string[] {
  const built = process.env.PALLIUM_TEST_PROGRAMS;
  const program = built === undefined ? [process.execPath, PROGRAMS] : [built];
  return [...program, name, ...args];
}
