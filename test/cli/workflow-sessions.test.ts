/** Fixes of one loop go on with one conversation, with whoever they have it. */
import { describe, expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { type EditHome, editHome } from "../support/edit-runs.ts";
import { shellProgram } from "../support/provider-fixtures.ts";
import { provider } from "../support/workflow.ts";

const LOOP = `return await verify.untilGreen("make -s check", { effort: "deep" });`;
/** It takes two fixes until the check passes. */
const FILES = {
  "note.txt": "hello\n",
  Makefile: "check:\n\tcat note.txt; grep -q done note.txt\n",
};
const STEP = "if grep -q hello note.txt; then echo half > note.txt; else echo done > note.txt; fi";
const ANSWER = `echo '{"summary":"mended"}'`;
/** Notes what it was told, and names its conversation after the first one it had. */
const FIXER = [
  'echo "$PALLIUM_WORKFLOW_LABEL $PALLIUM_WORKFLOW_EFFORT [$PALLIUM_WORKFLOW_SESSION]" >> "$HOME/told"',
  'test -n "$PALLIUM_WORKFLOW_SESSION" || PALLIUM_WORKFLOW_SESSION=room-1',
  'echo "{\\"session\\":\\"$PALLIUM_WORKFLOW_SESSION\\"}" > "$PALLIUM_WORKFLOW_USAGE_FILE"',
  STEP,
  ANSWER,
].join("; ");

async function told({ home }: EditHome): Promise<string[]> {
  return (await readFile(`${home.directory}/told`, "utf8")).trimEnd().split("\n");
}

describe("a command that fixes until green", () => {
  test("is told how hard to think, and which conversation it had", async () => {
    await using edits = await editHome(FILES);
    const env = { PALLIUM_WORKFLOW_PROVIDER: "fixer" };
    const { result } = await edits.script(LOOP, { fixer: FIXER }, { env });
    expect(result).toMatchObject({ ok: true, verdict: "green" });
    expect(await told(edits)).toEqual([
      "until-green-fix-1 deep []",
      "until-green-fix-2 deep [room-1]",
    ]);
  });

  test("goes on with it after a resume", async () => {
    await using edits = await editHome(FILES);
    const once = `if grep -q half note.txt && ! test -e "$HOME/again"; then touch "$HOME/again"; exit 3; fi; ${FIXER}`;
    const env = { PALLIUM_WORKFLOW_PROVIDER: "fixer" };
    const first = await edits.script(LOOP, { fixer: once }, { env });
    expect(first.exitCode).toBe(1);
    const resumed = await edits.home.pallium(["workflow", "resume", "wf-test", "--json"], {
      cwd: edits.repo.path,
      env: { ...env, ...provider("fixer", once) },
    });
    expect(resumed.exitCode).toBe(0);
    expect(await told(edits)).toEqual([
      "until-green-fix-1 deep []",
      "until-green-fix-2 deep [room-1]",
    ]);
    expect(await edits.read("note.txt")).toBe("done\n");
  });
});

test("a conversation with one provider is not handed to another", async () => {
  await using edits = await editHome(FILES);
  shellProgram(
    `${edits.home.directory}/claude`,
    'echo "$@" >> "$HOME/argv"; cat > /dev/null',
    STEP,
    `echo '{"type":"result","result":"{\\"summary\\":\\"mended\\"}","session_id":"c-1"}'`,
  );
  const first = `if test -e "$HOME/spent"; then echo "usage limit reached" >&2; exit 1; fi; touch "$HOME/spent"; ${FIXER}`;
  const env = {
    PATH: `${edits.home.directory}:${process.env.PATH}`,
    PALLIUM_WORKFLOW_FALLBACK: "fixer,claude",
    PALLIUM_WORKFLOW_PROVIDER: "fixer",
  };
  const { result } = await edits.script(LOOP, { fixer: first }, { env });
  expect(result).toMatchObject({ ok: true });
  const argv = await readFile(`${edits.home.directory}/argv`, "utf8");
  expect(argv).toContain("--effort=deep");
  expect(argv).not.toContain("--resume");
});
