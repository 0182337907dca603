/** Where things are, what state they are in, and what to do about it. */
import { isFile } from "../../platform/files.ts";
import { type IndexState, indexPath } from "../history/present-index.ts";
import type { Repository } from "../identity.ts";
import type { SessionCounts, SessionMemory } from "../powers.ts";
import type { WorkingTree } from "../working-tree.ts";

export interface DoctorReport {
  readonly repo_root: string;
  /** The index; what cannot be derived again is beside it. */
  readonly repo_db_path: string;
  readonly repo_db_exists: boolean;
  readonly index_status: "missing" | "indexed" | "stale";
  readonly indexed_branch?: string;
  readonly last_indexed_commit?: string;
  readonly indexed_at?: string;
  readonly current_branch?: string;
  readonly current_commit?: string;
  readonly working_tree_dirty: boolean;
  readonly working_tree_file_count: number;
  readonly session_db_path: string;
  readonly session_db_exists: boolean;
  readonly session_stats: SessionCounts;
  readonly embedding_model: string;
  readonly embedding_backlog: number;
  readonly openai_key_available: boolean;
  readonly executable_path: string;
  readonly recommended_next_command?: string;
  readonly notes: readonly string[];
}

export interface DoctorInput {
  readonly repository: Repository;
  readonly working: WorkingTree;
  readonly state: IndexState | undefined;
  readonly sessions: SessionMemory;
  readonly hasOpenAiKey: boolean;
  readonly executable: string;
}

const NO_SESSIONS: SessionCounts = {
  sessions: 0,
  events: 0,
  messages: 0,
  chunks: 0,
  embeddings: 0,
  models: [],
};

/** Looks at what is on disk and changes nothing. */
export async function doctorReport(input: DoctorInput): Promise<DoctorReport> {
  const { repository, working, state } = input;
  const status = statusOf(input);
  const path = indexPath(repository);
  const { path: sessionPath, stats, embedding_model, embedding_backlog = 0 } = input.sessions;
  return {
    repo_root: repository.root,
    repo_db_path: path,
    repo_db_exists: await isFile(path),
    index_status: status,
    ...(state === undefined
      ? {}
      : {
          indexed_branch: state.branch,
          last_indexed_commit: state.head,
          indexed_at: state.indexed_at,
        }),
    ...(working.head === undefined
      ? {}
      : { current_branch: working.branch, current_commit: working.head }),
    working_tree_dirty: working.changes.length > 0,
    working_tree_file_count: working.changes.length,
    session_db_path: sessionPath,
    session_db_exists: await isFile(sessionPath),
    session_stats: stats ?? NO_SESSIONS,
    embedding_model,
    embedding_backlog,
    openai_key_available: input.hasOpenAiKey,
    executable_path: input.executable,
    ...(status === "indexed" ? {} : { recommended_next_command: nextCommand(working) }),
    notes: notesOf(input, status),
  };
}

function statusOf({ state, working }: DoctorInput): DoctorReport["index_status"] {
  if (state === undefined) return "missing";
  return state.head === working.head ? "indexed" : "stale";
}

function nextCommand({ head }: WorkingTree): string {
  return head === undefined ? 'git commit --allow-empty -m "first commit"' : "pallium index";
}

function notesOf(
  { working, state, sessions }: DoctorInput,
  status: DoctorReport["index_status"],
): readonly string[] {
  const notes: string[] = [];
  if (working.head === undefined) notes.push("the repository has no commits yet");
  else if (status === "missing") notes.push("the repository has not been indexed yet");
  if (status === "stale") {
    notes.push(`the index is of ${state?.head.slice(0, 8)}, checked out is another commit`);
  }
  if (working.changes.length > 0) notes.push("the working tree has changes that no commit has");
  if (sessions.problem !== undefined)
    notes.push(`session memory cannot be read: ${sessions.problem}`);
  else if (sessions.stats === undefined) notes.push("there is no session memory yet");
  return notes;
}
