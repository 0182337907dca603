import { expect, test } from "bun:test";
import { join } from "node:path";
import { cliHome } from "../support/cli.ts";

const FIXTURE = join(import.meta.dir, "../fixtures/cli/environment.ts");

test("the surroundings are read as they are, while dates of this process become UTC", async () => {
  await using home = await cliHome();
  const child = Bun.spawn(
    [process.execPath, "--config=/dev/null", "--no-env-file", FIXTURE, "a", "--b"],
    {
      cwd: home.directory,
      env: { HOME: home.directory, TZ: "America/New_York", EMPTY: "" },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    },
  );
  expect(JSON.parse(await child.stdout.text())).toEqual({
    argv: ["a", "--b"],
    variables: { HOME: home.directory, TZ: "America/New_York", EMPTY: "" },
    cwd: home.directory,
    home: home.directory,
    stdoutIsTerminal: false,
    stderrIsTerminal: false,
    self: [process.execPath, "--config=/dev/null", "--no-env-file", FIXTURE],
    hour: 0,
  });
  expect(await child.exited).toBe(0);
});
