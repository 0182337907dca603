/** `workflow logs`: what the workers of a run printed, or print right now. */
import { join } from "node:path";
import { PalliumError } from "../../lib/errors.ts";
import { optional } from "../../lib/optional.ts";
import type { Database, Reader } from "../../platform/sqlite/database.ts";
import type { RunObserver, WorkflowPowers } from "../powers.ts";
import { assertNotCollected } from "../run/collected.ts";
import { requireRun } from "../run/store.ts";
import { IS_AGENT, OPEN_STATUSES } from "../run/types.ts";
import { openExisting, type RunIdRequest } from "../with-store.ts";
import { followRun } from "./follow-run.ts";
import { createLogReader, type LoggedLine, type LogReader } from "./log-reader.ts";

/** Agents that a hint names. */
const MOST_NAMES = 20;

export interface LogsRequest extends RunIdRequest {
  /** Id or label of the only agents whose output is wanted. */
  readonly agent?: string;
  /** Go on with what is printed, until the run ends. */
  readonly follow?: boolean;
}

export interface LogLine extends LoggedLine {
  readonly call_id: string;
  /** The label, where no other agent of the run has the same; else with the number of the call. */
  readonly name: string;
  readonly phase?: string;
}

export interface RunLogs {
  /** Whether lines may come from more than one agent. */
  readonly several: boolean;
  /** By agent in the order in which they started; while they work, as they come. To be read to its end or left. */
  readonly lines: AsyncIterable<LogLine>;
}

interface LoggedCall {
  readonly id: string;
  readonly call_index: number;
  readonly phase: string;
  readonly label: string;
  readonly status: string;
}

/** @throws PalliumError `run_not_found`, `run_collected`, `agent_not_found` */
export async function logs(
  powers: WorkflowPowers,
  { db, id, agent, follow = false }: LogsRequest,
  observer: RunObserver,
): Promise<RunLogs> {
  const database = await openExisting(powers, db);
  try {
    const run = requireRun(database, id);
    assertNotCollected(run, "asked for its output");
    const isOpen = follow && OPEN_STATUSES.includes(run.status);
    const calls = chosenCalls(database, id, agent);
    if (agent !== undefined && calls.length === 0 && !isOpen)
      throw noSuchAgent(database, id, agent);
    const several = (isOpen && agent === undefined) || calls.length > 1;
    const request = { id, follow, ...optional({ agent }) };
    return { several, lines: lines({ powers, database, observer }, request) };
  } catch (error) {
    database.close();
    throw error;
  }
}

interface Source {
  readonly powers: WorkflowPowers;
  readonly database: Database;
  readonly observer: RunObserver;
}

/** Closes the store once they are read, or left. */
async function* lines(source: Source, request: LogsRequest): AsyncGenerator<LogLine> {
  const { database, observer } = source;
  let isEmpty = true;
  try {
    const readings = request.follow === true ? followed(source, request) : stored(source, request);
    for await (const { call, reader, isLast } of readings) {
      const { id: call_id, name, phase } = call;
      for await (const line of isLast ? reader.rest() : reader.more()) {
        isEmpty = false;
        yield { call_id, name, ...(phase === "" ? {} : { phase }), ...line };
      }
    }
    if (isEmpty) observer.notice(`nothing that an agent of ${request.id} printed is on file`);
  } finally {
    database.close();
  }
}

interface Reading {
  readonly call: NamedCall;
  readonly reader: LogReader;
  /** Whether its workers have ended, so that what is read now is all. */
  readonly isLast: boolean;
}

type NamedCall = LoggedCall & { readonly name: string };

async function* followed(
  { powers, database, observer }: Source,
  { id, agent }: LogsRequest,
): AsyncGenerator<Reading> {
  const readers = new Map<string, LogReader>();
  const done = new Set<string>();
  let calls: readonly NamedCall[] = [];
  for await (const { changed, ended } of followRun(powers, database, id, observer)) {
    if (changed) calls = chosenCalls(database, id, agent);
    for (const call of calls) {
      if (done.has(call.id)) continue;
      const reader =
        readers.get(call.id) ?? createLogReader(join(powers.runsDirectory, id), call.id);
      const isLast = ended || call.status !== "running";
      yield { call, reader, isLast };
      readers.set(call.id, reader);
      if (!isLast) continue;
      readers.delete(call.id);
      done.add(call.id);
    }
  }
  if (agent !== undefined && calls.length === 0) throw noSuchAgent(database, id, agent);
}

function* stored({ powers, database }: Source, { id, agent }: LogsRequest): Generator<Reading> {
  for (const call of chosenCalls(database, id, agent)) {
    const reader = createLogReader(join(powers.runsDirectory, id), call.id);
    yield { call, reader, isLast: true };
  }
}

function chosenCalls(reader: Reader, runId: string, agent: string | undefined): NamedCall[] {
  const calls = callsOf(reader, runId);
  return agent === undefined
    ? calls
    : calls.filter(({ id, label, name }) => [id, label, name].includes(agent));
}

function callsOf(reader: Reader, runId: string): NamedCall[] {
  const calls = reader.all<LoggedCall>(
    `SELECT id, call_index, phase, label, status FROM workflow_calls
     WHERE run_id = ? AND ${IS_AGENT} ORDER BY call_index`,
    runId,
  );
  const uses = new Map<string, number>();
  for (const { label } of calls) uses.set(label, (uses.get(label) ?? 0) + 1);
  return calls.map((call) => ({ ...call, name: nameOf(call, uses.get(call.label) ?? 0) }));
}

function nameOf({ id, label, call_index }: LoggedCall, uses: number): string {
  if (label === "") return id;
  return uses === 1 ? label : `${label}#${call_index}`;
}

function noSuchAgent(reader: Reader, runId: string, agent: string): PalliumError {
  const names = callsOf(reader, runId).map(({ name }) => name);
  const more = names.length > MOST_NAMES ? `, and ${names.length - MOST_NAMES} more` : "";
  return new PalliumError("agent_not_found", `run ${runId} has no agent "${agent}"`, {
    hints: [
      names.length === 0
        ? "no agent of it has begun"
        : `its agents: ${names.slice(0, MOST_NAMES).join(", ")}${more}`,
    ],
  });
}
