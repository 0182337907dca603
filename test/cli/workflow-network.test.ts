/** The network of workers: the script asks for it, whoever starts the run allows it (oracle 71). */
import { describe, expect, test } from "bun:test";
import { exists } from "../../src/platform/files.ts";
import { editHome } from "../support/edit-runs.ts";
import { errorOf, provider, workflowHome } from "../support/workflow.ts";

const NETWORK = `echo "network=$PALLIUM_WORKFLOW_NETWORK"`;
const ALLOWED = ["--allow-network"];
const call = (options: string) =>
  `return await agent("x", { label: "fetch", provider: "p", ${options} });`;

describe("network that is not both asked for and allowed", () => {
  test("is refused where only the script asks, and said so", async () => {
    await using edits = await editHome();
    const { result, stderr, snapshot } = await edits.script(call("network: true"), { p: NETWORK });
    expect(result).toBe("network=0");
    expect(stderr).toContain(
      "[workflow:wf-test] agent fetch requested network but run was not started with --allow-network; running sandboxed",
    );
    expect(snapshot.agents[0]?.networked ?? false).toBe(false);
  });

  test.each(["network: false", ""])(
    "is not given where the script says %p, without a word",
    async (option) => {
      await using edits = await editHome();
      const { result, stderr, snapshot } = await edits.script(
        call(option),
        { p: `${NETWORK}; pwd -P` },
        { flags: ALLOWED },
      );
      expect(result).toBe(`network=0\n${edits.repo.path}`);
      expect(stderr).not.toContain("network");
      expect(snapshot.agents[0]?.networked ?? false).toBe(false);
    },
  );

  test.each(["network", "Network", "NETWORK"])("%s is true or false, and no text", async (name) => {
    await using edits = await editHome();
    const { exitCode, stderr } = await edits.script(
      call(`${name}: "yes"`),
      { p: `touch "$HOME/asked"; ${NETWORK}` },
      { flags: ALLOWED },
    );
    expect(exitCode).toBe(1);
    expect(errorOf(stderr).message).toContain(
      `invalid agent ${name} "yes": must be a boolean (true or false)`,
    );
    expect(await exists(`${edits.home.directory}/asked`)).toBe(false);
  });
});

