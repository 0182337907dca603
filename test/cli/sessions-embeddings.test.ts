/** `pallium sessions embed`, `semantic` and `search --hybrid` as a user calls them, against a model on loopback. */
import { expect, test } from "bun:test";
import { mkdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { outputs } from "../../src/operations/schemas.ts";
import type { OperationName } from "../../src/operations/table.ts";
import { type CliHome, cliHome, PALLIUM } from "../support/cli.ts";
import { startEmbeddingServer } from "../support/embedding-server.ts";
import { saidIn } from "../support/embeddings.ts";
import { errorOf } from "../support/workflow.ts";

const CANARY = `ghp_${"c4N4ry7Kx2".repeat(4).slice(0, 36)}`;
const SAID = {
  payments: `payments arrive twice, the token is ${CANARY}`,
  colours: "the button is green and should be blue",
};

async function write(home: CliHome, id: string, text: string): Promise<void> {
  const folder = join(home.directory, ".claude", "projects", "p");
  await mkdir(folder, { recursive: true });
  const path = join(folder, `${id}.jsonl`);
  await writeFile(path, saidIn(id, text));
  await utimes(path, new Date(0), new Date(0));
}

/** A home in which two sessions were read in. */
async function told(): Promise<CliHome> {
  const home = await cliHome();
  for (const [id, text] of Object.entries(SAID)) await write(home, id, text);
  const { exitCode, stderr } = await home.pallium(["sessions", "index", "--model", "ignored"]);
  if (exitCode !== 0) throw new Error(stderr);
  return home;
}

test("sessions are embedded, found by meaning, and by words and meaning", async () => {
  await using home = await told();
  await using server = startEmbeddingServer((_, earlier) =>
    earlier === 0
      ? new Response("slow down", { status: 429, headers: { "retry-after": "0.01" } })
      : undefined,
  );
  const env = {
    PALLIUM_EMBED_BASE_URL: server.url,
    PALLIUM_EMBED_MODEL: "words",
    OPENAI_API_KEY: "not-for-others",
  };
  const json = async (verb: string, ...args: readonly string[]) => {
    const answer = await home.pallium(["sessions", verb, "--json", ...args], { env });
    if (answer.exitCode !== 0) throw new Error(answer.stderr);
    const document = JSON.parse(answer.stdout);
    const schema = outputs[`sessions.${verb}` as OperationName];
    expect(schema.safeParse(document).error?.issues ?? []).toEqual([]);
    return document;
  };
  // Nobody pays for pieces before something is embedded.
  expect(await json("stats")).toMatchObject({ chunks: 0, embeddings: 0, models: [] });
  // Weakness 20 of sessions: the model of the environment is asked, and named.
  expect(await json("embed", "--session", "pay")).toEqual({
    embedded: 2,
    model: "words",
    session_id: "pay",
  });
  const rest = await home.pallium(["sessions", "embed", "--batch-size", "1"], { env });
  expect(rest).toMatchObject({ stdout: "Embedded 2 session chunks with words\n", stderr: "" });
  expect(await json("stats")).toMatchObject({
    chunks: 4,
    embeddings: 4,
    models: [{ provider: "openai", model: "words", dim: 256, count: 4 }],
  });
  await write(home, "later", "the cache forgets what it holds");
  await json("index");
  expect(await json("stats")).toMatchObject({ chunks: 6, embeddings: 4 });
  const [hit] = await json("semantic", "payments", "twice");
  expect(hit).toMatchObject({ session_id: "payments", recalled: { trust: "untrusted_data" } });
  const text = await home.pallium(["sessions", "semantic", "green button"], { env });
  expect(text.stdout).toMatch(/^0\.\d{4} colours (overview|transcript) — the button is green/);
  const found = await json("search", "--hybrid", "payments");
  expect(found[0]).toMatchObject({ id: "payments", signals: ["lexical:1", "vector:1"] });
  expect(await json("semantic", "--model", "other", "payments")).toEqual([]);
  expect(await json("search", "--hybrid", "--model", "other", "nonesuch")).toEqual([]);
  const sent = JSON.stringify(server.calls);
  expect(sent).toContain("payments arrive twice");
  // Weakness 23 of sessions: a key of OpenAI's goes to nobody else; nor does what an agent was told.
  expect(sent).not.toContain("not-for-others");
  expect(sent).not.toContain(CANARY);
});

test("without a model each says what to do, and words still find", async () => {
  await using home = await told();
  for (const verb of [["embed"], ["semantic", "payments"]]) {
    const { stderr, exitCode } = await home.pallium(["sessions", ...verb, "--json"]);
    expect(exitCode).toBe(1);
    expect(errorOf(stderr)).toMatchObject({ code: "embeddings_not_configured" });
  }
  const found = await home.pallium(["sessions", "search", "--hybrid", "payments", "--json"]);
  expect(found.stderr).toContain("searched by words alone");
  expect(JSON.parse(found.stdout)).toMatchObject([{ id: "payments", signals: ["lexical:1"] }]);
  const wrong = await home.pallium(["sessions", "embed", "--batch-size", "0"]);
  expect(wrong).toMatchObject({ exitCode: 2 });
});

test("weakness 25 of sessions: a terminal is asked before text leaves the computer", async () => {
  await using home = await told();
  let screen = "";
  const decoder = new TextDecoder();
  let answered = false;
  const child = Bun.spawn([...PALLIUM, "sessions", "embed"], {
    cwd: home.directory,
    // Nothing is there; a yes would end as `embedding_unreachable`.
    env: { ...home.env, OPENAI_API_KEY: "k", OPENAI_BASE_URL: "http://192.0.2.1:9/v1" },
    terminal: {
      cols: 200,
      rows: 24,
      data: (terminal, chunk) => {
        screen += decoder.decode(chunk, { stream: true });
        if (answered || !screen.includes("[y/N]")) return;
        answered = true;
        terminal.write("n\n");
      },
    },
  });
  expect(await child.exited).toBe(1);
  child.terminal?.close();
  expect(screen).toContain("Send 4 pieces of what was said in sessions");
  expect(screen).toContain("nothing was sent to 192.0.2.1:9");
});
