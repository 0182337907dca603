/** What a run edited gets into the user's checkout whole, and nothing else is touched. */
import { describe, expect, test } from "bun:test";
import { PalliumError } from "../../../../../src/lib/errors.ts";
import { systemClock } from "../../../../../src/platform/clock.ts";
import { readIntents } from "../../../../../src/workflow/edits/checkout/intents.ts";
import type { EditPlan } from "../../../../../src/workflow/edits/checkout/plan-steps.ts";
import { recoverChanges } from "../../../../../src/workflow/edits/checkout/recover.ts";
import {
  CHECKOUT_FILES,
  type CheckoutFiles,
} from "../../../../../src/workflow/edits/checkout/write-steps.ts";
import { mayBeUnfinished } from "../../../../../src/workflow/edits/locks/ledger-folder.ts";
import { applyBench } from "../../../../support/apply-bench.ts";
import { runChild } from "../../../../support/child.ts";
import { CHILD } from "../../../../support/edits.ts";
import { NOBODY } from "../../../../support/give-up-root.ts";

const FILES = {
  "a.txt": "one\ntwo\nthree\nfour\nfive\n",
  "b.txt": "b\n",
  "crlf.txt": "a\r\nb\r\n",
  "binary.bin": new Uint8Array([0, 1, 2, 255, 13, 10]),
  "folder/c.txt": "c\n",
  "folder/deep/d.txt": "d\n",
  "other/e.txt": "e\n",
};
const EVERYTHING = `
  echo more >>a.txt; rm b.txt; printf 'x\\r\\n' >>crlf.txt; printf '\\000\\377' >binary.bin
  echo new >new.txt; mkdir -p made/deep; echo n >made/deep/n.txt; git mv folder moved
  chmod +x other/e.txt; ln -s a.txt link; echo caf >"$(printf 'caf\\351')"
  rm -r other; echo file >other; rm -f x; mkdir -p z; git add -A`;

describe("a checkout that nobody changed", () => {
  test("becomes what the run left, byte for byte, and the index stays as it was (D3)", async () => {
    await using work = await applyBench(FILES);
    const trees = await work.edit(EVERYTHING);
    const before = await work.user("git ls-files --stage");
    const ended = await work.apply(trees);
    expect(await work.files()).toEqual(await work.bench.files(trees[1]));
    expect(await work.user("git ls-files --stage")).toBe(before);
    expect(await work.user("git diff --cached --name-only")).toBe("");
    expect(ended).toMatchObject({ outcome: "done", kind: "apply", runId: "wf", leftAlone: [] });
    expect(work.told).toEqual([ended]);
    expect(readIntents(work.ledger)).toEqual([]);
    expect(await mayBeUnfinished(work.bench.commonDir)).toBe(false);
  });

  test("comes back, byte for byte, with the folders that were removed", async () => {
    await using work = await applyBench(FILES);
    const before = await work.files();
    await work.apply(await work.edit(EVERYTHING));
    expect(await work.revert()).toMatchObject({ kind: "revert", outcome: "done" });
    expect(await work.files()).toEqual(before);
    expect(await work.user("find . -name .git -prune -o -type d -print | sort")).toBe(
      ".\n./folder\n./folder/deep\n./other\n",
    );
  });

  test("is as it is to be a second time, so that nothing is left to do", async () => {
    await using work = await applyBench(FILES);
    const trees = await work.edit(EVERYTHING);
    await work.apply(trees);
    expect(await work.plan(trees)).toMatchObject({ steps: [], conflicts: [] });
    const again = await work.apply(trees);
    expect(again).toMatchObject({ outcome: "done", steps: [] });
  });
});

