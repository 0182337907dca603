/** What went on in a session around an edit: the prompt behind it, and what was run until the commit. */
import type { Reader } from "../../platform/sqlite/database.ts";
import { CONVERSATION } from "../reports/conversation.ts";
import type { Moment, SessionBehind } from "./evidence.ts";

export interface Prompt extends Moment {
  readonly text: string;
}

export interface RanCommand extends Moment {
  readonly command: string;
  /** Null where nobody knows how it ended. */
  readonly exit_code: number | null;
}

export interface Trace {
  /** The last thing that the user said before. */
  readonly prompt: Prompt | null;
  /** From the edit to the commit, in order. */
  readonly commands: readonly RanCommand[];
  /** Tests, linters and compilers among all that was run for it; of each the last time. */
  readonly verification: readonly RanCommand[];
}

const CHECKS =
  /\b(?:tests?|spec|pytest|jest|vitest|mocha|ctest|tsc|eslint|biome|prettier|ruff|mypy|pyright|clippy|lint\w*|vet|check\w*|verify|tox|nox|rspec|phpunit|typecheck|build|compile)\b/i;

/** @param extent most commands, the last, and characters of each text. */
export function traceOf(
  reader: Reader,
  { key, edit, committed }: SessionBehind,
  extent: { readonly entries: number; readonly cut: (text: string) => string },
): Trace {
  const place = edit ?? committed;
  if (place === undefined) return { prompt: null, commands: [], verification: [] };
  const prompt = promptBefore(reader, key, place.line_no);
  const last = committed?.line_no ?? Number.MAX_SAFE_INTEGER;
  const ran = reader.all<RanCommand>(
    `SELECT line_no, timestamp, command, exit_code FROM commands
     WHERE session = ? AND line_no > ? AND line_no <= ? ORDER BY line_no`,
    key,
    prompt?.line_no ?? 0,
    last,
  );
  const cut = (commands: readonly RanCommand[]) =>
    commands.slice(-extent.entries).map((one) => ({ ...one, command: extent.cut(one.command) }));
  const checks = new Map(
    ran.filter(({ command }) => CHECKS.test(command)).map((one) => [one.command, one]),
  );
  return {
    prompt: prompt === undefined ? null : { ...prompt, text: extent.cut(prompt.text) },
    commands: cut(ran.filter(({ line_no }) => line_no >= place.line_no)),
    verification: cut([...checks.values()]),
  };
}

function promptBefore(reader: Reader, session: number, line: number): Prompt | undefined {
  return reader.get<Prompt>(
    `SELECT line_no, timestamp, text FROM ${CONVERSATION}
     WHERE session = ? AND line_no < ? AND role = 'user' AND kind = 'message'
     ORDER BY line_no DESC LIMIT 1`,
    session,
    line,
  );
}
