/** What the files of a store hold, to the byte. */
import { readdir, readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/**
 * Which of the texts are in a byte of a database's files, its log and whatever else lies beside it
 * under its name; as text of UTF-8, and as a word of its index in lower case.
 */
export async function storedTexts(
  path: string,
  texts: readonly string[],
): Promise<readonly string[]> {
  const names = (await readdir(dirname(path))).filter((name) => name.startsWith(basename(path)));
  const files = await Promise.all(names.map((name) => readFile(join(dirname(path), name))));
  return texts.filter((text) => {
    const forms = [text, text.toLowerCase()].map((form) => Buffer.from(form));
    return files.some((bytes) => forms.some((form) => bytes.includes(form)));
  });
}
