/**
 * How well sessions answer. A session counts as a whole, by the messages that hold each word (BM25
 * over sessions), and by its best message with what stands around it (BM25 over messages): the first
 * finds what a session was about, the second where the answer was given.
 */
import type { FoundMessage, Postings } from "./postings.ts";

/** Saturation and normalisation by length, as BM25 names them. */
const SESSION = { k1: 1.2, b: 0.75 } as const;
const MESSAGE = { k1: 0.5, b: 0.5 } as const;
/** Bytes of a message that is neither long nor short. */
const USUAL_BYTES = 300;
/** What the messages before and after count beside one. */
const NEIGHBOUR_WEIGHT = 0.3;
const PAIR_WEIGHT = 1;
const SESSION_WEIGHT = 1;
/** What a message counts that only repeats the question. */
export const ECHO_WEIGHT = 0.1;

export interface Candidate {
  readonly session: number;
  readonly messages: FoundMessage[];
  /** Messages of the whole session; 0 as long as nobody has counted. */
  size: number;
  /** Points for what the session is called, what was first asked, where, and its files. */
  titlePoints: number;
  /** Points for its time, where a time was asked for. */
  timePoints: number;
  score: number;
  /** Its messages, the best first. */
  best: readonly FoundMessage[];
}

export interface Ranking {
  readonly candidates: ReadonlyMap<number, Candidate>;
  /** In the order of the terms. */
  readonly weights: readonly TermWeight[];
  /** Counts the points of a session anew. */
  rate(candidate: Candidate, echoes: ReadonlySet<number>): void;
}

/** @param sessionCount in the whole store. */
export function rankingOf(postings: Postings, sessionCount: number): Ranking {
  const candidates = new Map<number, Candidate>();
  for (const message of postings.messages.values()) {
    const known = candidates.get(message.session);
    if (known === undefined)
      candidates.set(message.session, candidateOf(message.session, [message]));
    else known.messages.push(message);
  }
  const weights = weightsOf(postings, candidates, sessionCount);
  const usualSize = Math.max(1, postings.messageCount / Math.max(1, sessionCount));
  return {
    candidates,
    weights,
    rate(candidate, echoes) {
      const share = ({ key }: FoundMessage) => (echoes.has(key) ? ECHO_WEIGHT : 1);
      const counts = new Map<number, number>();
      const points = new Map<number, number>();
      for (const message of candidate.messages) {
        const shared = share(message);
        for (const place of message.terms) counts.set(place, (counts.get(place) ?? 0) + shared);
        points.set(message.key, shared * messagePoints(message, weights));
      }
      const length = candidate.size === 0 ? 1 : candidate.size / usualSize;
      let whole = 0;
      for (const [place, count] of counts) {
        whole += (weights[place]?.session ?? 0) * saturated(count, SESSION, length);
      }
      const around = (key: number) => points.get(key) ?? 0;
      const rated = candidate.messages
        .map((message) => ({
          message,
          value:
            around(message.key) +
            NEIGHBOUR_WEIGHT * (around(message.key - 1) + around(message.key + 1)),
        }))
        .toSorted((a, b) => b.value - a.value || b.message.key - a.message.key);
      candidate.best = rated.map(({ message }) => message);
      candidate.score =
        SESSION_WEIGHT * whole +
        (rated[0]?.value ?? 0) +
        candidate.titlePoints +
        candidate.timePoints;
    },
  };
}

export function candidateOf(session: number, messages: FoundMessage[]): Candidate {
  return { session, messages, size: 0, titlePoints: 0, timePoints: 0, score: 0, best: [] };
}

/** What a term counts, the more the rarer it is: of sessions, and of messages. */
export interface TermWeight {
  readonly session: number;
  readonly message: number;
}

function weightsOf(
  { terms, messageCount }: Postings,
  candidates: ReadonlyMap<number, Candidate>,
  sessionCount: number,
): readonly TermWeight[] {
  const sessions = terms.map(() => 0);
  for (const candidate of candidates.values()) {
    const held = new Set(candidate.messages.flatMap(({ terms: places }) => places));
    for (const place of held) sessions[place] = (sessions[place] ?? 0) + 1;
  }
  return terms.map(({ term, count, read }, place) => {
    const holding = ((sessions[place] ?? 0) * count) / Math.max(1, read);
    return {
      session: term.weight * rarity(Math.min(holding, sessionCount), sessionCount),
      message: term.weight * rarity(count, Math.max(count, messageCount)),
    };
  });
}

function rarity(holding: number, all: number): number {
  return Math.log(1 + (all - holding + 0.5) / (holding + 0.5));
}

function saturated(count: number, { k1, b }: { k1: number; b: number }, length: number): number {
  return (count * (k1 + 1)) / (count + k1 * (1 - b + b * length));
}

function messagePoints(message: FoundMessage, weights: readonly TermWeight[]): number {
  let sum = 0;
  for (const place of message.terms) sum += weights[place]?.message ?? 0;
  return sum * saturated(1, MESSAGE, message.bytes / USUAL_BYTES) + PAIR_WEIGHT * message.pairs;
}
