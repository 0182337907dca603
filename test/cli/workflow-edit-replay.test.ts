/** What a run whose script changed pays for again, and what it does not. */
import { expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Snapshot } from "../../src/workflow/run/types.ts";
import { type EditHome, editHome } from "../support/edit-runs.ts";

/** Each editor makes a file of its own. */
const EDITOR = `echo "$PALLIUM_WORKFLOW_LABEL" >> "$HOME/ledger"; echo made > "$PALLIUM_WORKFLOW_LABEL"; echo ok`;
const SIX = `await parallel(["a", "b", "c", "d", "e", "f"], (name) =>
    agent("make " + name, { label: name, mode: "edit", provider: "p" }));`;

const ledger = async ({ home }: EditHome) =>
  (await readFile(join(home.directory, "ledger"), "utf8")).trim().split("\n").sort();

test("edits that began beside each other are not paid for again when a call is added behind them", async () => {
  await using edits = await editHome();
  // One after the other, so that each sees those before it.
  const flags = ["--max-concurrent-agents", "1"];
  const first = await edits.script(SIX, { p: EDITOR }, { flags });
  expect(first.exitCode).toBe(0);
  const more = `${SIX} await agent("more", { label: "more", mode: "edit", provider: "p" });`;
  const second = await edits.script(more, { p: EDITOR }, { flags });
  expect(second.exitCode).toBe(0);
  expect(await ledger(edits)).toEqual(["a", "b", "c", "d", "e", "f", "more"]);
  expect(await edits.read("f")).toBe("made\n");
});

/** The first of two fails once, and sees the other when it is made again. */
const FIRST_FAILS = `if [ "$PALLIUM_WORKFLOW_LABEL" = a ] && [ ! -e "$HOME/failed" ]; then
    touch "$HOME/failed"; echo a >> "$HOME/ledger"; exit 1; fi; ${EDITOR}`;
const PAIR = `await parallel(["a", "b"], (name) =>
    agent("make " + name, { label: name, mode: "edit", provider: "p" }));`;

test("nor is one that saw an edit which the script makes behind it", async () => {
  await using edits = await editHome();
  await edits.script(PAIR, { p: FIRST_FAILS });
  expect((await edits.script(PAIR, { p: FIRST_FAILS })).exitCode).toBe(0);
  expect(await ledger(edits)).toEqual(["a", "a", "b"]);
  const more = `${PAIR} await agent("more", { label: "more", mode: "edit", provider: "p" });`;
  expect((await edits.script(more, { p: FIRST_FAILS })).exitCode).toBe(0);
  expect(await ledger(edits)).toEqual(["a", "a", "b", "more"]);
});

test("one whose worker saw an edit that is no longer made is made again, also inside a workflow", async () => {
  await using edits = await editHome();
  const nested = join(edits.repo.path, ".pallium/workflows/inner.js");
  await Bun.write(nested, PAIR.replace('"p"', '"p", phase: "in"'));
  const source = `await workflow("inner"); return await agent("end", { label: "end", mode: "edit", provider: "p" });`;
  await edits.script(source, { p: FIRST_FAILS });
  expect((await edits.script(source, { p: FIRST_FAILS })).exitCode).toBe(0);
  const before = ["a", "a", "b", "end"];
  expect(await ledger(edits)).toEqual(before);
  await Bun.write(nested, PAIR.replace(', "b"', "").replace('"p"', '"p", phase: "in"'));
  expect((await edits.script(`${source} // changed`, { p: FIRST_FAILS })).exitCode).toBe(0);
  expect(await ledger(edits)).toEqual([...before, "a", "end"].sort());
  expect(await edits.read("b")).toBeUndefined();
});

test("one whose edit does not go together with what is made otherwise now is made again", async () => {
  await using edits = await editHome();
  const source = `await agent("x", { label: "x", mode: "edit", provider: "p", schema: { type: "object" } }).catch(() => {});
    await agent("y", { label: "y", mode: "edit", provider: "p" });
    return await agent("z", { label: "z", provider: "p" });`;
  const worker = `echo "$PALLIUM_WORKFLOW_LABEL" >> "$HOME/ledger"
    case "$PALLIUM_WORKFLOW_LABEL" in
      x) echo "$TRY" > f; echo "$ANSWER";;
      y) echo y >> f; echo ok;;
      z) cat f; [ "$TRY" = second ];;
    esac`;
  const first = { TRY: "first", ANSWER: "no object" };
  expect((await edits.script(source, { p: worker }, { env: first })).exitCode).toBe(1);
  const second = { TRY: "second", ANSWER: "{}" };
  const { result, stderr } = await edits.script(source, { p: worker }, { env: second });
  expect(result).toBe("second\ny");
  expect(stderr).toContain("y is asked again: its edit does not go together with others in: f");
  expect(await ledger(edits)).toEqual(["x", "x", "y", "y", "z", "z"]);
  expect(await edits.read("f")).toBe("second\ny\n");
});

test("what an earlier execution applied goes where the script makes no edit any more", async () => {
  await using edits = await editHome();
  await edits.script(PAIR, { p: EDITOR });
  expect(await edits.status()).toBe("?? a\n?? b");
  const { exitCode, stderr } = await edits.script("return 1;");
  expect(exitCode).toBe(0);
  expect(await edits.status()).toBe("");
  expect(stderr).toContain("2 edits of an earlier execution taken back");
  const { agents } = await edits.json<Snapshot>("workflow", "inspect", "wf-test");
  expect(agents.map(({ apply_state }) => apply_state)).toEqual(["reverted", "reverted"]);
});
