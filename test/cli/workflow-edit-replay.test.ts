/** What a run whose script changed pays for again, and what it does not. */
import { expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
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
