/** Why a file is as it is, for reading in 80 columns. */
import { oneLine } from "../../../lib/one-line.ts";
import { printable } from "../../../lib/printable.ts";
import { wrap } from "../../../lib/wrap.ts";
import type { RanCommand } from "../../../sessions/why/trace.ts";
import type { WhyChange, WhyReport, WhySession } from "../../../sessions/why/why.ts";
import { shown } from "../text.ts";

const WIDTH = 80;
const SHA_LENGTH = 10;

export function whyText({ path, line, changes, hints }: WhyReport): string {
  const place = line === null ? path : `${path}:${line}`;
  const known = changes.length === 0 ? ["No commit has it."] : changes.flatMap(changeLines);
  return [printable(place), ...known, ...hints.map((hint) => `hint: ${hint}`)].join("\n");
}

function changeLines({ commit, sessions, verified }: WhyChange): readonly string[] {
  const what =
    commit === null
      ? "not committed"
      : `${commit.sha.slice(0, SHA_LENGTH)} ${commit.committed_at.slice(0, 10)} ${commit.subject}`;
  return [
    "",
    cut(what),
    ...(sessions.length === 0 ? ["  no session is known"] : sessions.flatMap(sessionLines)),
    ...(verified.length === 0 ? [] : ["  verified by pallium:"]),
    ...verified.map(({ exit_code: status, ran_at, tier, command }) =>
      cut(`    [${status}] ${ran_at.slice(0, 16).replace("T", " ")} ${tier}: ${command}`),
    ),
  ];
}

function sessionLines(session: WhySession): readonly string[] {
  const { session_id: id, provider, confidence, signals, prompt, commands, verification } = session;
  return [
    `  ${provider} ${shown(id)}`,
    cut(`    ${confidence} confidence: ${signals.join(", ")}`),
    ...(prompt === null ? [] : paragraph("prompt", prompt.text)),
    ...commandLines("run until the commit", commands),
    ...commandLines("verified with", verification),
  ];
}

function paragraph(name: string, text: string): readonly string[] {
  const lines = wrap(printable(`${name}: ${text}`), WIDTH - 6);
  return lines.map((line, at) => `${at === 0 ? "    " : "      "}${line}`);
}

function commandLines(name: string, commands: readonly RanCommand[]): readonly string[] {
  if (commands.length === 0) return [];
  return [
    `    ${name}:`,
    ...commands.map(({ command, exit_code: status }) =>
      cut(`      [${status ?? "?"}] ${oneLine(command)}`),
    ),
  ];
}

function cut(line: string): string {
  const begin = /^ */.exec(line)?.[0] ?? "";
  return `${begin}${oneLine(printable(line), WIDTH - begin.length)}`;
}