describe("what the user changed", () => {
  test("in other files stays, staged or not, and is no obstacle (D3)", async () => {
    await using work = await applyBench(FILES);
    await work.user(
      "echo mine >>b.txt; git add b.txt; echo mine >>folder/c.txt; echo u >untracked",
    );
    const status = await work.user("git status --porcelain");
    await work.apply(await work.edit("echo more >>a.txt"));
    expect(await work.user("git status --porcelain")).toBe(` M a.txt\n${status}`);
    expect(await work.files()).toMatchObject({ "b.txt": "100644 b\nmine\n" });
  });

  test("in other lines of the same file is merged, staged or not (D5)", async () => {
    await using work = await applyBench(FILES);
    await work.user("sed -i 's/^five/FIVE/' a.txt; git add a.txt");
    await work.apply(await work.edit("sed -i 's/^one/ONE/' a.txt"));
    expect((await work.files())["a.txt"]).toBe("100644 ONE\ntwo\nthree\nfour\nFIVE\n");
    expect(await work.user("git show :a.txt")).toBe("one\ntwo\nthree\nfour\nFIVE\n");
  });

  test("in the same way is there already, also when it was committed since (D8)", async () => {
    await using work = await applyBench(FILES);
    const trees = await work.edit("echo more >>a.txt; rm b.txt; echo n >new.txt");
    await work.user("echo more >>a.txt; rm b.txt; git add -A; git commit -qm mine");
    expect(await work.plan(trees)).toMatchObject({
      already: ["a.txt", "b.txt"],
      steps: [{ path: "new.txt" }],
      conflicts: [],
    });
    await work.apply(trees);
    expect(await work.files()).toEqual(await work.bench.files(trees[1]));
  });

  const CONFLICTS: Readonly<Record<string, readonly [run: string, user: string, reason: string]>> =
    {
      "the same lines": [
        "sed -i 's/^one/ONE/' a.txt",
        "sed -i 's/^one/uno/' a.txt",
        "a.txt: it was changed here too, in a way that does not go together",
      ],
      "binary content": [
        "printf '\\000x' >binary.bin",
        "printf '\\000y' >binary.bin",
        "binary.bin: it was changed here too, in a way that does not go together",
      ],
      "a file that goes": [
        "rm b.txt",
        "echo x >>b.txt",
        "b.txt: it was changed here, and is to go",
      ],
      "a file that is gone": [
        "echo x >>b.txt",
        "rm b.txt",
        "b.txt: it was removed here, and is to be changed",
      ],
      "a new file of that name": ["echo x >n", "echo y >n", "n: another file is there"],
      "an ignored file of that name": [
        "echo x >n",
        "echo n >.git/info/exclude; echo y >n",
        "n: another file is there",
      ],
      "a link instead of the file": [
        "echo x >>b.txt",
        "ln -sf a.txt b.txt",
        "b.txt: it was changed here too, in a way that does not go together",
      ],
      "a link on the way to a new file": [
        "echo x >folder/n",
        "mv folder else; ln -s else folder",
        "folder/n: a symbolic link leads there: folder",
      ],
      "a link on the way to a changed file": [
        "echo x >>folder/c.txt",
        "mv folder else; ln -s else folder",
        "folder/c.txt: it was removed here, and is to be changed",
      ],
      "a file on the way": [
        "mkdir n; echo x >n/x",
        "echo y >n",
        "n/x: a file is where a folder must be: n",
      ],
      "a folder in the way": [
        "echo x >n",
        "mkdir -p n/m; echo y >n/m/y",
        "n: a folder is there, with n/m/y",
      ],
      "another file in a folder that becomes one": [
        "rm -r other; echo x >other",
        "echo y >other/mine",
        "other: a folder is there, with other/mine",
      ],
      "a pipe in the way": [
        "echo x >n",
        "mkfifo n",
        "n: what is there is neither a file nor a link",
      ],
    };

  test.each(Object.entries(CONFLICTS))(
    "and does not go together stops everything before anything is written (D4): %s",
    async (_name, [run, user, reason]) => {
      await using work = await applyBench(FILES);
      const [from, to] = await work.edit(`${run}; echo 2 >aaa; echo 2 >zzz`);
      await work.user(user);
      const before = await work.files();
      await expect(work.apply([from, to])).rejects.toMatchObject({
        code: "checkout_conflict",
        message: `cannot apply the edits of wf: ${reason}`,
      });
      expect(await work.files()).toEqual(before);
      expect(work.told).toEqual([]);
    },
  );

  test("all conflicts are named, the first twenty at length", async () => {
    await using work = await applyBench(FILES);
    const names = Array.from({ length: 22 }, (_, index) => `n${String(index).padStart(2, "0")}`);
    const write = (text: string) => `for n in ${names.join(" ")}; do echo ${text} >$n; done`;
    const trees = await work.edit(write("run"));
    await work.user(write("user"));
    expect((await work.plan(trees)).conflicts.map(({ path }) => path)).toEqual(names);
    await expect(work.apply(trees)).rejects.toThrow(/n19: another file is there; and 2 more$/);
  });
});

