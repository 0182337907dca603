/** What a probe asks of the documents and texts that it gets. */
import { PalliumError } from "../../lib/errors.ts";
import { canonicalJson, isRecord, type Json } from "../../lib/json.ts";

/** Of a text that is not what it should be, the message shows so much. */
const SHOWN = 300;

const ABSENT = "not_in_this_version";

/** What a probe throws where the program does not do what it is to. */
export function unmet(message: string): PalliumError {
  return new PalliumError("requirement_unmet", message, {
    hints: ["look closer with: pallium workflow audit --json"],
  });
}

/** What a probe throws where the program lacks what is to be tried. */
export function absent(message: string): PalliumError {
  return new PalliumError(ABSENT, message, { hints: ["see what there is: pallium help"] });
}

export function isAbsent(error: unknown): boolean {
  return error instanceof PalliumError && error.code === ABSENT;
}

/** The value at a path such as `run.failures.0.error`; `undefined` where it leads nowhere. */
export function valueAt(document: Json, path: string): Json | undefined {
  let value: unknown = document;
  for (const key of path.split(".")) {
    value = Array.isArray(value) ? value[Number(key)] : isRecord(value) ? value[key] : undefined;
  }
  return value as Json | undefined;
}

/** @throws PalliumError `requirement_unmet` that names the first path with another value. */
export function holds(document: Json, wanted: Readonly<Record<string, Json>>): void {
  for (const [path, value] of Object.entries(wanted)) {
    const found = valueAt(document, path);
    const text = found === undefined ? "missing" : canonicalJson(found);
    if (text !== canonicalJson(value)) {
      throw unmet(`${path} is ${shown(text)}, not ${canonicalJson(value)}`);
    }
  }
}

/** @throws PalliumError `requirement_unmet` where a text lacks one of these pieces. */
export function says(text: string, ...pieces: readonly string[]): void {
  for (const piece of pieces) {
    if (!text.includes(piece)) throw unmet(`"${piece}" is not in: ${shown(text.trim())}`);
  }
}

/** @throws PalliumError `requirement_unmet` with that sentence, unless it is so. */
export function must(isSo: boolean, sentence: string): void {
  if (!isSo) throw unmet(sentence);
}

function shown(text: string): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}
