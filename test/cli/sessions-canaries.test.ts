/**
 * Secrets of every kind in every place of transcripts that can carry text: none is in a byte of what
 * pallium keeps, nor in anything that a command about sessions prints or sends.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdir, readdir, readFile, stat, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createServices } from "../../src/app/wire.ts";
import { createRegistry } from "../../src/cli/registry.ts";
import type { sessionOperations } from "../../src/operations/session-table.ts";
import { operations } from "../../src/operations/table.ts";
import {
  type Canary,
  canaryFinder,
  type FindCanaries,
  plantCanaries,
} from "../support/canaries.ts";
import { testProgram } from "../support/cli-program.ts";
import { type EmbeddingServer, startEmbeddingServer } from "../support/embedding-server.ts";
import { seededSamples } from "../support/secrets/corpus.ts";
import { type TempDir, tempDir } from "../support/temp.ts";
import { testIndex } from "../support/transcripts/index.ts";

type SessionOperation = keyof typeof sessionOperations;

/** The last session of Codex that is planted, by the beginning of what nothing else begins with. */
const ONE = "00000000-0000-4000-8000-cccccccccc44";
const EVERYTHING = ["--limit", "100000"];
const WORDS = ["password", "token", "key", "x", "Update", "redacted", "the"];

/**
 * How each operation is called so that it says all it can. A new one belongs here before it lands; one
 * that sends something to another program hands what it sent to the finder as well.
 */
const CALLS: Readonly<Record<SessionOperation, readonly (readonly string[])[]>> = {
  "sessions.index": [["index"], ["index", "--force"]],
  "sessions.list": [
    ["list", ...EVERYTHING],
    ["list", "--full", ...EVERYTHING],
  ],
  "sessions.search": [
    ["search", "--full", ...EVERYTHING, ...WORDS],
    ["search", ...EVERYTHING, ...WORDS],
  ],
  "sessions.grep": [
    ["grep", "e", ...EVERYTHING],
    ["grep", "redacted", ...EVERYTHING],
  ],
  "sessions.related": [
    ["related", "--full", "work", ...EVERYTHING],
    ["related", "work", "--file", "x"],
  ],
  "sessions.why": [
    ["why", "work/a.ts:1", "--full"],
    ["why", "work/a.ts"],
  ],
  "sessions.show": [
    ["show", ONE],
    ["show", ONE, "--transcript"],
  ],
  "sessions.stats": [["stats"]],
  "sessions.live": [["live", "--all", "--details"]],
  "sessions.watch": [["watch", "--all", "--details"]],
  "sessions.embed": [["embed", "--yes"]],
  "sessions.semantic": [["semantic", ...EVERYTHING, ...WORDS]],
  "sessions.doctor": [["doctor"]],
  "sessions.export": ["markdown", "json", "html"].map((format) => [
    "export",
    "--all",
    "--format",
    format,
  ]),
  "sessions.prune": [["prune", "--older-than", "2100-01-01", "--dry-run"]],
  "sessions.forget": [
    ["forget", ONE],
    ["forget", ONE, "--yes"],
  ],
};

let home: TempDir;
let canaries: readonly Canary[];
let find: FindCanaries;
let model: EmbeddingServer;
const LONG_AGO = new Date(Date.now() - 600_000);

