/** The best of what was found, in order, echoes of the question put back. */
import type { Reader } from "../../platform/sqlite/database.ts";
import type { Candidates } from "./candidates.ts";
import { type EchoTest, echoTest } from "./echo.ts";
import { type Candidate, ECHO_WEIGHT, type Ranking } from "./rank.ts";

/** Sessions whose size is counted: an answer is among the best before it is. */
const MOST_COUNTED = 200;
/** Messages of a session that are looked at for echoes at a time: those that are shown, and some. */
const LOOKED_AT = 5;
/** Times that the best are put in order anew; an order that still has echoes then is left. */
const ROUNDS = 20;

export function bestOf(
  reader: Reader,
  ranking: Ranking,
  candidates: Candidates,
  question: string,
  limit: number,
): readonly Candidate[] {
  const echoes = new Set<number>();
  for (const candidate of candidates.values()) ranking.rate(candidate, echoes);
  const first = [...candidates.values()].toSorted(byScore).slice(0, MOST_COUNTED + limit);
  for (const candidate of first) {
    candidate.size = sizeOf(reader, candidate.session);
    ranking.rate(candidate, echoes);
  }
  return withoutEchoes(reader, ranking, echoes, first, echoTest(reader, question), limit);
}

function withoutEchoes(
  reader: Reader,
  ranking: Ranking,
  echoes: Set<number>,
  candidates: readonly Candidate[],
  test: EchoTest,
  limit: number,
): readonly Candidate[] {
  const asked = new Set<number>();
  const settled = new Set<number>();
  let best = candidates.toSorted(byScore).slice(0, limit);
  for (let round = 0; round < ROUNDS; round += 1) {
    let changed = false;
    for (const candidate of best) {
      if (!asked.has(candidate.session)) {
        asked.add(candidate.session);
        if (test.isQuestion(firstAsk(reader, candidate.session))) {
          candidate.titlePoints *= ECHO_WEIGHT;
          changed = true;
        }
      }
      const open = candidate.best.slice(0, LOOKED_AT).filter(({ key }) => !settled.has(key));
      for (const { key } of open) {
        settled.add(key);
        if (!test.isEcho(key)) continue;
        echoes.add(key);
        changed = true;
      }
      if (changed) ranking.rate(candidate, echoes);
    }
    if (!changed) break;
    best = candidates.toSorted(byScore).slice(0, limit);
  }
  return best;
}

function byScore(a: Candidate, b: Candidate): number {
  return b.score - a.score || b.session - a.session;
}

function sizeOf(reader: Reader, session: number): number {
  const sql = "SELECT count(*) AS size FROM messages WHERE session = ?";
  return reader.get<{ size: number }>(sql, session)?.size ?? 0;
}

function firstAsk(reader: Reader, session: number): string {
  const sql = "SELECT first_user_message AS asked FROM sessions WHERE key = ?";
  return reader.get<{ asked: string }>(sql, session)?.asked ?? "";
}
