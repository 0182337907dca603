import { nameOf } from "../../lib/slash-path.ts";
import { languageOf } from "./language.ts";
import type { Language, Reference, Scan } from "./types.ts";

type Part = (scan: Scan, path: string) => unknown;

const declared: Part = ({ declares }) => declares;

/** What each resolver asks of the scans of other files than the one it resolves. */
const SEEN: Readonly<Record<Language, Part>> = {
  c: () => undefined,
  ruby: () => undefined,
  go: declared,
  java: declared,
  kotlin: declared,
  php: declared,
  csharp: ({ declares, references }) => [declares, references.filter(isGlobalUsing)],
  javascript: ({ declares, references }) => [
    declares,
    references.filter(
      ({ kind, names = [] }) => kind === "export" || names.some((name) => declares.includes(name)),
    ),
  ],
  python: (scan, path) => (nameOf(path).startsWith("__init__.") ? scan : undefined),
  rust: ({ references }) =>
    references.filter(({ kind, names = [] }) => kind === "module" && names.length > 0),
};

function isGlobalUsing({ names = [] }: Reference): boolean {
  return names.includes("global");
}

/**
 * What the links of others may hang on in what a file says: while it stays the same, an edit of the
 * file changes its own links alone.
 */
export function seenByOthers(path: string, scan: Scan): string {
  const language = languageOf(path);
  return JSON.stringify((language && SEEN[language](scan, path)) ?? null);
}