beforeAll(async () => {
  home = await tempDir();
  model = startEmbeddingServer();
  const folder = home.join("work");
  await mkdir(folder);
  const git = async (...args: readonly string[]) => {
    const date = LONG_AGO.toISOString();
    const env = { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
    const names = ["-c", "user.name=a", "-c", "user.email=a@example.org"];
    expect(await Bun.spawn(["git", ...names, "-C", folder, ...args], { env }).exited).toBe(0);
  };
  await git("init", "-q");
  await writeFile(join(folder, "a.ts"), "1;\n");
  await git("add", ".");
  await git("commit", "-q", "-m", "Add a");
  canaries = await plantCanaries(
    async (path, text) => {
      const file = home.join(`.${path}`);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
      await utimes(file, LONG_AGO, LONG_AGO);
    },
    { at: LONG_AGO.toISOString(), folder },
  );
  find = canaryFinder(canaries);
}, 60_000);

afterAll(async () => {
  await model[Symbol.asyncDispose]();
  await home[Symbol.asyncDispose]();
});

/** What a command line prints, on both streams; a reader that waits for more is gone after the first. */
async function printed(argv: readonly string[]): Promise<{ text: string; exitCode: number }> {
  const { program } = testProgram(argv, {
    home: home.path,
    cwd: home.path,
    variables: { PALLIUM_EMBED_BASE_URL: model.url, PALLIUM_EMBED_API_KEY: "k" },
  });
  let text = "";
  const gone = new AbortController();
  const exitCode = await (await import("../../src/cli/dispatch.ts")).dispatch(
    {
      ...program,
      output: {
        ...program.output,
        data: async (data) => {
          text += typeof data === "string" ? data : new TextDecoder().decode(data);
          if (argv.includes("watch")) gone.abort();
          return !argv.includes("watch");
        },
        message: (line) => {
          text += line;
        },
        readerGone: async () => gone.signal,
      },
      createServices: async (announce) => createServices(program.environment, announce),
    },
    createRegistry(program),
  );
  return { text, exitCode };
}

async function keptFiles(): Promise<readonly string[]> {
  const names = await readdir(home.join(".pallium"), { recursive: true });
  const files: string[] = [];
  for (const name of names) {
    const path = home.join(".pallium", name);
    if ((await stat(path)).isFile()) files.push(path);
  }
  return files;
}

test("the finder finds what is there", async () => {
  expect(canaries.length).toBeGreaterThan(2500);
  const places = new Set(canaries.map(({ place }) => place));
  expect(places.size).toBeGreaterThan(50);
  const kinds = new Set(canaries.map(({ kind }) => kind));
  expect(seededSamples(1).filter(({ kind }) => !kinds.has(kind))).toEqual([]);
  for (const { place, kind, secret } of canaries.filter((_, at) => at % 100 === 0)) {
    if (secret.length < 12) continue;
    expect(find(`before ${secret} after`)).toContain(`${place}: ${kind}`);
  }
});

describe("weakness 24 of sessions, oracle 10:", () => {
  test("no secret is in a byte of the store, its log included, while it is written and after", async () => {
    await using index = await testIndex();
    await plantCanaries(index.write, { at: LONG_AGO.toISOString(), folder: "/home/dev" });
    expect(await index.index()).toMatchObject({ indexed: 90, malformed: 0 });
    const names = (await readdir(index.directory)).filter((name) => name.startsWith("sessions."));
    expect(names).toContain("sessions.sqlite-wal");
    for (const name of names) {
      expect(find(await readFile(join(index.directory, name)))).toEqual([]);
    }
    // Every place has left its mark, so none was passed over.
    const messages = index.database.all<{ text: string }>("SELECT text FROM messages");
    expect(messages.filter(({ text }) => text.includes("[redacted: ")).length).toBeGreaterThan(
      1000,
    );
  }, 60_000);

  for (const [name, calls] of Object.entries(CALLS)) {
    test(`${name} prints none, as text and as JSON`, async () => {
      if (
        name !== "sessions.index" &&
        !(await Bun.file(home.join(".pallium/sessions.sqlite")).exists())
      ) {
        await printed(["sessions", "index"]);
      }
      let shown = 0;
      for (const call of calls) {
        for (const more of [[], ["--json"]]) {
          const { text, exitCode } = await printed(["sessions", ...call, ...more]);
          const refused = call[0] === "watch" && more.length > 0;
          expect({ call, isUsage: exitCode === 2 }).toEqual({ call, isUsage: refused });
          expect(find(text)).toEqual([]);
          shown += text.length;
        }
      }
      expect(shown).toBeGreaterThan(10);
    }, 60_000);
  }

  test("nor was one sent to the model that makes vectors", () => {
    const sent = model.calls.flatMap(({ input }) => input);
    expect(sent.length).toBeGreaterThan(100);
    expect(find(sent.join("\n"))).toEqual([]);
  });

  test("nor does any file that pallium keeps hold one", async () => {
    const files = await keptFiles();
    expect(files.some((path) => path.endsWith("sessions.sqlite"))).toBe(true);
    for (const path of files)
      expect({ path, found: find(await readFile(path)) }).toEqual({ path, found: [] });
  });
});

test("every operation of session memory is called here", () => {
  const named = Object.keys(operations).filter((name) => name.startsWith("sessions."));
  expect(Object.keys(CALLS).toSorted()).toEqual(named.toSorted());
});
