/** What `sessions semantic` is asked and answers. */
import type { SessionFilter } from "../reports/filter.ts";
import { type Labelled, recalledFrom } from "../reports/recalled.ts";

export interface SemanticRequest extends SessionFilter {
  readonly words: readonly string[];
  readonly limit: number;
  readonly model?: string;
}

/** The best piece of one session. */
export interface SemanticHit {
  /** Cosine of question and piece, from -1 to 1. */
  readonly score: number;
  readonly session_id: string;
  /** Session and place of the piece in it. */
  readonly chunk_id: string;
  /** `overview` or `transcript`. */
  readonly kind: string;
  /** Of the message in which the piece begins; 0 for an overview. */
  readonly line_no: number;
  readonly title: string;
  readonly cwd: string;
  readonly updated_at: string;
  /** The beginning of the piece, in one line. */
  readonly snippet: string;
  readonly provider: string;
  readonly machine: string;
  /** Of the transcript; empty where it is not known. */
  readonly path: string;
}

/** A hit; what its label is made of has gone into the label. */
export type SemanticAnswer = Labelled<Omit<SemanticHit, "provider" | "machine" | "path">>;

export function labelHit(
  { provider, machine, path, ...hit }: SemanticHit,
  now: Date,
): SemanticAnswer {
  const { session_id, updated_at: at } = hit;
  return { ...hit, recalled: recalledFrom({ provider, machine, session_id, path, at }, now) };
}
