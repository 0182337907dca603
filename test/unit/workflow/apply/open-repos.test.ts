/** What becomes of a run's edits while another process does something about them too. */
import { expect, test } from "bun:test";
import { applyEdits } from "../../../../src/workflow/apply/apply-edits.ts";
import type { EditContext } from "../../../../src/workflow/apply/edit-repos.ts";
import { readRepoRecords } from "../../../../src/workflow/apply/records.ts";
import { revertEdits } from "../../../../src/workflow/apply/revert-edits.ts";
import { editContext } from "../../../support/edit-context.ts";
import { type EditHome, editHome } from "../../../support/edit-runs.ts";

const SOURCE = `return await agent("x", { mode: "edit", provider: "p" });`;

/** Does `work`, another process running `command` right before the repository is held for it. */
async function whileOther<T>(
  edits: EditHome,
  command: "apply" | "revert",
  work: (context: EditContext) => Promise<T>,
): Promise<readonly [result: T, applied: readonly number[]]> {
  await using context = await editContext(edits, () => edits.json("workflow", command, "wf-test"));
  const result = await work(context);
  const records = readRepoRecords(context.database, "wf-test");
  return [result, records.map(({ applications }) => applications.length)];
}

test("what another process reverted meanwhile is not reverted again", async () => {
  await using edits = await editHome();
  await edits.script(SOURCE, { p: "echo four >> a.txt; echo ok" });
  expect(await whileOther(edits, "revert", revertEdits)).toEqual([[], [0]]);
  expect(await edits.status()).toBe("");
});

test("what another process applied meanwhile is not applied again", async () => {
  await using edits = await editHome();
  await edits.script(SOURCE, { p: "echo four >> a.txt; echo ok" });
  await edits.json("workflow", "revert", "wf-test");
  const apply = (context: EditContext) => applyEdits(context, true);
  expect(await whileOther(edits, "apply", apply)).toEqual([[], [1]]);
  expect(await edits.status()).toBe(" M a.txt");
});
