/** How many agents of each provider are at work at once. */
import { describe, expect, test } from "bun:test";
import { errorOf, provider, workflowHome } from "../support/workflow.ts";

describe("slots per provider", () => {
  test("bound each on its own, and hold up no other", async () => {
    await using home = await workflowHome();
    const env = {
      ...provider(
        "p",
        `mkdir "$HOME/p" || { echo overlap; exit 0; }
         while [ ! -e "$HOME/q" ]; do sleep 0.02; done; rmdir "$HOME/p"; echo alone`,
      ),
      ...provider("q", `touch "$HOME/q"; echo q`),
    };
    const { result } = await home.script(
      `return await Promise.all([..."pppq"].map((provider, n) => agent("x" + n, { provider })));`,
      { env, flags: ["--provider-concurrency", "p=1", "--max-concurrent-agents", "2"] },
    );
    expect(result).toEqual(["alone", "alone", "alone", "q"]);
  });

  test.each([
    ["--provider-concurrency", "codex=0"],
    ["--max-tokens", "-1"],
    ["--retries", "-1"],
  ])("%s %s is refused", async (flag, value) => {
    await using home = await workflowHome();
    const { exitCode, stderr } = await home.script("return 1;", { flags: [`${flag}=${value}`] });
    expect(exitCode).toBe(2);
    expect(errorOf(stderr).code).toBe("usage");
  });
});
