/**
 * Reads what is larger than any test may be, and prints what that took:
 *
 *   node_modules/.bin/bun scripts/labs/large-transcripts.ts [--program dist/pallium] [--files 100000] [--record 64] [--file 600]
 *
 * `--record` and `--file` are in megabytes; with 0 a case is left out. Fails where something is missing
 * in the store, or is read a second time.
 */
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  utimesSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { watchPeakMemory } from "../../test/support/peak-memory.ts";

const { values } = parseArgs({
  options: {
    program: { type: "string", default: "dist/pallium" },
    files: { type: "string", default: "100000" },
    record: { type: "string", default: "64" },
    file: { type: "string", default: "600" },
  },
});
const program = resolve(values.program);
const LONG_AGO = new Date(Date.now() - 3_600_000);
const MEGABYTE = 1024 * 1024;
const WORDS = "what the agent said at some length, parsePatch of src/auth.ts ";

function said(session: string, at: number, text: string): string {
  const message = { role: "user", content: text };
  return `${JSON.stringify({ type: "user", sessionId: session, uuid: `${session}-${at}`, message })}\n`;
}

function write(path: string, lines: Iterable<string>): void {
  mkdirSync(dirname(path), { recursive: true });
  const file = openSync(path, "w");
  for (const line of lines) writeSync(file, line);
  closeSync(file);
  utimesSync(path, LONG_AGO, LONG_AGO);
}

function* longFile(megabytes: number): Generator<string> {
  for (let at = 0; at < megabytes * 16; at += 1) {
    yield said("long", at, `${at} ${WORDS.repeat((MEGABYTE / 16 - 200) / WORDS.length)}`);
  }
}

async function index(home: string): Promise<{ counts: { indexed: number }; took: string }> {
  const started = performance.now();
  const child = Bun.spawn([program, "sessions", "index", "--json"], {
    env: { PATH: process.env.PATH ?? "", HOME: home },
    stdout: "pipe",
    stderr: "inherit",
  });
  const memory = watchPeakMemory(child.pid);
  const counts = JSON.parse(await child.stdout.text());
  const megabytes = Math.round(memory.stop() / MEGABYTE);
  await child.exited;
  return {
    counts,
    took: `${((performance.now() - started) / 1000).toFixed(1)} s, ${megabytes} MB`,
  };
}

let passed = true;

async function measure(name: string, sessions: number, fill: (folder: string) => void) {
  if (sessions === 0) return;
  const home = mkdtempSync(join(tmpdir(), "pallium-large-"));
  try {
    fill(join(home, ".claude", "projects"));
    const first = await index(home);
    const again = await index(home);
    console.log(`${name}: ${first.took}; without a change ${again.took}`);
    if (first.counts.indexed === sessions && again.counts.indexed === 0) return;
    console.log(
      `VIOLATION indexed ${first.counts.indexed} of ${sessions}, then ${again.counts.indexed}`,
    );
    passed = false;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

const [files, record, megabytes] = [values.files, values.record, values.file].map(Number);
await measure(`${files} small files`, files ?? 0, (folder) => {
  for (let at = 0; at < (files ?? 0); at += 1) {
    write(join(folder, `p${at % 100}`, `s${at}.jsonl`), [said(`s${at}`, 0, `${at} ${WORDS}`)]);
  }
});
await measure(`a record of ${record} MB`, record ? 1 : 0, (folder) => {
  const text = WORDS.repeat(((record ?? 0) * MEGABYTE) / WORDS.length);
  write(join(folder, "p", "record.jsonl"), [said("record", 0, text), said("record", 1, "the end")]);
});
await measure(`a file of ${megabytes} MB`, megabytes ? 1 : 0, (folder) => {
  write(join(folder, "p", "long.jsonl"), longFile(megabytes ?? 0));
});
console.log(passed ? "PASS" : "FAIL");
process.exit(passed ? 0 : 1);