test("an empty folder where a file comes makes way", async () => {
  await using work = await applyBench(FILES);
  await work.user("mkdir n");
  await work.apply(await work.edit("echo x >n"));
  expect(await work.files()).toMatchObject({ n: "100644 x\n" });
});

test("a worker's file in a sub-directory gets to its place, whatever folder the run began in (D2)", async () => {
  await using work = await applyBench(FILES);
  const trees = await work.edit("cd folder/deep; echo x >>d.txt; echo top >../../top.txt");
  await work.apply(trees);
  expect(await work.files()).toEqual(await work.bench.files(trees[1]));
});

test("what a replaced file allowed stays, and new ones are as the user makes them", async () => {
  await using work = await applyBench(FILES);
  await work.user("chmod 600 a.txt");
  await work.apply(await work.edit("echo x >>a.txt; echo x >n; chmod +x n"));
  expect(await work.user("umask 022; stat -c %a a.txt n")).toBe("600\n755\n");
});

test("filters and line ends of the repository have no say", async () => {
  await using work = await applyBench(
    { ...FILES, ".gitattributes": "*.txt eol=crlf\n*.up filter=up\n" },
    {
      config: '[filter "up"]\n smudge = tr a-z A-Z\n clean = tr A-Z a-z\n',
    },
  );
  const trees = await work.edit("printf 'x\\n' >>a.txt; printf 'MiXed' >m.up");
  await work.user("git checkout -q HEAD -- . && rm .git/index && git reset -q --hard");
  await work.apply(trees);
  expect(await work.files()).toEqual(await work.bench.files(trees[1]));
  expect((await work.files())["m.up"]).toBe("100644 MiXed");
});

test("nested repositories are reported and left as they are", async () => {
  await using work = await applyBench(FILES, {
    script:
      "git init -q sub; cd sub; git -c user.name=u -c user.email=e commit -q --allow-empty -m 1",
  });
  const [from] = await work.edit("true");
  const to = (
    await work.bench.store.withIndex(async (index) => {
      await index.run(["read-tree", from]);
      await index.run(["update-index", "--cacheinfo", `160000,${"1".repeat(40)},sub`]);
      return (await index.run(["write-tree", "--missing-ok"])).stdout;
    })
  ).trim();
  expect(await work.plan([from, to])).toEqual({
    steps: [],
    already: [],
    conflicts: [],
    submodules: ["sub"],
  });
});