describe("granted network", () => {
  test("is told to the worker, which works away from the checkout; what it writes is gone", async () => {
    await using edits = await editHome({ "a.txt": "one\n" });
    const worker = `${NETWORK}; pwd -P; echo "$PALLIUM_WORKFLOW_REPO"; cat a.txt; echo x > new.txt; echo more >> a.txt`;
    const { result, stderr, snapshot, exitCode } = await edits.script(
      call("network: true"),
      { p: worker },
      { flags: ALLOWED },
    );
    expect(exitCode).toBe(0);
    expect(stderr).toContain("[workflow:wf-test] agent fetch running with network access enabled");
    const [network, cwd = "", repo, text] = String(result).split("\n");
    expect([network, repo, text]).toEqual(["network=1", edits.repo.path, "one"]);
    expect(cwd).not.toStartWith(edits.repo.path);
    expect(await exists(cwd)).toBe(false);
    const [agent] = snapshot.agents;
    expect(agent).toMatchObject({ networked: true, mode: "read-only", status: "completed" });
    expect(agent?.patch_path ?? "").toBe("");
    expect(await edits.status()).toBe("");
    expect((await edits.repo.git("worktree", "list")).trimEnd().split("\n")).toHaveLength(1);
  });

  test("keeps the folder that the run was started in", async () => {
    await using edits = await editHome({ "sub/in.txt": "in\n" });
    const { result } = await edits.script(
      call("network: true"),
      { p: `${NETWORK}; cat in.txt; basename "$PALLIUM_WORKFLOW_CWD"` },
      { flags: ALLOWED, cwd: edits.repo.join("sub") },
    );
    expect(result).toBe("network=1\nin\nsub");
  });

  test("of an agent that edits leaves its edit to be applied", async () => {
    await using edits = await editHome();
    const { result, snapshot } = await edits.script(
      call('network: true, mode: "edit"'),
      { p: `echo fetched > new.txt; ${NETWORK}` },
      { flags: ALLOWED },
    );
    expect(result).toBe("network=1");
    expect(snapshot.agents).toMatchObject([{ networked: true, apply_state: "applied" }]);
    expect(await edits.read("new.txt")).toBe("fetched\n");
  });

  test("of a test is thrown away with what the test left", async () => {
    await using edits = await editHome();
    const { exitCode } = await edits.script(
      call('network: true, mode: "test"'),
      { p: `echo changed >> a.txt; ${NETWORK}` },
      { flags: ALLOWED },
    );
    expect(exitCode).toBe(0);
    expect(await edits.status()).toBe("");
  });

  test("outside of a repository is refused, and nothing is started", async () => {
    await using home = await workflowHome();
    const { exitCode, stderr } = await home.script(call("network: true"), {
      env: provider("p", 'touch "$HOME/asked"; echo ok'),
      flags: ALLOWED,
    });
    expect(exitCode).toBe(1);
    expect(errorOf(stderr).message).toContain(
      "network access requires the run to execute inside a git repository",
    );
    expect(await exists(`${home.directory}/asked`)).toBe(false);
  });

  test("in a repository that git refuses says why git does", async () => {
    await using edits = await editHome();
    await edits.repo.write({ ".git/config": "[core\n" });
    const { exitCode, stderr } = await edits.script(
      call("network: true"),
      { p: "echo ok" },
      { flags: ALLOWED },
    );
    expect(exitCode).toBe(1);
    expect(errorOf(stderr).message).toContain("; git says: fatal: bad config line 1 in file");
  });

  test.each([
    ["read-only", false],
    ["edit", true],
  ])("of a worker in mode %s that fails: its working tree is kept: %p", async (mode, kept) => {
    await using edits = await editHome();
    const { exitCode, snapshot } = await edits.script(
      call(`network: true, mode: "${mode}"`),
      { p: 'echo half > new.txt; pwd -P > "$HOME/where"; exit 3' },
      { flags: ALLOWED },
    );
    expect(exitCode).toBe(1);
    const where = (await Bun.file(`${edits.home.directory}/where`).text()).trim();
    expect(await exists(`${where}/new.txt`)).toBe(kept);
    expect(snapshot.agents[0]?.worktree === where).toBe(kept);
    expect(await edits.status()).toBe("");
  });

  test("belongs to what a call is, and to the invocation: without it the call is made again (oracle 91)", async () => {
    await using edits = await editHome();
    const agents = { p: `echo x >> "$HOME/ledger"; ${NETWORK}` };
    const source = call("network: true");
    const first = await edits.script(source, agents, { flags: ALLOWED });
    const second = await edits.script(source, agents, { flags: ALLOWED });
    const third = await edits.script(source, agents);
    expect([first.result, second.result, third.result]).toEqual([
      "network=1",
      "network=1",
      "network=0",
    ]);
    expect([first, third].map(({ snapshot }) => snapshot.run.allow_network)).toEqual([
      true,
      undefined,
    ]);
    const ledger = await Bun.file(`${edits.home.directory}/ledger`).text();
    expect(ledger.trim().split("\n")).toHaveLength(2);
  });

  test("is kept by a resume (oracle 91)", async () => {
    await using edits = await editHome();
    const p = `test -e "$HOME/again" || { touch "$HOME/again"; exit 3; }; ${NETWORK}`;
    const first = await edits.script(call("network: true"), { p }, { flags: ALLOWED });
    expect(first.exitCode).toBe(1);
    const resumed = await edits.home.pallium(["workflow", "resume", "wf-test", "--json"], {
      cwd: edits.repo.path,
      env: provider("p", p),
    });
    expect(JSON.parse(resumed.stdout).run).toMatchObject({
      result: "network=1",
      allow_network: true,
    });
  });
});
