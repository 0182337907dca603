/** What an interruption leaves running: nothing, also of commands of git that ran beside the first that ended. */
import { expect, test } from "bun:test";
import { chmod } from "node:fs/promises";
import { createGit, type Git } from "../../../src/platform/git/runner.ts";
import { interruptible } from "../../../src/repo/interruptible.ts";
import { fileAppears } from "../../support/files.ts";
import { runningFrom } from "../../support/leftovers.ts";
import { tempDir } from "../../support/temp.ts";

/** Commands: `quick` ends when it is told to, `slow` some time later. */
const GIT = `#!/bin/sh
case " $* " in
*" quick "*) : >quick; exec sleep 60;;
esac
trap 'sleep 0.4; exit 1' TERM
echo said
: >slow
while :; do sleep 0.05; done
`;

const USES: Readonly<Record<string, (git: Git, cwd: string) => Promise<unknown>>> = {
  "is captured": (git, cwd) => git.run(["slow"], { cwd }),
  "is read, by somebody who is busy": async (git, cwd) => {
    for await (const _chunk of git.stream(["slow"], { cwd })) await new Promise(() => {});
  },
};

test.each(Object.entries(USES))("no git is left that %s", async (_name, use) => {
  await using dir = await tempDir();
  await Bun.write(dir.join("git"), GIT);
  await chmod(dir.join("git"), 0o755);
  const git = createGit({ PATH: `${dir.path}:${process.env.PATH}`, HOME: dir.path });
  let interrupt = (): void => {};
  const onInterrupt = (listener: (asked: "pause" | "stop") => void) => {
    interrupt = () => listener("pause");
    return () => {};
  };
  const work = interruptible({ git }, { onInterrupt }, "again", (powers) =>
    Promise.all([powers.git.run(["quick"], { cwd: dir.path }), use(powers.git, dir.path)]),
  );
  const failed = work.catch((error: unknown) => error);
  await fileAppears(dir.join("quick"));
  await fileAppears(dir.join("slow"));
  expect(runningFrom(dir.path).length).toBeGreaterThan(1);
  interrupt();
  expect(await failed).toMatchObject({ code: "interrupted", exitCode: 130 });
  expect(runningFrom(dir.path)).toEqual([]);
});
