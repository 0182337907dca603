/** Reads of INI and TOML files what plans need: the tables and their plain keys. */

export interface Section {
  /** As between the brackets, without quotes. */
  readonly name: string;
  /** Raw values of the keys that stand on one line. */
  readonly values: ReadonlyMap<string, string>;
}

const HEADER = /^\s*\[\[?\s*([^[\]]+?)\s*\]\]?\s*(?:[#;].*)?$/;
const ENTRY = /^([A-Za-z0-9_."-]+)\s*=\s*(.*?)\s*$/;

/** The tables of a file; what comes before the first has the empty name. */
export function sectionsOf(text: string | undefined): readonly Section[] {
  let values = new Map<string, string>();
  const sections = [{ name: "", values }];
  for (const line of (text ?? "").split(/\r?\n/)) {
    const name = HEADER.exec(line)?.[1];
    if (name !== undefined) {
      values = new Map();
      sections.push({ name: name.replaceAll(/["']/g, ""), values });
      continue;
    }
    const entry = ENTRY.exec(line);
    if (entry?.[1] !== undefined) values.set(entry[1], entry[2] ?? "");
  }
  return sections;
}

/** Whether a file has a table of this name, or one below it. */
export function hasSection(text: string | undefined, name: string): boolean {
  return sectionsOf(text).some((one) => one.name === name || one.name.startsWith(`${name}.`));
}

/** A text value of a table, without its quotes. */
export function textValue(section: Section | undefined, key: string): string | undefined {
  return /^"([^"]*)"|^'([^']*)'/
    .exec(section?.values.get(key) ?? "")
    ?.slice(1)
    .find(Boolean);
}
