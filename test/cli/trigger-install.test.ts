/** The watch of triggers as a service: what is written is what the real readers of it understand. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { chmod, mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { outputs } from "../../src/operations/schemas.ts";
import { changedCrontab, cronLine } from "../../src/workflow/triggers/install/cron.ts";
import { launchdPlist } from "../../src/workflow/triggers/install/launchd.ts";
import { systemdUnit } from "../../src/workflow/triggers/install/systemd.ts";
import type { WatchJob } from "../../src/workflow/triggers/install/watch-job.ts";
import type { TriggerService } from "../../src/workflow/triggers/types.ts";
import { type CliHome, cliHome, PALLIUM } from "../support/cli.ts";
import { errorOf } from "../support/workflow.ts";

const INSTALL = ["workflow", "trigger", "install"];
const ODD = `it's 100% "odd" $HOME \\n <&> é`;

let home: CliHome;
beforeEach(async () => {
  home = await cliHome();
});
afterEach(() => home[Symbol.asyncDispose]());

/** A job whose program prints what it was given, one a line. */
async function oddJob(folder = ODD): Promise<WatchJob> {
  const program = join(home.directory, folder, "pallium");
  await mkdir(dirname(program));
  await writeFile(program, `#!/bin/sh\nprintf '%s\\n' "$ODD" "$@" >"\${0%/*}/seen"\n`);
  await chmod(program, 0o755);
  return {
    argv: [program, ODD, "$$", "%h"],
    environment: { ODD },
    log: join(home.directory, ODD, "log"),
  };
}

async function seen(job: WatchJob): Promise<string[]> {
  const text = await readFile(join(dirname(job.argv[0] ?? ""), "seen"), "utf8");
  return text.trimEnd().split("\n");
}

async function json(flags: readonly string[], env = {}): Promise<TriggerService> {
  const { stdout, stderr } = await home.pallium([...INSTALL, ...flags, "--json"], { env });
  if (stdout === "") throw new Error(stderr);
  const service = JSON.parse(stdout);
  expect(outputs["workflow.trigger.install"].safeParse(service).error).toBeUndefined();
  return service;
}

/** A program on a PATH of its own, in front of the real one. */
async function onPath(name: string, script: string): Promise<Record<string, string>> {
  const folder = join(home.directory, "bin");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`);
  await chmod(join(folder, name), 0o755);
  return { PATH: `${folder}:/usr/bin:/bin` };
}

const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0;
const hasPython = spawnSync("python3", ["-c", "import plistlib"]).status === 0;

describe("paths with spaces, quotes, percent and dollar signs", () => {
  test("reach the program through the line of a crontab", async () => {
    const job = await oddJob();
    const line = cronLine(job);
    expect(line).toStartWith("* * * * * ");
    // What cron does: an escaped percent sign is one, any other would begin the input.
    const command = line.slice("* * * * * ".length);
    expect(command.replaceAll("\\%", "")).not.toContain("%");
    const { status } = spawnSync("/bin/sh", ["-c", command.replaceAll("\\%", "%")], { env: {} });
    expect(status).toBe(0);
    expect(await seen(job)).toEqual([ODD, ...job.argv.slice(1)]);
  });

  test.skipIf(!hasPython)("are what a parser reads from the plist", async () => {
    const job = await oddJob();
    const script =
      "import json,plistlib,sys; print(json.dumps(plistlib.loads(sys.stdin.buffer.read())))";
    const { stdout } = spawnSync("python3", ["-c", script], { input: launchdPlist(job) });
    expect(JSON.parse(stdout.toString())).toEqual({
      Label: "pallium.triggers",
      ProgramArguments: [...job.argv],
      EnvironmentVariables: { ODD },
      StandardErrorPath: job.log,
      RunAtLoad: true,
      KeepAlive: { SuccessfulExit: false },
      AbandonProcessGroup: true,
    });
  });

  test.skipIf(!hasSystemd)("are what systemd finds", async () => {
    const job = await oddJob();
    const verify = async (text: string) => {
      const path = join(home.directory, "pallium-triggers.service");
      await writeFile(path, text);
      const env = { ...process.env, HOME: home.directory, XDG_RUNTIME_DIR: home.directory };
      const { status, stderr } = spawnSync("systemd-analyze", ["verify", "--user", path], { env });
      return [status, stderr.toString()];
    };
    expect(await verify(systemdUnit(job))).toEqual([0, ""]);
    const direct = await oddJob("100% odd $HOME é");
    expect(await verify(systemdUnit(direct))).toEqual([0, ""]);
    const missing = `${direct.argv[0]}x`;
    const [status, complaint] = await verify(systemdUnit({ ...direct, argv: [missing] }));
    expect(status).not.toBe(0);
    expect(complaint).toContain(missing);
  });

  test("of arguments are escaped as systemd has it", async () => {
    const unit = systemdUnit(await oddJob());
    const escaped = `it's 100%% \\"odd\\" $$HOME \\\\n <&> é`;
    expect(unit).toContain(`ExecStart="/bin/sh" "-c" "exec \\"$$@\\"" "sh" "`);
    expect(unit).toContain(` "${escaped}" "$$$$" "%%h"\n`);
    expect(unit).toContain(`Environment="ODD=${escaped.replace("$$", "$")}"\n`);
  });
});

