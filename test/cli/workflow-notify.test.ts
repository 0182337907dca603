/** A command of the user's is told of ends and of gates. */
import { describe, expect, test } from "bun:test";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startBackground } from "../support/background.ts";
import { fileAppears } from "../support/files.ts";
import { workflowHome } from "../support/workflow.ts";

const NOTE =
  'cat > "$HOME/told.new"; echo "$PALLIUM_EVENT $PALLIUM_RUN_ID $PALLIUM_RUN_STATUS$PALLIUM_GATE" >> "$HOME/told.new"; mv "$HOME/told.new" "$HOME/told-$PALLIUM_EVENT"';

describe("the notification", () => {
  test("tells of the end of a run, once it is on record, and of that of its resume", async () => {
    await using home = await workflowHome();
    const told = async () =>
      (await readFile(join(home.directory, "told-ended"), "utf8")).split("\n");
    await home.script("return 1;", { flags: ["--notify", NOTE] });
    const [document = "", line] = await told();
    expect(JSON.parse(document)).toMatchObject({
      event: "ended",
      run: { id: "wf-test", status: "completed", result: "1" },
    });
    expect(line).toBe("ended wf-test completed");
    await Bun.file(join(home.directory, "told-ended")).delete();
    await home.pallium(["workflow", "resume", "wf-test"]);
    expect((await told())[1]).toBe("ended wf-test completed");
    await Bun.file(join(home.directory, "told-ended")).delete();
    await home.pallium(["workflow", "resume", "wf-test", "--notify", ""]);
    expect(await Bun.file(join(home.directory, "told-ended")).exists()).toBe(false);
  });

  test("tells of a gate that waits for a person", async () => {
    await using home = await workflowHome();
    await using run = await startBackground(
      home,
      `return await gate("release", "may it?", { manual: true });`,
      { env: { PALLIUM_WORKFLOW_NOTIFY: NOTE } },
    );
    await fileAppears(join(home.directory, "told-gate"));
    expect(await readFile(join(home.directory, "told-gate"), "utf8")).toBe(
      `{"event":"gate","run":{"id":"wf-test","task":"Run workflow script ${home.directory}/wf-test.js"},"gate":"release","message":"may it?"}\ngate wf-test release\n`,
    );
    await home.pallium(["workflow", "gate", "approve", "wf-test"]);
    expect((await run.ended()).run.status).toBe("completed");
    await fileAppears(join(home.directory, "told-ended"));
  });

  test("may be a setting, a program with arguments", async () => {
    await using home = await workflowHome();
    await mkdir(join(home.directory, ".pallium"));
    const file = join(home.directory, ".pallium", "config.json");
    await writeFile(file, JSON.stringify({ notify: ["touch", "told by a setting"] }));
    await home.script("return 1;");
    expect(await Bun.file(join(home.directory, "told by a setting")).exists()).toBe(true);
  });

  test("that fails is a warning and changes nothing about the run", async () => {
    await using home = await workflowHome();
    const run = await home.script("return 1;", { flags: ["--notify", "echo oops >&2; exit 3"] });
    expect([run.exitCode, run.snapshot.run.status]).toEqual([0, "completed"]);
    expect(run.stderr).toContain("warning: the notification failed with 3: oops");
  });
});
