/** A store of sessions in a folder of its own, and transcripts to read into it. */
import { cp, mkdir, utimes, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { systemClock } from "../../../src/platform/clock.ts";
import { type Database, openDatabase } from "../../../src/platform/sqlite/database.ts";
import { createSecretScanner } from "../../../src/secrets/scanner.ts";
import { findTranscripts } from "../../../src/sessions/discovery/find-transcripts.ts";
import { type IndexOutcome, indexSessions } from "../../../src/sessions/ingest/index-sessions.ts";
import type { IndexPowers, IndexRules } from "../../../src/sessions/ingest/rules.ts";
import { SESSION_MIGRATIONS } from "../../../src/sessions/store/schema.ts";
import type { TranscriptProvider } from "../../../src/sessions/transcripts/types.ts";
import { type TempDir, tempDir } from "../temp.ts";
import { FILES, type FixtureName, TRANSCRIPTS } from "./fixtures.ts";

const LONG_AGO_MS = 600_000;

export interface TestIndex extends AsyncDisposable {
  readonly database: Database;
  readonly directory: string;
  /** Copies a fixture to where its program would have written it, long ago. */
  place(provider: TranscriptProvider, name: FixtureName): Promise<string>;
  /** Writes a transcript, by default long ago. */
  write(path: string, text: string | Uint8Array, ageMs?: number): Promise<string>;
  index(rules?: Partial<IndexRules>, powers?: Partial<IndexPowers>): Promise<IndexOutcome>;
}

export async function testIndex(): Promise<TestIndex> {
  const temp: TempDir = await tempDir();
  const directory = temp.path;
  const database = await openDatabase({
    path: join(directory, "sessions.sqlite"),
    migrations: SESSION_MIGRATIONS,
  });
  const age = async (path: string, ageMs: number) => {
    const then = new Date(Date.now() - ageMs);
    await utimes(path, then, then);
    return path;
  };
  return {
    database,
    directory,
    place: async (provider, name) => {
      const path = join(directory, FILES[provider][name]);
      await mkdir(dirname(path), { recursive: true });
      await cp(join(TRANSCRIPTS, FILES[provider][name]), path);
      return age(path, LONG_AGO_MS);
    },
    write: async (name, text, ageMs = LONG_AGO_MS) => {
      const path = join(directory, name);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
      return age(path, ageMs);
    },
    index: (rules = {}, given = {}) => {
      const places = { codexHome: join(directory, "codex"), claudeHome: join(directory, "claude") };
      const { files } = findTranscripts({ ...places, providers: ["codex", "claude"], include: [] });
      const powers = {
        database,
        clock: systemClock(),
        createScanner: createSecretScanner,
        signal: new AbortController().signal,
        ...given,
      };
      return indexSessions(powers, files, {
        machine: "here",
        force: false,
        quietMs: 120_000,
        ...rules,
      });
    },
    [Symbol.asyncDispose]: async () => {
      database.close();
      await temp[Symbol.asyncDispose]();
    },
  };
}

/** Indexes a session of Claude Code and a fork of it. @returns the id of the fork. */
export async function indexFork(index: TestIndex): Promise<string> {
  await index.place("claude", "session");
  const fork = await index.place("claude", "fork");
  await index.index();
  return basename(fork, ".jsonl");
}