describe("install", () => {
  test("prints and writes nothing with --print", async () => {
    const service = await json([
      "--as",
      "systemd",
      "--print",
      "--db",
      "my store.sqlite",
      "--interval",
      "5m",
    ]);
    expect(service).toMatchObject({ as: "systemd", state: "printed", to_do: [] });
    expect(service.content).toContain(`ExecStart="${PALLIUM[0]}"`);
    expect(service.content).toContain(
      `"watch" "--kind" "all" "--interval" "5m" "--db" "${home.directory}/my store.sqlite"`,
    );
    expect(service.content).toContain(`Environment="HOME=${home.directory}"`);
    expect(service.content).toContain("KillMode=process\nSuccessExitStatus=143\n");
    expect(await stat(service.path ?? "").catch(() => "none")).toBe("none");
    const text = await home.pallium([...INSTALL, "--as", "launchd", "--print"]);
    expect(text.stdout).toStartWith("<?xml");
  });

  test("writes a unit, starts it, and takes it out again", async () => {
    const env = await onPath("systemctl", `echo "$*" >>"$HOME/calls"`);
    const service = await json([], env);
    expect(service).toMatchObject({ as: "systemd", state: "installed", to_do: [] });
    const path = join(home.directory, ".config/systemd/user/pallium-triggers.service");
    expect(service.path).toBe(path);
    expect(await readFile(path, "utf8")).toBe(service.content);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await json([], env)).state).toBe("installed");
    expect((await json(["--uninstall"], env)).state).toBe("uninstalled");
    expect((await json(["--uninstall"], env)).state).toBe("absent");
    const unit = "pallium-triggers.service";
    const start = ["--user daemon-reload", `--user enable ${unit}`, `--user restart ${unit}`];
    expect((await readFile(join(home.directory, "calls"), "utf8")).trim().split("\n")).toEqual([
      ...start,
      ...start,
      `--user disable --now ${unit}`,
      "--user daemon-reload",
    ]);
  });

  test("leaves to the user what its manager refused", async () => {
    const env = await onPath("systemctl", "echo no bus >&2; exit 1");
    const service = await json(["--as", "systemd"], env);
    expect(service.state).toBe("installed");
    expect(service.to_do[0]).toBe("systemctl --user daemon-reload");
    const { stdout, stderr } = await home.pallium([...INSTALL], { env });
    expect(stdout).toContain("To do, since it failed:\n  systemctl --user daemon-reload\n");
    expect(stderr).toContain("systemctl --user daemon-reload failed: no bus");
  });

  test("keeps the other lines of a crontab", async () => {
    const env = await onPath(
      "crontab",
      `[ "$1" = - ] && exec cat >"$HOME/tab"; cat "$HOME/tab" 2>/dev/null || { echo "no crontab for me" >&2; exit 1; }`,
    );
    const tab = () => readFile(join(home.directory, "tab"), "utf8");
    const first = await json(["--as", "cron"], env);
    expect(first.content).toContain("watch --kind all --once --background");
    expect(await tab()).toBe(first.content);
    const own = "MAILTO=me\n# pallium triggers\n5 * * * * echo hi\n";
    await writeFile(join(home.directory, "tab"), `${own}${await tab()}`);
    await json(["--as", "cron", "--kind", "cron"], env);
    expect(
      (await tab()).split("\n").filter((line) => line.endsWith("# pallium triggers")),
    ).toHaveLength(2);
    expect(await tab()).toContain("--kind cron");
    expect((await json(["--as", "cron", "--uninstall"], env)).state).toBe("uninstalled");
    expect(await tab()).toBe(own);
    expect((await json(["--as", "cron", "--uninstall"], env)).state).toBe("absent");
  });

  test("never empties a crontab that it could not read", async () => {
    const env = await onPath(
      "crontab",
      `[ "$1" = - ] && touch "$HOME/written"; echo broken >&2; exit 1`,
    );
    const { stderr } = await home.pallium([...INSTALL, "--as", "cron", "--json"], { env });
    expect(errorOf(stderr)).toMatchObject({
      code: "trigger_install",
      message: "crontab failed: broken",
    });
    expect(await stat(join(home.directory, "written")).catch(() => "none")).toBe("none");
  });

  test("refuses what makes no sense", async () => {
    const code = async (...flags: string[]) =>
      errorOf((await home.pallium([...INSTALL, ...flags, "--json"])).stderr).code;
    expect(await code("--print", "--uninstall")).toBe("usage");
    expect(await code("--as", "cron", "--interval", "5m")).toBe("usage");
    expect(await code("--interval", "soon")).toBe("usage");
    expect(await code("--as", "cron", "--print", "--db", "a\nb")).toBe("trigger_install");
  });

  test("a line that cron would cut is refused", () => {
    const job = { argv: ["/p"], environment: { PATH: "/x".repeat(600) }, log: "/l" };
    expect(() => cronLine(job)).toThrow("too long for a crontab");
    expect(changedCrontab("a", undefined)).toBe("a\n");
  });

  test("what it installs runs the watch", async () => {
    const { content } = await json(["--as", "cron", "--print"]);
    await home.pallium(["workflow", "run", "--id", "a", "--script", await script()]);
    const command = content.trim().slice("* * * * * ".length).replaceAll("\\%", "%");
    const { status, stdout } = spawnSync("/bin/sh", ["-c", command], { env: {} });
    expect([status, stdout.toString()]).toEqual([0, ""]);
    const log = await readFile(join(home.directory, ".pallium/trigger-watch.log"), "utf8");
    expect(log).not.toContain("error");
  });
});

async function script(): Promise<string> {
  const path = join(home.directory, "s.js");
  await writeFile(path, "return 1;");
  return path;
}
