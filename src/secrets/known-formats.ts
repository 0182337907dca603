/** The rules of secretlint's recommended preset, as far as ours do not do the same. */
import type { Match } from "./finding.ts";
import { isStandIn } from "./value.ts";

const PREFIX = "@secretlint/secretlint-rule-";
/**
 * Ours cover more of these. Comments in the text that turn rules off do not count either: who
 * wrote the secret could have written them too.
 */
const LEFT_OUT = [
  "anthropic",
  "aws",
  "basicauth",
  "database-connection-string",
  "filter-comments",
  "gcp",
  "github",
  "gitlab",
  "groq",
  "huggingface",
  "npm",
  "openai",
  "privatekey",
  "sendgrid",
  "slack",
  "stripe",
];
/**
 * What a text must have for any other of its rules to find something, since running them costs
 * several times what looking for this does.
 */
export const KNOWN_PIECES: readonly string[] =
  "shppa_ shpca_ shpat_ shpss_ glc_ glsa_ lin_api_ ntn_ ops_ey hvs. hvb. hvr. vcp_ vca_ vci_ vcr_ vck_ dapi dckr_pat_ figd_ cfk_ cfut_ cfat_ tskey-".split(
    " ",
  );
const PIECES = new RegExp(KNOWN_PIECES.map(RegExp.escape).join("|"));
const PART_LENGTH = 100_000;
export type FindKnownFormats = (text: string, file: string) => Promise<readonly Match[]>;

interface Found {
  readonly ruleId: string;
  /** Offsets of its beginning and end. */
  readonly range: readonly [number, number];
}

type Lint = (text: string, file: string) => Promise<readonly Found[]>;

async function loadLint(): Promise<Lint> {
  const [{ lintSource }, { rules }, { secretLintProfiler }] = await Promise.all([
    import("@secretlint/core"),
    import("@secretlint/secretlint-rule-preset-recommend"),
    import("@secretlint/profiler"),
  ]);
  secretLintProfiler.setEnabled(false);
  const config = {
    rules: rules
      .filter(({ meta }) => !LEFT_OUT.includes(meta.id.slice(PREFIX.length)))
      .map((rule) => ({ id: rule.meta.id, rule })),
  };
  return async (content, filePath) => {
    const source = { filePath, content, ext: "", contentType: "text" as const };
    return (await lintSource({ source, options: { config, noPhysicFilePath: true } })).messages;
  };
}

/** The library loads with the first text that may hold what it knows: it takes longer than most scans. */
export function createKnownFormats(): FindKnownFormats {
  let lint: Promise<Lint> | undefined;
  return async (text, file) => {
    const matches: Match[] = [];
    for (const { part, from } of partsOf(text)) {
      if (!PIECES.test(part)) continue;
      lint ??= loadLint();
      const look: Lint = await lint;
      for (const { ruleId, range } of await look(part, file)) {
        const [start, end] = range;
        if (isStandIn(part.slice(start, end))) continue;
        matches.push({ rule: ruleId.slice(PREFIX.length), start: from + start, end: from + end });
      }
    }
    return matches;
  };
}

/** Whole lines, as far as they fit: the library takes the square of what it finds in one text. */
function* partsOf(text: string): Generator<{ readonly part: string; readonly from: number }> {
  for (let from = 0; from < text.length; ) {
    const newline = text.lastIndexOf("\n", from + PART_LENGTH);
    const isLast = text.length - from <= PART_LENGTH;
    const to = isLast ? text.length : newline >= from ? newline + 1 : from + PART_LENGTH;
    yield { part: text.slice(from, to), from };
    from = to;
  }
}
