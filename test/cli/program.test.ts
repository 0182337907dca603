import { describe, expect, test } from "bun:test";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { cliHome, FROM_SOURCE, pallium } from "../support/cli.ts";

describe("version", () => {
  test.each([["version"], ["--version"], ["-V"]])("pallium %s", async (word) => {
    expect(await pallium([word])).toEqual({
      stdout: `pallium ${manifest.version}\n`,
      stderr: "",
      exitCode: 0,
    });
  });

  test("is the same data through the fast path and through the command", async () => {
    const options = { program: FROM_SOURCE };
    const fast = await pallium(["version", "--json"], options);
    const slow = await pallium(["version", "--json", "--quiet"], options);
    expect(slow).toEqual(fast);
    expect(JSON.parse(fast.stdout)).toEqual({
      module: "pallium",
      version: manifest.version,
      bun: Bun.version,
      platform: `${process.platform}-${process.arch}`,
      executable: expect.stringMatching(/^\/.*src\/main\.ts$/),
    });
  });
});

describe("help", () => {
  test("is shown by pallium alone, on stdout", async () => {
    const alone = await pallium([]);
    expect(alone).toEqual(await pallium(["help"]));
    expect(alone).toMatchObject({ stderr: "", exitCode: 0 });
    expect(alone.stdout).toContain("pallium <command> [flags]");
  });

  test("lists the commands of workflow however it is asked for", async () => {
    const { stdout, exitCode } = await pallium(["workflow"]);
    expect(exitCode).toBe(0);
    for (const verb of [
      "run",
      "resume",
      "stop",
      "list, ls",
      "status",
      "show",
      "tools",
      "validate",
    ]) {
      expect(stdout).toContain(`  ${verb} `);
    }
    expect((await pallium(["workflow", "--help"])).stdout).toBe(stdout);
    expect((await pallium(["help", "workflow"])).stdout).toBe(stdout);
  });

  test("names what it cannot find", async () => {
    const { stderr, exitCode } = await pallium(["help", "workflow", "rn"]);
    expect(stderr).toStartWith("error: unknown command: workflow rn\n\nhint: did you mean run?\n");
    expect(exitCode).toBe(2);
  });
});

describe("mistakes", () => {
  test("in the command's name", async () => {
    const { stdout, stderr, exitCode } = await pallium(["wrkflow"]);
    expect(stdout).toContain("pallium <command>");
    expect(stderr).toStartWith("error: unknown command: wrkflow\n\nhint: did you mean workflow?\n");
    expect(exitCode).toBe(2);
  });

  test("in a sub-command's name", async () => {
    const { stdout, stderr, exitCode } = await pallium(["workflow", "frobnicate"]);
    expect(stdout).toContain("pallium workflow <command>");
    expect(stderr).toStartWith("error: unknown workflow subcommand: frobnicate\n");
    expect(exitCode).toBe(2);
  });

  test("as JSON", async () => {
    const { stdout, stderr, exitCode } = await pallium(["version", "--json", "--verbos"]);
    expect(stdout).toBe("");
    expect(JSON.parse(stderr)).toEqual({
      error: {
        code: "usage",
        message: "flag provided but not defined: --verbos",
        hints: ["did you mean --verbose?"],
      },
    });
    expect(exitCode).toBe(2);
  });
});

test("files of the directory it is started in have no say", async () => {
  await using home = await cliHome();
  await writeFile(join(home.directory, ".env"), "NO_COLOR=1\nBAD=1\n");
  await writeFile(join(home.directory, "bunfig.toml"), 'preload = ["./evil.ts"]\n');
  await writeFile(join(home.directory, "evil.ts"), 'console.log("evil");\n');
  expect(await home.pallium(["version"], { program: FROM_SOURCE })).toMatchObject({
    stdout: `pallium ${manifest.version}\n`,
  });
});

test("a current directory that is gone is an error with a way out", async () => {
  await using home = await cliHome();
  const gone = join(home.directory, "gone");
  await mkdir(gone);
  const script = 'cd gone && rmdir ../gone && exec "$@"';
  const child = Bun.spawn(["sh", "-c", script, "sh", ...FROM_SOURCE, "help", "--json"], {
    cwd: home.directory,
    env: home.env,
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stderr, exitCode] = await Promise.all([child.stderr.text(), child.exited]);
  expect(JSON.parse(stderr).error.code).toBe("no_directory");
  expect(exitCode).toBe(1);
});
