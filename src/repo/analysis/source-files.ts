import { languageOf } from "../imports/language.ts";
import { isFixture, isTestFile } from "./test-files.ts";

/** Whether a file is code that is no test, and is not there for tests to read. */
export function isSource(path: string): boolean {
  return languageOf(path) !== undefined && !isTestFile(path) && !isFixture(path);
}
