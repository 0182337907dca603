import { expect, test } from "bun:test";
import { join } from "node:path";
import { cliHome, PALLIUM } from "../support/cli.ts";

const PRINTER = join(import.meta.dir, "../fixtures/cli/output.ts");
const MANY = 40_000_000;

/** Runs a shell command line in which `"$@"` is the command. */
async function shell(script: string, command: readonly string[]) {
  await using home = await cliHome();
  const child = Bun.spawn(["sh", "-c", script, "sh", ...command], {
    cwd: home.directory,
    env: home.env,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { stdout: stdout.trim(), stderr: stderr.trim(), exitCode: await child.exited };
}

function printer(size: number): readonly string[] {
  return [process.execPath, "--config=/dev/null", PRINTER, String(size)];
}

test.each([
  ["stdout", '"$@" 2>/dev/null | wc -c'],
  ["stderr", '"$@" 2>&1 >/dev/null | wc -c'],
])("tens of megabytes on %s reach a pipe whole", async (_, script) => {
  const { stdout } = await shell(script, printer(MANY));
  expect(Number(stdout)).toBe(MANY);
});

test("a reader that goes away early is no error", async () => {
  const { stdout, stderr } = await shell(
    '{ "$@"; echo "status $?" >&2; } | head -c 1',
    printer(MANY),
  );
  expect(stdout).toBe("o");
  expect(stderr).toEndWith("status 0");
});

test.if(process.platform === "linux")("a full disk is an error", async () => {
  const { stderr, exitCode } = await shell('"$@" >/dev/full', printer(10));
  expect({ stderr, exitCode }).toEqual({ stderr: "output_failed", exitCode: 1 });
});

test.each([
  ["version", '"$@" | head -c 1', "p"],
  ["help --json", '"$@" | head -c 1', "{"],
  ["help", '"$@" | head -c 1', "A"],
  ["version", '"$@" <&-', "pallium"],
  ["help", '"$@" <&-', "A local-first"],
  ["version", '"$@" >&-; echo "status $?"', "status 0"],
  ["version", '"$@" 2>&-', "pallium"],
])("pallium %s run as %s", async (words, script, start) => {
  const { stdout, stderr, exitCode } = await shell(script, [...PALLIUM, ...words.split(" ")]);
  expect(stdout).toStartWith(start);
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
});
