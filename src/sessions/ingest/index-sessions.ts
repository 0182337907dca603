/** Brings the store up to date with the transcripts on disk. */
import { PalliumError } from "../../lib/errors.ts";
import type { TranscriptFile } from "../discovery/find-transcripts.ts";
import { leftOut } from "../keeping/left-out.ts";
import { placeSessions } from "../store/place-sessions.ts";
import { isUnchanged, readSources, type Source, writeSource } from "../store/sources.ts";
import { readTranscript } from "./read-transcript.ts";
import type { IndexCounts, IndexPowers, IndexRules } from "./rules.ts";

export interface IndexOutcome extends IndexCounts {
  /** What could not be read, as a sentence each. */
  readonly problems: readonly string[];
}

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
  const problems: string[] = [];
  const known = knownSources(readSources(powers.database, rules.machine), files);
  const isLeftOut = leftOut(powers.database, rules.force);
  const now = powers.clock.now().getTime();
  for (const file of files) {
    powers.signal.throwIfAborted();
    const source = known(file);
    const age = now - file.modifiedMs;
    if (rules.sinceMs !== undefined && age > rules.sinceMs && !rules.force) continue;
    if (isLeftOut(file)) {
      counts.left_out += 1;
    } else if (!rules.force && source !== undefined && isUnchanged(source, file)) {
      if (source.path === file.path) counts.unchanged += 1;
      else await moveSource(powers, file, source, rules, counts);
    } else if (!rules.force && age < rules.quietMs) {
      counts.active += 1;
    } else {
      try {
        await readTranscript(powers, file, source, rules, counts);
      } catch (error) {
        if (!(error instanceof PalliumError) || !ABOUT_A_FILE.has(error.code)) throw error;
        problems.push(error.message);
      }
    }
  }
  await placeSessions(powers.database);
  return { ...counts, problems };
}

const ABOUT_A_FILE = new Set(["permission_denied", "io_failed"]);

/** What is known of a file: by its path, else as one that was moved there. */
function knownSources(
  sources: readonly Source[],
  files: readonly TranscriptFile[],
): (file: TranscriptFile) => Source | undefined {
  const byPath = new Map(sources.map((source) => [source.path, source]));
  const there = new Set(files.map(({ path }) => path));
  const moved = new Map<string, Source>();
  for (const source of sources) {
    if (!there.has(source.path)) moved.set(`${source.device} ${source.inode}`, source);
  }
  return ({ path, device, inode }) => byPath.get(path) ?? moved.get(`${device} ${inode}`);
}

async function moveSource(
  { database }: IndexPowers,
  { path }: TranscriptFile,
  source: Source,
  { machine }: IndexRules,
  counts: IndexCounts,
): Promise<void> {
  await database.write((tx) => writeSource(tx, machine, { ...source, path }, source.path));
  counts.unchanged += 1;
}
