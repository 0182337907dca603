/** A session as the Go program recorded it, in the words of this one. */
import { type GoRow, integerOf, textOf } from "../../lib/go-row.ts";
import { isRecord, parseJson } from "../../lib/json.ts";
import { momentOf } from "../transcripts/fields.ts";
import { asTyped, isNoise } from "../transcripts/noise.ts";
import { emptyHeader, type SessionHeader, type TranscriptProvider } from "../transcripts/types.ts";

export interface GoSession {
  readonly header: SessionHeader;
  /** Empty where the row has none. */
  readonly machine: string;
  /** Of the transcript, as far as the Go program did not take it for a secret. */
  readonly path: string;
  readonly files: readonly string[];
  readonly commands: readonly string[];
  readonly tools: readonly string[];
  readonly errors: readonly string[];
}

/** `undefined` for a row that cannot be a session. */
export function goSession(row: GoRow): GoSession | undefined {
  const id = textOf(row, "id");
  if (id.trim() === "") return undefined;
  const asked = firstAsk(textOf(row, "first_user_message"));
  return {
    header: {
      ...emptyHeader(providerOf(row), id),
      title: titleOf(textOf(row, "title"), textOf(row, "first_user_message"), id),
      firstUserMessage: asked,
      lastAgentMessage: textOf(row, "last_agent_message"),
      cwd: textOf(row, "cwd"),
      source: textOf(row, "source"),
      modelProvider: textOf(row, "model_provider"),
      model: textOf(row, "model"),
      cliVersion: textOf(row, "cli_version"),
      gitBranch: textOf(row, "git_branch"),
      gitOriginUrl: textOf(row, "git_origin_url"),
      createdAt: goMoment(textOf(row, "created_at")),
      updatedAt: goMoment(textOf(row, "updated_at")) || goMoment(textOf(row, "created_at")),
      status: textOf(row, "status") === "seen" ? "" : textOf(row, "status"),
      tokensUsed: Math.max(0, integerOf(row, "tokens_used")),
      eventCounts: countsOf(textOf(row, "event_counts_json")),
    },
    machine: textOf(row, "machine"),
    path: textOf(row, "rollout_path"),
    files: [...new Set(textsOf(row, "files_touched_json").map(withoutPlace))],
    commands: textsOf(row, "commands_json"),
    tools: textsOf(row, "tool_names_json"),
    errors: textsOf(row, "errors_json"),
  };
}

/** Whatever it wrote of Claude Code says so; what Codex says of itself is of many words. */
function providerOf(row: GoRow): TranscriptProvider {
  const source = textOf(row, "source");
  if (source === "claude") return "claude";
  return source === "" && textOf(row, "model_provider") === "anthropic" ? "claude" : "codex";
}

/** Bytes at which the Go program cut titles, less what a cut character can take. */
const CUT_TITLE = 236;

/** Where the agent named nothing the Go program took the first ask for the title, or the id. */
function titleOf(title: string, asked: string, id: string): string {
  if (title === id || title === asked) return "";
  const begun = title.replace(/\uFFFD+$/, "");
  return Buffer.byteLength(begun) >= CUT_TITLE && asked.startsWith(begun) ? "" : title;
}

/** Empty where it is none of the user's: the messages tell what was asked first. */
function firstAsk(text: string): string {
  return isNoise(text) ? "" : asTyped(text);
}

const LOCAL = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/;
/** What the Go program could not read it took for seconds since 1970, or their first digit. */
const EARLIEST = "2000";

/** UTC with milliseconds, empty for what is no time. */
export function goMoment(text: string): string {
  const trimmed = text.trim();
  const moment = momentOf(LOCAL.test(trimmed) ? `${trimmed.replace(" ", "T")}Z` : trimmed);
  return moment < EARLIEST ? "" : moment;
}

/** A path out of the output of a tool, without the line that it named. */
function withoutPlace(path: string): string {
  return path.replace(/(?::\d+){1,2}:?$/, "");
}

/** Lists were written as `null` where they are empty. */
function textsOf(row: GoRow, column: string): readonly string[] {
  const value = parseJson(textOf(row, column));
  if (!Array.isArray(value)) return [];
  return value.filter((entry) => typeof entry === "string").filter((entry) => entry.trim() !== "");
}

function countsOf(json: string): Record<string, number> {
  const value = parseJson(json);
  if (!isRecord(value)) return {};
  const counts = Object.entries(value).flatMap(([type, count]) =>
    typeof count === "number" && Number.isFinite(count) ? [[type, Math.trunc(count)] as const] : [],
  );
  return Object.fromEntries(counts);
}
