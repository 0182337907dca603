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

type Order = "messages-first" | "messages-last";

/** A printer of `size` bytes on each stream, which makes the file `started` when it is at it. */
function printer(size: number, order: Order): readonly string[] {
  return [process.execPath, "--config=/dev/null", PRINTER, String(size), order, "started"];
}

const READ_LATE = "{ until [ -e started ]; do :; done; wc -c; }";

test.each([
  ["stdout", "messages-last", `"$@" 2>/dev/null | ${READ_LATE}`],
  ["stderr", "messages-last", `"$@" 2>&1 >/dev/null | ${READ_LATE}`],
  ["stderr", "messages-first", `"$@" 2>&1 >/dev/null | ${READ_LATE}`],
] as const)("tens of megabytes on %s, %s, reach a late reader whole", async (_, order, script) => {
  const { stdout } = await shell(script, printer(MANY, order));
  expect(Number(stdout)).toBe(MANY);
});

test("data comes after the messages before it when both go the same way", async () => {
  const { stdout } = await shell('"$@" 2>&1 | cat', printer(1_000_000, "messages-first"));
  expect(
    /^(e+)(o+)$/
      .exec(stdout)
      ?.slice(1)
      .map((part) => part.length),
  ).toEqual([1_000_000, 1_000_000]);
});

test("a reader that goes away early is no error", async () => {
  const script = '{ "$@" 2>/dev/null; echo "status $?" >&2; } | head -c 1';
  const { stdout, stderr } = await shell(script, printer(MANY, "messages-last"));
  expect({ stdout, stderr }).toEqual({ stdout: "o", stderr: "status 0" });
});

test.if(process.platform === "linux")("a full disk is an error", async () => {
  const { stderr, exitCode } = await shell('"$@" >/dev/full', printer(10, "messages-first"));
  expect({ stderr, exitCode }).toEqual({ stderr: "eeeeeeeeeeoutput_failed", exitCode: 1 });
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
