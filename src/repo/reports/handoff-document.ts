/** A handoff as Markdown. */
import { counted } from "../../lib/counted.ts";
import { oneLine } from "../../lib/one-line.ts";
import { printable } from "../../lib/printable.ts";
import { missingPartnerText } from "./missing-partners.ts";
import type { BranchCommit, HandoffReport, ReviewedFile } from "./shapes.ts";
import type { VerifiedState } from "./verified-state.ts";

type Parts = Omit<HandoffReport, "document">;

const HASH_LENGTH = 8;
const MOST_FILES_OF_COMMIT = 6;
const MOST_FILES = 15;
const MOST_LOOKED_AT = 10;
const MOST_COMMANDS = 8;
/** In characters; what is longer is run by its tier. */
const LONGEST_COMMAND = 160;
const BODY_LENGTH = 300;

/** The whole handoff to read or to paste; what others wrote stays on its line. */
export function handoffDocument(parts: Parts, verified: VerifiedState): string {
  const { review, freshness, task } = parts;
  const title = task.goal === "" ? freshness.current_branch : oneLine(task.goal);
  return [
    `# Handoff: ${text(title)}`,
    "",
    text(
      `Branch ${freshness.current_branch} at ${short(freshness.current_commit)}, compared with ${review.base_ref} (from ${short(review.merge_base)}).`,
    ),
    ...section("Why", whyLines(parts)),
    ...section("Committed", parts.commits.flatMap(commitLines)),
    ...section(
      "Not committed",
      parts.changed_now.files
        .slice(0, MOST_FILES)
        .map((file) => `- ${file.working_tree_status} ${code(file.path)}`),
      rest(parts.changed_now.files.length),
    ),
    ...section(
      "Look at these first",
      review.changed_files.filter(isWorthALook).slice(0, MOST_LOOKED_AT).map(fileLine),
    ),
    ...section("Verified on these files", verifiedLines(verified, review.changed_files.length)),
    ...section("Open", openLines(parts)),
    ...section(
      "Next",
      parts.next_actions.map((action, at) => `${at + 1}. ${text(action)}`),
    ),
    ...section(
      "Sessions that worked on it",
      parts.related_sessions.map(({ id, title: name }) => `- ${text(oneLine(name || id))} (${id})`),
    ),
  ].join("\n");
}

function section(title: string, lines: readonly string[], more = ""): readonly string[] {
  if (lines.length === 0) return [];
  return ["", `## ${title}`, "", ...lines, ...(more === "" ? [] : [more])];
}

function isWorthALook({ needs_review, needs_tests }: ReviewedFile): boolean {
  return needs_review || needs_tests;
}

function rest(count: number): string {
  return count > MOST_FILES ? `- and ${count - MOST_FILES} more` : "";
}

function short(hash: string): string {
  return hash.slice(0, HASH_LENGTH) || "nothing";
}

/** Text of others as one line that a terminal shows and does not obey. */
function text(line: string): string {
  return printable(line.replaceAll(/[\r\n]+/g, " "));
}

/** A path or command as code, whatever characters it has. */
function code(line: string): string {
  const shown = text(line);
  const longest = Math.max(0, ...(shown.match(/`+/g) ?? []).map((ticks) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return longest === 0 ? `\`${shown}\`` : `${fence} ${shown} ${fence}`;
}

function whyLines({ task, commits }: Parts): readonly string[] {
  const scope = task.scope_paths.length === 0 ? "" : ` (scope: ${task.scope_paths.join(", ")})`;
  return [
    ...(task.goal === "" ? [] : [`- Task: ${text(oneLine(task.goal))}${text(scope)}`]),
    ...commits
      .filter(({ body }) => body !== "")
      .map(({ sha, body }) => `- ${short(sha)}: ${text(oneLine(body, BODY_LENGTH))}`),
  ];
}

function commitLines({
  sha,
  subject,
  author,
  committed_at,
  files,
}: BranchCommit): readonly string[] {
  const shown = files.slice(0, MOST_FILES_OF_COMMIT).map(code).join(", ");
  const more = files.length - MOST_FILES_OF_COMMIT;
  return [
    `- ${short(sha)} ${text(oneLine(subject))} (${text(author)}, ${committed_at.slice(0, 10)})`,
    ...(shown === "" ? [] : [`  ${shown}${more > 0 ? ` and ${more} more` : ""}`]),
  ];
}

function fileLine(file: ReviewedFile): string {
  const facts = [
    file.status === "D" ? "deleted" : `${file.risk_level} risk`,
    ...(file.boundary_labels ?? []).map((label) => `${label} boundary`),
    ...(file.needs_tests ? ["no test known"] : []),
    ...(file.old_path === undefined ? [] : [`was ${file.old_path}`]),
  ];
  const reason = file.top_reasons[0];
  return `- ${code(file.path)}: ${text(facts.join(", "))}${reason === undefined ? "" : `; ${text(reason)}`}`;
}

function verifiedLines(
  { passed, failed, open }: VerifiedState,
  changedFiles: number,
): readonly string[] {
  const more = open.length - MOST_COMMANDS;
  return [
    ...failed.map((command) => `- FAILED ${cut(command)}`),
    ...passed.map((command) => `- passed ${cut(command)}`),
    ...open.slice(0, MOST_COMMANDS).map((command) => `- not run ${cut(command)}`),
    ...(more > 0 ? [`- not run: ${counted(more, "more command")}`] : []),
    ...(passed.length + failed.length + open.length === 0 && changedFiles > 0
      ? ["- nothing, and no command is known that would"]
      : []),
  ];
}

function cut(command: string): string {
  const isLong = command.length > LONGEST_COMMAND;
  return code(isLong ? `${command.slice(0, LONGEST_COMMAND)}…` : command);
}

function openLines({ review }: Parts): readonly string[] {
  const partners = new Set(review.missing_partners.map(missingPartnerText));
  return [
    ...review.notes.filter((note) => !partners.has(note)).map((note) => `- ${text(note)}`),
    ...[...partners].map((partner) => `- ${text(partner)}`),
    ...(review.untested.length === 0
      ? []
      : [`- No test is known of ${review.untested.slice(0, MOST_FILES).map(code).join(", ")}`]),
  ];
}
