/** Messages as the Go program recorded them, each once. */
import { type GoRow, integerOf, oneOf, textOf } from "../../lib/go-row.ts";
import { quickHash } from "../../platform/hash.ts";
import { asTyped, isNoise } from "../transcripts/noise.ts";
import type { MessageRole, TranscriptMessage } from "../transcripts/types.ts";
import { goMoment } from "./go-session.ts";

const ROLES: readonly MessageRole[] = ["user", "assistant", "tool"];
/** What the Go program calls the words of a user or an agent. */
const WORDS = new Set(["", "text", "message", "task_complete"]);

/**
 * A function that gives the message of a row; `undefined` for one that was told before, since Codex
 * writes most twice, and for what is nobody's.
 */
export function goMessages(): (row: GoRow) => TranscriptMessage | undefined {
  let speaker: MessageRole | undefined;
  let told = new Set<string>();
  return (row) => {
    const role = oneOf(row, "role", ROLES, "tool");
    const kind = textOf(row, "kind");
    const text = role === "user" ? asTyped(textOf(row, "text")) : textOf(row, "text");
    if (text.trim() === "" || (role === "user" && isNoise(text))) return undefined;
    if (role !== "tool" && WORDS.has(kind)) {
      if (role !== speaker) told = new Set();
      speaker = role;
      const hash = quickHash(text.trim());
      if (told.has(hash)) return undefined;
      told.add(hash);
    }
    return {
      lineNo: integerOf(row, "line_no"),
      timestamp: goMoment(textOf(row, "timestamp")),
      role,
      kind: role === "tool" ? kind || "tool" : WORDS.has(kind) ? "message" : kind,
      text,
      uid: "",
    };
  };
}
