/** Stores what was read of transcripts, together with how far each was read. */
import { isFile } from "../../platform/files.ts";
import type { Database } from "../../platform/sqlite/database.ts";
import type { TranscriptFile } from "../discovery/find-transcripts.ts";
import { rememberDuplicate } from "../store/duplicates.ts";
import type { Source } from "../store/sources.ts";
import { type PendingPiece, type Unwritten, writeGroup } from "../store/write-group.ts";
import type { Piece, ReadRequest } from "./pieces.ts";
import type { IndexPowers } from "./rules.ts";

/** What one transaction holds: characters of messages, and pieces. */
const GROUP_SIZE = 1_500_000;
const GROUP_PIECES = 500;

/** `duplicate`: another file holds the session, or held more of it. */
export type WriteOutcome = "written" | "duplicate" | Unwritten;

export interface PieceWriter {
  /**
   * Writes a piece, or keeps it to be written with those that come next.
   * @returns whether more of the transcript is wanted.
   */
  take(request: ReadRequest, piece: Piece): Promise<boolean>;
  /** Writes all that was taken. */
  flush(): Promise<void>;
}

/** The session that another file holds, or the paths of files that held it and are gone. */
type Others = { readonly heldBy: number } | { readonly gone: readonly string[] };

/** One transcript whose pieces come in. */
interface Writing {
  readonly file: TranscriptFile;
  /** What is on record of it. */
  stored: Source | undefined;
  isOver: boolean;
}

/**
 * Writes pieces in the order in which they come, several in one transaction, each with its place in its
 * file: whatever ends this process, the next index goes on from there.
 * @param done is called once for every transcript.
 */
export function createPieceWriter(
  { database, clock }: Pick<IndexPowers, "database" | "clock">,
  machine: string,
  done: (outcome: WriteOutcome) => void,
): PieceWriter {
  const writings = new Map<string, Writing>();
  let group: (PendingPiece & { readonly writing: Writing })[] = [];
  let size = 0;

  const end = (writing: Writing, outcome: WriteOutcome): void => {
    if (writing.isOver) return;
    writing.isOver = true;
    done(outcome);
  };

  async function flush(): Promise<void> {
    if (group.length === 0) return;
    const pending = group;
    group = [];
    size = 0;
    const stored = await database.write((tx) => writeGroup(tx, machine, clock.iso(), pending));
    for (const [index, { writing, piece }] of pending.entries()) {
      const source = stored[index] ?? "overtaken";
      if (typeof source === "string") end(writing, source);
      else {
        writing.stored = source;
        if (piece.isLast) end(writing, "written");
      }
    }
  }

  async function take({ file, source, force }: ReadRequest, piece: Piece): Promise<boolean> {
    const { path } = file;
    const writing = writings.get(path) ?? {
      file,
      stored: piece.isKnown ? source : undefined,
      isOver: false,
    };
    writings.set(path, writing);
    if (piece.isLast) writings.delete(path);
    if (writing.isOver) return false;
    const { id } = piece.header;
    const isHeldBy = (other: PendingPiece): boolean =>
      other.file !== file && other.file.provider === file.provider && other.piece.header.id === id;
    if (group.some(isHeldBy)) await flush();
    if (writing.isOver) return false;
    const others = await otherSources(database, machine, writing, piece, force);
    if ("heldBy" in others) {
      await database.write((tx) => rememberDuplicate(tx, machine, file, others.heldBy));
      end(writing, "duplicate");
      return false;
    }
    const goesOn = group.some((one) => one.writing === writing);
    group.push({
      writing,
      file,
      piece,
      others: others.gone,
      before: goesOn ? "piece before" : writing.stored,
    });
    size += piece.batch.size;
    if (size >= GROUP_SIZE || group.length >= GROUP_PIECES) await flush();
    return !writing.isOver;
  }

  return { take, flush };
}

/** What else is on record of the session that a transcript tells of. */
async function otherSources(
  database: Database,
  machine: string,
  { file, stored }: Writing,
  { header, wholeBytes }: Piece,
  force: boolean,
): Promise<Others> {
  const others = database
    .all<{ session: number; path: string; read_bytes: number }>(
      `SELECT session, path, read_bytes FROM sessions JOIN sources ON sources.session = sessions.key
       WHERE sessions.machine = ? AND provider = ? AND id = ?`,
      machine,
      file.provider,
      header.id,
    )
    .filter(({ path }) => path !== file.path && path !== stored?.path);
  for (const { session, path, read_bytes: readBytes } of others) {
    if ((readBytes > wholeBytes && !force) || (await isFile(path))) return { heldBy: session };
  }
  return { gone: others.map(({ path }) => path) };
}
