/** The runner can no longer see whether somebody asks it to end. */
import { expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Snapshot } from "../../src/workflow/run/types.ts";
import { testProgram } from "../support/built-program.ts";
import { errorOf, provider, workflowHome } from "../support/workflow.ts";

test("a look that fails ends the run with a true row once its agents have finished", async () => {
  await using home = await workflowHome();
  const script = join(home.directory, "script.js");
  await writeFile(script, `await agent("one"); await agent("two"); return "unreached";`);
  const command = `touch "$HOME/blind"; until [ -e "$HOME/go" ]; do sleep 0.02; done; echo done`;
  const fault = JSON.stringify({ since: join(home.directory, "blind"), fault: "blind" });
  const args = ["workflow", "run", "--id", "wf", "--script", script, "--json"];
  await using runner = Bun.spawn([...testProgram("faulty-runner", fault), ...args], {
    cwd: home.directory,
    env: { ...home.env, PALLIUM_WORKFLOW_PROVIDER: "p", ...provider("p", command) },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  let stderr = "";
  for await (const chunk of runner.stderr.pipeThrough(new TextDecoderStream())) {
    stderr += chunk;
    if (stderr.includes("finish first")) await writeFile(join(home.directory, "go"), "");
  }
  expect(await runner.exited).toBe(1);
  expect(errorOf(stderr)).toMatchObject({ code: "io_failed", message: "cannot look" });
  const { run, agents } = await home.json<Snapshot>(["workflow", "show", "wf"]);
  expect(run).toMatchObject({
    status: "completed_with_failures",
    error: "cannot look",
    error_code: "io_failed",
  });
  expect(agents).toMatchObject([{ status: "completed", output: "done" }]);
});
