/** Where session memory is, in what state, and what to do about it. */
import { counted } from "../../lib/counted.ts";
import { PalliumError } from "../../lib/errors.ts";
import { fileStamp } from "../../platform/file-stamp.ts";
import type { Database } from "../../platform/sqlite/database.ts";
import { isCorrupt } from "../../platform/sqlite/failure.ts";
import type { AgentHomes } from "../discovery/find-transcripts.ts";
import { type EmbeddingSpace, embeddingBacklog } from "../embeddings/spaces.ts";
import { SESSION_MIGRATIONS } from "../store/schema.ts";
import { type Finding, note, problem } from "./finding.ts";
import { type GoState, goStates } from "./go-state.ts";
import { accessFindings, integrityFindings } from "./store-state.ts";
import { type TranscriptState, transcriptState } from "./transcript-state.ts";

export interface SessionDoctorReport {
  readonly path: string;
  readonly exists: boolean;
  /** Of the file, and of its log. */
  readonly bytes: number;
  readonly log_bytes: number;
  /** 0 where there is none that can be opened. */
  readonly schema_version: number;
  readonly newest_schema_version: number;
  readonly sessions: number;
  readonly messages: number;
  /** Sessions that were forgotten. */
  readonly forgotten: number;
  readonly transcripts: Omit<TranscriptState, "findings" | "homes">;
  readonly homes: TranscriptState["homes"];
  /** Pieces that have no vector yet, by model. */
  readonly embeddings: readonly (EmbeddingSpace & { readonly backlog: number })[];
  readonly go_databases: readonly GoState[];
  /** Whether none of the findings is a problem. */
  readonly healthy: boolean;
  readonly findings: readonly Finding[];
}

export interface DoctorInput {
  /** Absolute path of the store. */
  readonly path: string;
  /** @throws PalliumError where it cannot be opened. */
  readonly open: () => Promise<Database>;
  readonly homes: AgentHomes;
  readonly machine: string;
  /** Databases of the Go program that belong to the store. */
  readonly goDatabases: readonly string[];
}

/** Changes nothing that is stored, and makes no store where there is none. */
export async function sessionDoctor(input: DoctorInput): Promise<SessionDoctorReport> {
  const stamp = await fileStamp(input.path);
  const access = stamp === undefined ? [] : await accessFindings(input.path);
  const opened = stamp === undefined ? undefined : await openOrWhy(input.open);
  const database = opened !== undefined && "store" in opened ? opened.store : undefined;
  try {
    const transcripts = await asFarAsRead(database, (store) =>
      transcriptState(store, input.homes, input.machine),
    );
    const go = await asFarAsRead(database, (store) => goStates(store, input.goDatabases));
    const { homes, findings: transcriptFindings, ...counts } = transcripts;
    const embeddings = await asFarAsRead(database, backlogs);
    const findings = [
      ...(opened !== undefined && "finding" in opened ? [opened.finding] : []),
      ...access,
      ...(database === undefined ? [] : await integrityFindings(database)),
      ...(database === undefined ? [] : contentFindings(database)),
      ...go.findings,
      ...transcriptFindings,
      ...embeddings.filter(({ backlog }) => backlog > 0).map(backlogFinding),
    ];
    const log = await fileStamp(`${input.path}-wal`);
    return {
      path: input.path,
      exists: stamp !== undefined,
      bytes: stamp?.bytes ?? 0,
      log_bytes: log?.bytes ?? 0,
      schema_version: numberOf(database, "SELECT user_version AS n FROM pragma_user_version"),
      newest_schema_version: SESSION_MIGRATIONS.length,
      sessions: numberOf(database, "SELECT count(*) AS n FROM sessions"),
      messages: numberOf(database, "SELECT count(*) AS n FROM messages"),
      forgotten: numberOf(database, "SELECT count(*) AS n FROM forgotten"),
      transcripts: counts,
      homes,
      embeddings,
      go_databases: go.states,
      healthy: !findings.some(({ is_problem: isProblem }) => isProblem),
      findings,
    };
  } finally {
    database?.close();
  }
}

async function openOrWhy(
  open: () => Promise<Database>,
): Promise<{ readonly store: Database } | { readonly finding: Finding }> {
  try {
    return { store: await open() };
  } catch (error) {
    if (!(error instanceof PalliumError)) throw error;
    const next = error.hints[0] ?? "see the message";
    return { finding: problem(error.code, error.message, next) };
  }
}

/** What can be told of a store: where it is damaged, which a look at every page tells, as without it. */
async function asFarAsRead<T>(
  database: Database | undefined,
  look: (store: Database | undefined) => T | Promise<T>,
): Promise<T> {
  try {
    return await look(database);
  } catch (error) {
    if (!isCorrupt(error)) throw error;
    return look(undefined);
  }
}

/** 0 where that cannot be counted. */
function numberOf(database: Database | undefined, sql: string): number {
  try {
    return database?.get<{ n: number | null }>(sql)?.n ?? 0;
  } catch (error) {
    if (!isCorrupt(error)) throw error;
    return 0;
  }
}

function contentFindings(database: Database): readonly Finding[] {
  const unerased = numberOf(database, "SELECT count(*) AS n FROM erasures");
  if (unerased === 0) return [];
  const what = "what was forgotten or pruned may still be in free parts of the file";
  return [problem("erasure_unfinished", what, "pallium sessions index")];
}

function backlogs(database: Database | undefined): SessionDoctorReport["embeddings"] {
  if (database === undefined) return [];
  const spaces = database.all<EmbeddingSpace>(
    "SELECT provider, model FROM embedding_spaces ORDER BY provider, model",
  );
  return spaces.map((space) => ({ ...space, backlog: embeddingBacklog(database, space) }));
}

function backlogFinding({ provider, model, backlog }: EmbeddingSpace & { backlog: number }) {
  const what = `${counted(backlog, "piece")} without a vector of ${provider}/${model}`;
  return note("embeddings_behind", what, "pallium sessions embed");
}
