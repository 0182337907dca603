/** From the text of `pallium-pack.json` to the packs that it describes. Pure. */
import { isRecord, parseJson } from "../../../lib/json.ts";
import { joinPath } from "../../../lib/slash-path.ts";

export const MANIFEST = "pallium-pack.json";

export interface PackEntry {
  readonly name: string;
  /** Path of its script, from the top of the source. */
  readonly script: string;
  readonly version?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly phases?: readonly string[];
  readonly installs_as?: string;
}

export type Manifest =
  | { readonly packs: readonly PackEntry[] }
  /** What is wrong with it: the rest of a sentence that begins with its name. */
  | { readonly fault: string };

const TEXTS = ["version", "description", "installs_as"] as const;
const LISTS = ["tags", "phases"] as const;

/** One object describes a pack; an object with `packs`, a list of such, describes several. */
export function parseManifest(text: string): Manifest {
  const document = parseJson(text);
  if (!isRecord(document)) return { fault: "is no JSON object" };
  const listed = document.packs ?? [document];
  if (!Array.isArray(listed)) return { fault: "has `packs`, which is no list" };
  if (listed.length === 0) return { fault: "lists no pack" };
  const packs: PackEntry[] = [];
  for (const [at, entry] of listed.entries()) {
    const where = document.packs === undefined ? "" : `packs[${at}]: `;
    const read = isRecord(entry) ? readEntry(entry) : "is no object";
    if (typeof read === "string") return { fault: `is wrong: ${where}${read}` };
    if (packs.some(({ name }) => name === read.name)) {
      return { fault: `has two packs called ${read.name}` };
    }
    packs.push(read);
  }
  return { packs };
}

function readEntry(entry: Record<string, unknown>): PackEntry | string {
  const { name, script } = entry;
  if (typeof name !== "string" || name === "") return "`name` is missing, or no text";
  if (typeof script !== "string" || script === "") return "`script` is missing, or no text";
  const path = script.startsWith("/") || script.includes("\\") ? undefined : joinPath("", script);
  if (path === undefined) return `\`script\` leads out of the source: ${script}`;
  const badText = TEXTS.find((key) => entry[key] !== undefined && typeof entry[key] !== "string");
  if (badText !== undefined) return `\`${badText}\` is no text`;
  const badList = LISTS.find((key) => entry[key] !== undefined && !isTexts(entry[key]));
  if (badList !== undefined) return `\`${badList}\` is no list of texts`;
  const rest = Object.fromEntries(
    [...TEXTS, ...LISTS].flatMap((key) => (entry[key] === undefined ? [] : [[key, entry[key]]])),
  );
  return { ...rest, name, script: path };
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
