/** Brings the store up to date with the transcripts on disk. */
import { optional } from "../../lib/optional.ts";
import type { TranscriptFile } from "../discovery/find-transcripts.ts";
import { leftOut } from "../keeping/left-out.ts";
import { duplicatesOf } from "../store/duplicates.ts";
import { placeSessions } from "../store/place-sessions.ts";
import {
  isUnchanged,
  type KnownSource,
  readSources,
  sourceAt,
  writeSource,
} from "../store/sources.ts";
import type { Reading, ReadRequest } from "./pieces.ts";
import { openReading } from "./reading.ts";
import type { IndexCounts, IndexPowers, IndexRules } from "./rules.ts";
import { createPieceWriter, type WriteOutcome } from "./write-pieces.ts";

export interface IndexOutcome extends IndexCounts {
  /** What could not be read, as a sentence each. */
  readonly problems: readonly string[];
}

interface Wanted {
  readonly file: TranscriptFile;
  readonly source: KnownSource | undefined;
}

const COUNTED = {
  written: "indexed",
  duplicate: "duplicates",
  overtaken: "unchanged",
  forgotten: "left_out",
} as const satisfies Record<WriteOutcome, keyof IndexCounts>;

/** One file that cannot be read does not keep the others from being read. */
export async function indexSessions(
  powers: IndexPowers,
  files: readonly TranscriptFile[],
  rules: IndexRules,
): Promise<IndexOutcome> {
  const counts = {
    indexed: 0,
    unchanged: 0,
    active: 0,
    left_out: 0,
    duplicates: 0,
    malformed: 0,
    bytes: 0,
  };
  const wanted = await chooseFiles(powers, files, rules, counts);
  const problems: string[] = [];
  if (wanted.length > 0) {
    using reading = openReading(powers, requestsFor(powers, wanted, rules), bytesOf(wanted, rules));
    await writeAll(powers, reading, rules, counts, problems);
  }
  await placeSessions(powers.database, powers.workflowCalls);
  return { ...counts, problems };
}

async function writeAll(
  powers: IndexPowers,
  reading: Reading,
  { machine }: IndexRules,
  counts: IndexCounts,
  problems: string[],
): Promise<void> {
  const writer = createPieceWriter(powers, machine, (outcome) => {
    counts[COUNTED[outcome]] += 1;
  });
  for await (const read of reading.reads) {
    powers.signal.throwIfAborted();
    if ("problem" in read) {
      problems.push(read.problem);
      continue;
    }
    counts.bytes += read.piece.bytes;
    counts.malformed += read.piece.malformed;
    if (!(await writer.take(read.request, read.piece))) reading.skip(read.request);
  }
  await writer.flush();
}

/** The files that must be read; the others are counted. */
async function chooseFiles(
  powers: IndexPowers,
  files: readonly TranscriptFile[],
  rules: IndexRules,
  counts: IndexCounts,
): Promise<readonly Wanted[]> {
  const paths = new Set(files.map(({ path }) => path));
  const known = knownSources(readSources(powers.database, rules.machine), paths);
  const isDuplicate = duplicatesOf(powers.database, rules.machine, (path) => paths.has(path));
  const isLeftOut = leftOut(powers.database, rules.force);
  const now = powers.clock.now().getTime();
  const wanted: Wanted[] = [];
  for (const file of files) {
    const source = known(file);
    const age = now - file.modifiedMs;
    if (rules.sinceMs !== undefined && age > rules.sinceMs && !rules.force) continue;
    if (isLeftOut(file)) counts.left_out += 1;
    else if (!rules.force && source !== undefined && isUnchanged(source, file)) {
      if (source.path !== file.path) await moveSource(powers, file, source, rules);
      counts.unchanged += 1;
    } else if (!rules.force && source === undefined && isDuplicate(file)) counts.duplicates += 1;
    else if (!rules.force && Math.abs(age) < rules.quietMs) counts.active += 1;
    else wanted.push({ file, source });
  }
  return wanted;
}

function* requestsFor(
  { database }: IndexPowers,
  wanted: readonly Wanted[],
  { machine, force }: IndexRules,
): Generator<ReadRequest> {
  for (const { file, source: known } of wanted) {
    const source = known === undefined ? undefined : sourceAt(database, machine, known.path);
    yield { file, force, ...optional({ source }) };
  }
}

/** How much there is to read at most. */
function bytesOf(wanted: readonly Wanted[], { force }: IndexRules): number {
  return wanted.reduce((sum, { file, source }) => {
    const isRead = !force && source !== undefined && source.read_bytes <= file.size;
    return sum + file.size - (isRead ? source.read_bytes : 0);
  }, 0);
}

/** What is known of a file: by its path, else as one that was moved there. */
function knownSources(
  sources: readonly KnownSource[],
  there: ReadonlySet<string>,
): (file: TranscriptFile) => KnownSource | undefined {
  const byPath = new Map(sources.map((source) => [source.path, source]));
  const moved = new Map<string, KnownSource>();
  for (const source of sources) {
    if (!there.has(source.path)) moved.set(`${source.device} ${source.inode}`, source);
  }
  return ({ path, device, inode }) => byPath.get(path) ?? moved.get(`${device} ${inode}`);
}

async function moveSource(
  { database }: IndexPowers,
  { path }: TranscriptFile,
  { path: earlierPath }: KnownSource,
  { machine }: IndexRules,
): Promise<void> {
  await database.write((tx) => {
    const source = sourceAt(tx, machine, earlierPath);
    if (source !== undefined) writeSource(tx, machine, { ...source, path }, earlierPath);
  });
}
