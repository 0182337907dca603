/** Looks for secrets in texts and patches, before they are stored, shown or applied. */
import { findAddresses } from "./addresses.ts";
import { findAssignments } from "./assignments.ts";
import type { Match, SecretFinding, SecretScan, SkippedFile } from "./finding.ts";
import { createKnownFormats, type FindKnownFormats } from "./known-formats.ts";
import { otherReadings } from "./other-readings.ts";
import { type PatchedFile, readPatch } from "./patch.ts";
import { findPrivateKeys } from "./private-keys.ts";
import { createTokenRules, type FindTokens } from "./tokens.ts";
import { createTriggers, type LookForTriggers, type Triggers } from "./triggers.ts";

/** Characters of one text, or of all files of a patch, that are looked at unless told otherwise. */
const DEFAULT_LIMIT = 16_000_000;
/** Binary data has these, text does not. */
const NUL = "\0";

export interface ScanOptions {
  /** In characters; what is beyond is named in `skipped`. */
  readonly limit?: number;
}

export interface SecretScanner {
  /** @param file relative path, for the findings and for what its name says of its values. */
  scanText(text: string, file: string, options?: ScanOptions): Promise<SecretScan>;
  /**
   * Looks at the lines that a patch of git adds; a secret that reaches from a line that was there
   * into an added one counts.
   */
  scanDiff(patch: string, options?: ScanOptions): Promise<SecretScan>;
  /** The text with every secret in it replaced by its kind; all of it is looked at. */
  redact(text: string, file: string): Promise<string>;
}

/** What takes a while to make: programs that scan nothing do not make it. */
interface Rules {
  readonly findKnownFormats: FindKnownFormats;
  readonly findTokens: FindTokens;
  readonly lookForTriggers: LookForTriggers;
}

function createRules(): Rules {
  return {
    findKnownFormats: createKnownFormats(),
    findTokens: createTokenRules(),
    lookForTriggers: createTriggers(),
  };
}

export function createSecretScanner(): SecretScanner {
  const rules = createRules();
  return {
    scanText: (text, file, { limit = DEFAULT_LIMIT } = {}) => scanText(rules, text, file, limit),
    scanDiff: (patch, { limit = DEFAULT_LIMIT } = {}) => scanDiff(rules, patch, limit),
    redact: async (text, file) => {
      let redacted = "";
      let end = 0;
      for (const match of await findEverySecret(rules, text, file)) {
        redacted += `${text.slice(end, match.start)}[redacted: ${match.rule}]`;
        end = match.end;
      }
      return redacted + text.slice(end);
    },
  };
}

async function scanText(
  rules: Rules,
  text: string,
  file: string,
  limit: number,
): Promise<SecretScan> {
  if (text.slice(0, 8000).includes(NUL))
    return { findings: [], skipped: [{ file, reason: "binary" }] };
  const looked = text.slice(0, limit);
  const matches = await findSecrets(rules, looked, file);
  const positions = createPositions(matches.length === 0 ? "" : looked);
  return {
    findings: matches.map(({ rule, start }) => ({ rule, file, ...positions(start) })),
    skipped: looked.length < text.length ? [{ file, reason: "too_large" }] : [],
  };
}

async function scanDiff(rules: Rules, patch: string, limit: number): Promise<SecretScan> {
  const findings: SecretFinding[] = [];
  const skipped: SkippedFile[] = [];
  let left = limit;
  for (const patched of readPatch(patch, limit)) {
    const { file, unread } = patched;
    if (unread !== undefined) skipped.push({ file, reason: unread });
    if (patched.text.length > left) skipped.push({ file, reason: "too_large" });
    const text = patched.text.slice(0, left);
    left -= text.length;
    const matches = await findSecrets(rules, text, patched.file);
    if (matches.length === 0) continue;
    const positions = createPositions(text);
    findings.push(...matches.flatMap((match) => addedFinding(match, patched, positions)));
  }
  return { findings, skipped };
}

/** Where a match touches lines that were added, it is found at the first of them. */
function addedFinding(
  { rule, start, end }: Match,
  { file, lines }: PatchedFile,
  positions: (offset: number) => Position,
): readonly SecretFinding[] {
  const first = positions(start);
  const last = positions(end - 1);
  for (let row = first.line; row <= last.line; row += 1) {
    const line = lines[row - 1];
    if (line === undefined || !line.isAdded) continue;
    return [{ rule, file, line: line.number, column: row === first.line ? first.column : 1 }];
  }
  return [];
}

/** With those that stand in strings of JSON or of programs, where quotes and line ends are escaped. */
async function findEverySecret(
  rules: Rules,
  text: string,
  file: string,
): Promise<readonly Match[]> {
  const triggers = rules.lookForTriggers(text);
  if (!mayHoldSecrets(triggers)) return [];
  const all = [...(await findSecrets(rules, text, file, triggers))];
  const readings = otherReadings(text);
  if (readings.length === 0) return all;
  for (const { text: reading, original } of readings) {
    for (const { rule, start, end } of await findSecrets(rules, reading, file)) {
      all.push({ rule, start: original(start), end: original(end) });
    }
  }
  return merged(all);
}

function mayHoldSecrets({ keys, tokens, addresses, known, names }: Triggers): boolean {
  return keys || tokens || addresses || known || names.length > 0;
}

/** In order, those that overlap as one, which reaches as far as any of them. */
function merged(matches: readonly Match[]): readonly Match[] {
  const kept: Match[] = [];
  for (const match of matches.toSorted((a, b) => a.start - b.start)) {
    const last = kept.at(-1);
    if (last === undefined || match.start >= last.end) kept.push(match);
    else kept[kept.length - 1] = { ...last, end: Math.max(last.end, match.end) };
  }
  return kept;
}

/** All secrets of a text, in its order; of two that overlap the one that begins first counts. */
async function findSecrets(
  rules: Rules,
  text: string,
  file: string,
  triggers = rules.lookForTriggers(text),
): Promise<readonly Match[]> {
  const { keys, tokens, addresses, known, names } = triggers;
  const found = [
    ...(keys ? findPrivateKeys(text) : []),
    ...(tokens ? rules.findTokens(text) : []),
    ...(addresses ? findAddresses(text) : []),
    ...(known ? await rules.findKnownFormats(text, file) : []),
    ...(names.length > 0 ? findAssignments(text, file, names) : []),
  ];
  found.sort((a, b) => a.start - b.start);
  const kept: Match[] = [];
  for (const match of found) {
    if (match.start >= (kept.at(-1)?.end ?? 0)) kept.push(match);
  }
  return kept;
}

interface Position {
  readonly line: number;
  readonly column: number;
}

/** Lines and columns from 1 of offsets in a text. */
function createPositions(text: string): (offset: number) => Position {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (offset) => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
}
