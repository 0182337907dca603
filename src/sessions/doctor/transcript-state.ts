/** How the store stands to the transcripts on disk. */
import { counted } from "../../lib/counted.ts";
import { isDirectory, isFile } from "../../platform/files.ts";
import type { Database } from "../../platform/sqlite/database.ts";
import {
  type AgentHomes,
  findTranscripts,
  type TranscriptFile,
} from "../discovery/find-transcripts.ts";
import { leftOut } from "../keeping/left-out.ts";
import { duplicatesOf } from "../store/duplicates.ts";
import { isUnchanged, readSources } from "../store/sources.ts";
import type { TranscriptProvider } from "../transcripts/types.ts";
import { type Finding, note, problem } from "./finding.ts";

export interface HomeState {
  readonly provider: TranscriptProvider;
  readonly path: string;
  readonly exists: boolean;
  readonly transcripts: number;
}

export interface TranscriptState {
  readonly homes: readonly HomeState[];
  /** Transcripts that were read. */
  readonly known: number;
  /** Of these, those that are not there any more. */
  readonly gone: number;
  /** On disk, and new or written since they were read. */
  readonly behind: number;
  readonly malformed_lines: number;
  readonly unknown_records: number;
  readonly findings: readonly Finding[];
}

export async function transcriptState(
  database: Database | undefined,
  { codexHome, claudeHome }: AgentHomes,
  machine: string,
): Promise<TranscriptState> {
  const found = findTranscripts({
    providers: ["codex", "claude"],
    codexHome,
    claudeHome,
    include: [],
  });
  const homes = await Promise.all([
    homeState("codex", codexHome, found.files),
    homeState("claude", claudeHome, found.files),
  ]);
  const findings: Finding[] = found.problems.map((what) =>
    problem("transcripts_unreadable", what, "make it readable, then: pallium sessions index"),
  );
  if (homes.every(({ exists }) => !exists)) {
    const what = "neither Codex nor Claude Code has a folder here";
    const next = "set CODEX_HOME or CLAUDE_CONFIG_DIR where they keep theirs elsewhere";
    findings.push(note("no_agent_home", what, next));
  }
  const none = {
    known: 0,
    gone: 0,
    behind: found.files.length,
    malformed_lines: 0,
    unknown_records: 0,
  };
  const counts = database === undefined ? none : await countsOf(database, found.files, machine);
  return { homes, ...counts, findings: [...findings, ...countFindings(counts)] };
}

type Counts = Omit<TranscriptState, "homes" | "findings">;

async function homeState(
  provider: TranscriptProvider,
  path: string,
  files: readonly TranscriptFile[],
): Promise<HomeState> {
  const transcripts = files.filter((file) => file.provider === provider).length;
  return { provider, path, exists: await isDirectory(path), transcripts };
}

async function countsOf(
  database: Database,
  files: readonly TranscriptFile[],
  machine: string,
): Promise<Counts> {
  const sources = readSources(database, machine);
  const byPath = new Map(sources.map((source) => [source.path, source]));
  const paths = new Set(files.map(({ path }) => path));
  const isLeftOut = leftOut(database, false);
  const isDuplicate = duplicatesOf(database, machine, (path) => paths.has(path));
  const isBehind = (file: TranscriptFile): boolean => {
    const source = byPath.get(file.path);
    if (isLeftOut(file)) return false;
    return source === undefined ? !isDuplicate(file) : !isUnchanged(source, file);
  };
  let gone = 0;
  for (const { path } of sources) if (!(await isFile(path))) gone += 1;
  const count = (sql: string): number => database.get<{ n: number | null }>(sql)?.n ?? 0;
  return {
    known: sources.length,
    gone,
    behind: files.filter(isBehind).length,
    malformed_lines: count("SELECT sum(malformed) AS n FROM sources"),
    unknown_records: count("SELECT count(*) AS n FROM unknown_records"),
  };
}

function countFindings({ gone, behind, malformed_lines: lines, unknown_records: records }: Counts) {
  const notes: readonly (readonly [number, string, string, string])[] = [
    [
      behind,
      "index_behind",
      `${counted(behind, "transcript")} on disk, new or written since`,
      "pallium sessions index",
    ],
    [
      gone,
      "transcripts_gone",
      `${counted(gone, "transcript")} that were read, and are gone: what was read is kept`,
      "pallium sessions prune --gone --dry-run",
    ],
    [
      lines,
      "malformed_lines",
      `${counted(lines, "line")} of transcripts that are no records, passed over`,
      "nothing, unless there are many: then a program writes them that is not known here",
    ],
    [
      records,
      "unknown_records",
      `${counted(records, "record")} of types that are not known here, kept as they are`,
      "update pallium",
    ],
  ];
  return notes.flatMap(([count, code, what, next]) => (count > 0 ? [note(code, what, next)] : []));
}
