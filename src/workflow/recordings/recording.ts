/** What a recording of a call is, and by what it is found again. */
import { canonicalJson, type Json } from "../../lib/json.ts";
import type { FailureOutcome } from "../../providers/contract.ts";

/** What was asked for; a text is a list of its lines, so that a review shows what changed. */
export interface RecordedCall {
  readonly primitive: string;
  readonly label: string;
  readonly provider: string;
  readonly model: string;
  readonly effort: string;
  readonly mode: string;
  readonly isolation: string;
  /** Relative to the directory of the run where it is inside; `.` for that itself. */
  readonly repo: string;
  readonly schema: Json;
  readonly prompt: readonly string[];
}

export type RecordedAnswer =
  | { readonly ok: true; readonly text: readonly string[] }
  | {
      readonly ok: false;
      readonly outcome: FailureOutcome;
      readonly message: string;
      readonly text?: readonly string[];
    };

export interface Recording {
  readonly version: 1;
  /** SHA-256 of what was asked for, before secrets were taken out of it. */
  readonly key: string;
  /** Tells equal calls of one run from each other. */
  readonly scope: string;
  readonly occurrence: number;
  readonly call: RecordedCall;
  readonly answer: RecordedAnswer;
  /** Whether a patch with the change it made to files lies beside it. */
  readonly patch: boolean;
}

/** Failures that say something of the answer, and not of the day on which it was asked for. */
export const RECORDED_FAILURES: readonly FailureOutcome[] = ["schema_failed", "empty", "refused"];

/** The label is what people call it; it takes no part in what makes two calls the same. */
export function keyText({ label: _, ...content }: RecordedCall): string {
  return canonicalJson({ ...content });
}

/** In what two calls differ, in words; empty where in nothing but the label. */
export function differences(wanted: RecordedCall, recorded: RecordedCall): readonly string[] {
  const fields = ["primitive", "provider", "model", "effort", "mode", "isolation", "repo"] as const;
  const different: string[] = fields.filter((field) => wanted[field] !== recorded[field]);
  if (canonicalJson(wanted.schema) !== canonicalJson(recorded.schema)) different.push("schema");
  const line = wanted.prompt.findIndex((text, index) => text !== recorded.prompt[index]);
  if (line >= 0) different.push(`prompt from line ${line + 1}`);
  else if (wanted.prompt.length < recorded.prompt.length) different.push("end of the prompt");
  return different;
}
