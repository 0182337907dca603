/** What is kept of a commit besides what git says of it. */

/** Touches of so many files at once (imports, sweeps, releases) say nothing about what belongs together. */
export const BULK_FILES = 50;
/** In so much time what a commit says of its files counts half. */
const HALF_LIFE_SECONDS = 550 * 24 * 3600;
/** Weights are powers of two around this moment, so that they fit whatever the dates are. */
const ORIGIN_SECONDS = Date.UTC(2020, 0, 1) / 1000;
/** Keeps the power finite for dates of any nonsense. */
const MOST_HALVINGS = 500;

const FIX =
  /\b(fix(e[sd]|ing)?|bug(fix(e[sd])?|s)?|hotfix|regress(ion|ed)?|crash(e[sd]|ing)?|broken|leaks?|revert(s|ed)?|deadlock|race condition|segfault|cve-\d+)\b/i;
const BOT = /\[bot\]|\bbot@|^(dependabot|renovate|github-actions|greenkeeper|snyk)\b/i;
const CO_AUTHOR = /^co-authored-by:([^<\n]*)<([^<>\n]+)>\s*$/gim;

/** Whether a subject says that the commit mends something. */
export function isFix(subject: string): boolean {
  return FIX.test(subject);
}

/** Whether an author is a program. */
export function isBot(name: string, email: string): boolean {
  return BOT.test(name) || BOT.test(email);
}

/** Those who wrote it as well, each as `Ann <ann@example.com>` or, without a name, `<ann@example.com>`. */
export function coAuthors(message: string): readonly string[] {
  if (!message.includes("uthored-")) return [];
  const contacts = [...message.matchAll(CO_AUTHOR)].flatMap(([, name = "", email = ""]) =>
    email.trim() === "" ? [] : [`${name.trim()} <${email.trim()}>`.trimStart()],
  );
  return [...new Set(contacts)];
}

/** The first line of a message, for one line of output. */
export function subjectOf(message: string): string {
  const text = message.trimStart();
  const end = text.indexOf("\n");
  return (end < 0 ? text : text.slice(0, end)).trim();
}

/**
 * How much a commit says of its files: doubles with every half-life after 2020, so that ratios
 * between commits are those of exponential decay, whenever they are looked at.
 * @param committedAt seconds since 1970; one after `now` counts as now.
 */
export function commitWeight(committedAt: number, now: number, fileCount: number): number {
  if (fileCount > BULK_FILES) return 0;
  return 2 ** halvings(Math.min(committedAt, now));
}

/** What `commitWeight` gives a commit of this moment: dividing by it makes weights of age alone. */
export function weightNow(now: number): number {
  return 2 ** halvings(now);
}

function halvings(seconds: number): number {
  const exact = (seconds - ORIGIN_SECONDS) / HALF_LIFE_SECONDS;
  return Math.max(-MOST_HALVINGS, Math.min(MOST_HALVINGS, exact));
}
