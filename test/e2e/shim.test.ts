/** The `pallium` command of the npm package: it starts the executable and is it, to whoever looks. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmod, cp, symlink } from "node:fs/promises";
import { resolve } from "node:path";
import { writeTree } from "../support/build.ts";
import { type TempDir, tempDir } from "../support/temp.ts";

const ROOT = resolve(import.meta.dir, "../..");

const CTRL_C = "\x03";

/** A program that says where it is, which variables of Bun it sees, and ends as its argument says. */
const EXECUTABLE = `#!/bin/sh
case "$1" in
  tell) printf '%s|%s|%s|%s' "$PWD" "$BUN_OPTIONS$BUN_BE_BUN" "$2" "$(cat)"; exit 7 ;;
  die) kill "-$2" $$ ;;
  count)
    trap 'n=x$n; echo caught' INT
    trap 'echo "counted $n"; exit 0' TERM
    echo ready; while :; do read -r line; done ;;
  wait) trap 'printf caught >&2; exit 9' TERM; echo ready; read -r line; exit 1 ;;
esac
`;

let dir: TempDir;

beforeEach(async () => {
  dir = await tempDir();
  await cp(resolve(ROOT, "scripts"), dir.join("an app", "scripts"), { recursive: true });
});

afterEach(() => dir[Symbol.asyncDispose]());

async function writeExecutable(path: string): Promise<void> {
  await writeTree(dir.path, { [path]: EXECUTABLE });
  await chmod(dir.join(path), 0o755);
}

function start(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  return Bun.spawn(["node", dir.join("an app/scripts/pallium.mjs"), ...args], {
    cwd: dir.path,
    env: { PATH: process.env.PATH ?? "", ...env },
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
  });
}

test("passes on arguments, directory, input and exit status, and no variables of Bun", async () => {
  await writeExecutable("an app/dist/pallium");
  const child = start(["tell", "a b"], { BUN_OPTIONS: "--preload=x", BUN_BE_BUN: "1" });
  child.stdin.write("from stdin");
  child.stdin.end();
  expect(await child.stdout.text()).toBe(`${dir.path}||a b|from stdin`);
  expect(await child.exited).toBe(7);
});

test("dies of the signal that the program died of", async () => {
  await writeExecutable("an app/dist/pallium");
  const child = start(["die", "KILL"]);
  await child.exited;
  expect(child.signalCode).toBe("SIGKILL");
});

test("ends as a shell tells it where Node.js does not die of the program's signal", async () => {
  await writeExecutable("an app/dist/pallium");
  const child = start(["die", "PIPE"]);
  expect(await child.exited).toBe(141);
  expect(await child.stderr.text()).toBe("");
});

test("passes on signals and waits for what the program makes of them", async () => {
  await writeExecutable("an app/dist/pallium");
  const child = start(["wait"]);
  const reader = child.stdout.getReader();
  expect(new TextDecoder().decode((await reader.read()).value)).toBe("ready\n");
  child.kill("SIGTERM");
  expect(await child.stderr.text()).toBe("caught");
  expect(await child.exited).toBe(9);
});

test("leaves Ctrl-C to the terminal, which tells the program too", async () => {
  await writeExecutable("an app/dist/pallium");
  const counted = Promise.withResolvers<void>();
  // SIGTERM takes the way over the shim, behind a Ctrl-C that it would have passed on.
  const steps: { sign: string; act: (terminal: Bun.Terminal) => void }[] = [
    { sign: "ready", act: (terminal) => terminal.write(CTRL_C) },
    { sign: "caught", act: () => child.kill("SIGTERM") },
  ];
  let screen = "";
  const child = Bun.spawn(["node", dir.join("an app/scripts/pallium.mjs"), "count"], {
    cwd: dir.path,
    env: { PATH: process.env.PATH ?? "" },
    terminal: {
      data: (terminal, bytes) => {
        screen += new TextDecoder().decode(bytes);
        if (steps[0] !== undefined && screen.includes(steps[0].sign)) steps.shift()?.act(terminal);
        if (/counted \w*\r\n/.test(screen)) counted.resolve();
      },
    },
  });
  await Promise.all([child.exited, counted.promise]);
  child.terminal?.close();
  expect(screen).toContain("counted x\r\n");
  expect(child.exitCode).toBe(0);
});

test("finds the platform's package where nothing was built", async () => {
  const name = `pallium-${process.platform}-${process.arch}`;
  await writeTree(dir.path, { [`an app/node_modules/${name}/package.json`]: "{}" });
  await writeExecutable(`an app/node_modules/${name}/bin/pallium`);
  const child = start(["tell", "packaged"]);
  child.stdin.end();
  expect(await child.stdout.text()).toContain("|packaged|");
});

test("runs the source where there is no executable, and nothing of the directory it is started in", async () => {
  await Promise.all(
    ["node_modules", "src", "package.json"].map((name) =>
      symlink(resolve(ROOT, name), dir.join("an app", name)),
    ),
  );
  await writeTree(dir.path, {
    "bunfig.toml": 'preload = ["./preload.ts"]\n',
    "preload.ts": 'console.log("planted");\n',
  });
  const child = start(["version"]);
  expect(await child.stdout.text()).toMatch(/^pallium \d/);
  expect(await child.exited).toBe(0);
});

test("says what to do where there is nothing to run", async () => {
  const child = start(["version"]);
  expect(await child.exited).toBe(1);
  expect(await child.stderr.text()).toMatch(/no pallium executable for .*\n {2}hint: from npm/);
});
