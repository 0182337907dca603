/**
 * A program that runs the script in its first argument and prints how it ended, as JSON. For what
 * cannot be seen from inside the test runner: compiled programs, and rejections in a worker, which
 * the runner takes for failures of the test.
 */
import { tryScript } from "./script-host.ts";

const { outcome } = await tryScript(process.argv[2] ?? "", {
  answer: ({ args: [prompt] }) => {
    if (prompt === "failing") throw new Error("it failed");
    return prompt ?? null;
  },
});
process.stdout.write(`${JSON.stringify(outcome)}\n`);