describe("a file that somebody changes while the change is at work", () => {
  test.each(["stage", "remove", "move"] as const)("at %s: everything goes back", async (at) => {
    await using work = await applyBench(FILES);
    const trees = await work.edit("echo x >>a.txt; rm b.txt; echo x >>folder/c.txt; echo n >n");
    const before = await work.files();
    let isFirst = true;
    const raced = async () => {
      if (isFirst) await work.user("echo mine >>folder/c.txt");
      isFirst = false;
    };
    const files = {
      ...CHECKOUT_FILES,
      [at]: async (...args: [never, never, never, never]) => {
        await raced();
        await CHECKOUT_FILES[at](...args);
      },
    };
    await expect(work.apply(trees, { files })).rejects.toMatchObject({
      code: "edits_raced",
      message: "somebody changed files while they were being edited: folder/c.txt",
      hints: [expect.any(String), expect.stringContaining("folder/c.txt")],
    });
    expect(await work.files()).toEqual({ ...before, "folder/c.txt": "100644 c\nmine\n" });
    expect(readIntents(work.ledger)).toEqual([]);
  });

  test("and that is to go: everything goes back", async () => {
    await using work = await applyBench(FILES);
    const trees = await work.edit("echo x >>a.txt; rm b.txt; rm folder/c.txt");
    const before = await work.files();
    const files: CheckoutFiles = {
      ...CHECKOUT_FILES,
      async stage(...args) {
        await CHECKOUT_FILES.stage(...args);
        await work.user("echo mine >folder/c.txt");
      },
    };
    await expect(work.apply(trees, { files })).rejects.toMatchObject({ code: "edits_raced" });
    expect(await work.files()).toEqual({ ...before, "folder/c.txt": "100644 mine\n" });
  });

  test("before it began: nothing is touched", async () => {
    await using work = await applyBench(FILES);
    const plan = await work.plan(await work.edit("echo x >>a.txt; echo n >n"));
    await work.user("echo mine >n");
    await expect(work.perform(plan)).rejects.toMatchObject({ code: "edits_raced" });
    expect(await work.files()).toMatchObject({
      n: "100644 mine\n",
      "a.txt": `100644 ${FILES["a.txt"]}`,
    });
  });
});

test("two names of one file are no race", async () => {
  await using work = await applyBench({ x1: "same\n", x2: "same\n" });
  const trees = await work.edit("rm x1; echo x >>x2");
  await work.user("ln -f x1 x2");
  await work.apply(trees);
  expect(await work.files()).toEqual({ x2: "100644 same\nx\n" });
});

test("a file that cannot be read is in the way, not missing", async () => {
  await using work = await applyBench(FILES);
  const trees = await work.edit("echo x >n");
  await work.user(`echo secret >n; chmod 000 n; chmod 755 . ${work.bench.run.path}`);
  const isRoot = process.getuid?.() === 0;
  if (isRoot) await work.user(`chown -R ${NOBODY} .git n ${work.bench.run.path}`);
  const { commonDir, store } = work.bench;
  const job = JSON.stringify([store.objects, ...trees]);
  expect(await runChild<EditPlan>([process.execPath, CHILD, "plan", commonDir, job])).toMatchObject(
    {
      steps: [],
      conflicts: [{ path: "n", reason: "it cannot be read" }],
    },
  );
});

describe("a lock that another run took over", () => {
  const lost = new PalliumError("repo_lock_lost", "another run has taken over");

  test.each([1, 2])("at look %i: nothing is changed", async (at) => {
    await using work = await applyBench(FILES);
    const trees = await work.edit("echo x >>a.txt; rm b.txt");
    const before = await work.files();
    let looks = 0;
    const check = () => {
      looks += 1;
      if (looks === at) throw lost;
    };
    const applying = work.apply(trees, { lock: { token: "t", check } });
    await expect(applying).rejects.toMatchObject({ code: "repo_lock_lost" });
    expect(await work.files()).toEqual(before);
    expect(readIntents(work.ledger)).toEqual([]);
  });
});

test("a recovery by the very run that is at work leaves its change alone", async () => {
  await using work = await applyBench(FILES);
  const trees = await work.edit("echo x >>a.txt; rm b.txt; echo n >n");
  const { git, commonDir } = work.bench;
  const recovered: unknown[] = [];
  const files: CheckoutFiles = {
    ...CHECKOUT_FILES,
    async move(...args) {
      const powers = { git, commonDir, ledger: work.ledger, clock: systemClock() };
      const { ended } = await recoverChanges({ ...powers, tell: async () => {} }, "wf");
      recovered.push(...ended);
      await CHECKOUT_FILES.move(...args);
    },
  };
  await work.apply(trees, { files });
  expect(recovered).toEqual([]);
  expect(await work.files()).toEqual(await work.bench.files(trees[1]));
});
