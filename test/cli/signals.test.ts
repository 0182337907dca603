import { expect, test } from "bun:test";
import { join } from "node:path";

const LISTENER = join(import.meta.dir, "../fixtures/cli/listener.ts");

/** Starts the listener and gives its lines of output one by one. */
function listener(command: readonly string[], ...args: readonly string[]) {
  const child = Bun.spawn([...command, process.execPath, "--config=/dev/null", LISTENER, ...args], {
    env: { PATH: process.env.PATH ?? "" },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
  });
  const lines = (async function* () {
    const decoder = new TextDecoder();
    let text = "";
    for await (const chunk of child.stdout) {
      text += decoder.decode(chunk, { stream: true });
      for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n")) {
        yield text.slice(0, end);
        text = text.slice(end + 1);
      }
    }
  })();
  const line = async () => (await lines.next()).value;
  return { child, line, [Symbol.asyncDispose]: () => child[Symbol.asyncDispose]() };
}

test("a listener hears of Ctrl-C and goes on, and of the second", async () => {
  await using started = listener([]);
  const { child, line } = started;
  expect(await line()).toBe("ready");
  child.kill("SIGINT");
  expect(await line()).toBe("pause");
  child.kill("SIGINT");
  expect(await line()).toBe("stop");
  expect(await child.exited).toBe(0);
});

test.each(["SIGTERM", "SIGHUP"] as const)("a listener hears of %s", async (signal) => {
  await using started = listener([]);
  const { child, line } = started;
  expect(await line()).toBe("ready");
  child.kill(signal);
  expect(await line()).toBe("stop");
  expect(await child.exited).toBe(0);
});

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)(
  "with nobody listening any more %s ends the process with %p",
  async (signal, status) => {
    await using started = listener([], "leave");
    const { child, line } = started;
    expect(await line()).toBe("ready");
    child.kill(signal);
    expect(await child.exited).toBe(status);
    expect(child.signalCode).toBe(signal);
  },
);

test.if(process.platform === "linux")(
  "what was started to ignore a hang-up goes on ignoring it",
  async () => {
    await using started = listener(["sh", "-c", 'trap "" HUP; exec "$@"', "sh"]);
    const { child, line } = started;
    expect(await line()).toBe("ready");
    const status = await Bun.file(`/proc/${child.pid}/status`).text();
    const ignored = Number.parseInt(/^SigIgn:\s*(\w+)$/m.exec(status)?.[1] ?? "", 16);
    expect(ignored & 1).toBe(1);
    child.kill("SIGTERM");
    expect(await line()).toBe("stop");
    expect(await child.exited).toBe(0);
  },
);
