/** How long questions take, as whole processes, beside `grep` on the transcripts. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { timeCommand } from "../measure.ts";
import type { SessionTools } from "./indexing.ts";
import { row } from "./table.ts";

/** Of the texts that the corpus is made of: this repository's source and pages. */
const RARE = [
  "identifierParts",
  "deadlock",
  "zstdDecompress",
  "fullfsync",
  "squarified",
  "surrogates",
];
const COMMON = ["error", "file", "return", "import", "path", "string"];
const QUESTIONS = [
  "why is the lock needed",
  "how is a killed index continued",
  "what happens when the disk is full",
  "where are secrets taken out of patches",
];
const EXACT = ["performance.now", "process.cwd(", "foo.bar", "x => x", "-----END", "it's"];
const ROUNDS = 3;

export async function searches(tools: SessionTools, home: string, name: string): Promise<void> {
  const place = { directory: home, env: { PATH: process.env.PATH ?? "", HOME: home } };
  const groups: readonly [string, string, readonly string[]][] = [
    ["search, rare words", "search", RARE],
    ["search, common words", "search", COMMON],
    ["search, questions", "search", QUESTIONS],
    ["grep, exact texts", "grep", EXACT],
  ];
  for (const [what, verb, queries] of groups) {
    const [times, baseline]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const query of queries) {
        baseline.push(await timeGrep(query, home));
        times.push(await timeCommand([tools.pallium, "sessions", verb, "--", query], place));
      }
    }
    console.log(row(`${what}: ${name}`, times, "`grep -rlF` of the transcripts", baseline));
  }
}

/** It ends with 1 where it finds nothing. */
async function timeGrep(text: string, cwd: string): Promise<number> {
  const begun = performance.now();
  await once(
    spawn("grep", ["-rlF", "--", text, ".claude", ".codex"], { cwd, stdio: "ignore" }),
    "exit",
  );
  return performance.now() - begun;
}
