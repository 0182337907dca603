/**
 * What a worker does to the files of its working tree is taken whole, whatever it is and however it
 * was done, and comes out of another working tree byte for byte.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type EditBench, filesBelow, newEditBench } from "../../../../support/edit-bench.ts";

const FILES = {
  "text.txt": "one\ntwo\nthree\n",
  "other.txt": "other\n",
  "binary.bin": new Uint8Array([0, 1, 2, 255, 0, 13, 10]),
  empty: "",
  "no-newline": "x",
  "crlf.txt": "a\r\nb\r\n",
  "folder/a": "a\n",
  "folder/b": "b\n",
  "folder/deep/c": "c\n",
  ".gitignore": "*.log\nbuild/\n",
};
const SCRIPT = `
  echo run >run.sh; chmod +x run.sh
  ln -s text.txt link; ln -s a removed-link; ln -s b replaced-link
  echo kept >kept.log; git add -f kept.log`;

const odd = (bytes: string) => `"$(printf '${bytes}')"`;
const ODD_NAMES = [
  "'a b'",
  `'"quoted"'`,
  `'"begins'`,
  "'back\\slash'",
  `'"\\101"'`,
  "./-leading",
  "'{a => b}'",
  "':(glob)*'",
  "'trailing '",
  "é",
  "Case",
  "case",
  odd("a\\tb"),
  odd("a\\nb"),
  odd("x\\r"),
  odd('a\\"\\nb'),
  odd("latin1 \\351"),
  "n".repeat(250),
];

const KINDS: Readonly<Record<string, string>> = {
  "D1: staged": "echo x >>text.txt; echo n >new; rm other.txt; git add -A",
  "D1: committed":
    "echo x >>text.txt; echo n >new; git rm -q other.txt; git add -A; git commit -qm x",
  "D1: committed, then staged, then changed":
    "echo 1 >>text.txt; git commit -qam x; echo 2 >>text.txt; git add .; echo 3 >>text.txt; echo u >u",
  "D1: a deletion alone": "rm text.txt",
  "D1: git rm of a file and a folder": "git rm -q text.txt; git rm -rq folder",
  "D1: git mv": "git mv text.txt renamed.txt; git mv folder elsewhere",
  "a move": "mv text.txt renamed; mv folder elsewhere",
  "taken out of the index and kept": "git rm -q --cached text.txt",
  "staged as new and deleted": "echo x >new; git add new; rm new; echo x >>text.txt",
  "modes, both ways": "chmod +x text.txt; chmod -x run.sh",
  "mode and content": "chmod +x text.txt; echo x >>text.txt",
  "binary content": "printf '\\000\\001' >binary.bin; printf '\\377\\000' >new.bin",
  "a new link, one changed, one removed": "ln -s x new; ln -sf nowhere link; rm removed-link",
  "a file for a link and a link for a file":
    "rm replaced-link text.txt; echo file >replaced-link; ln -s other.txt text.txt",
  "links that lead outside": "ln -s ../../../../../etc/passwd up; ln -s /etc/passwd absolute",
  "a link to bytes that are no text": `ln -s "$(printf 'a\\377')" bytes`,
  "a folder for a file": "rm text.txt; mkdir text.txt; echo x >text.txt/inner",
  "a file for a folder": "rm -r folder; echo x >folder",
  "a folder for a link": "rm link; mkdir link; echo x >link/inner",
  "a link for a folder": "rm -r folder; ln -s build folder",
  "an empty file, one emptied, one filled": ": >new; : >text.txt; echo x >empty",
  "no newline at the end, and one there": "printf 'a\\nb' >text.txt; printf 'x\\n' >no-newline",
  "mixed line ends": "printf 'a\\r\\nB\\r\\nc\\n' >crlf.txt; printf 'a\\r\\n' >new",
  "a file put back as it was": "echo x >>text.txt; git checkout -q text.txt; echo y >y",
  "D12: an ignored file that is tracked": "echo x >>kept.log",
  "odd names": ODD_NAMES.map((name) => `printf %s ${name} >${name}`).join("\n"),
  "odd folders": ["'a b'", ":", "-d", odd("d\\376"), odd("n\\nl")]
    .map((name) => `mkdir ./${name}; echo x >./${name}/f; echo y >./${name}/${odd("f\\375")}`)
    .join("\n"),
};

describe("taken and put into another working tree", () => {
  let bench: EditBench;
  beforeAll(async () => {
    bench = await newEditBench(FILES, { script: SCRIPT });
  });
  afterAll(() => bench[Symbol.asyncDispose]());

  for (const [name, script] of Object.entries(KINDS)) {
    test(name, async () => {
      const worker = await bench.open();
      await bench.shell(worker.root, script);
      const done = await filesBelow(worker.root);

      const { tree, skipped } = await bench.capture(worker);
      expect(skipped).toEqual([]);
      expect(await bench.files(tree)).toEqual(done);

      const next = await bench.open(tree);
      expect(await filesBelow(next.root)).toEqual(done);
      expect(await bench.shell(next.root, "git status --porcelain")).toBe("");
      expect(await bench.capture(next)).toEqual({ changes: [], tree, skipped: [] });
      await bench.remove(worker);
      await bench.remove(next);
    });
  }
});

test("changes are told with what was before and after", async () => {
  await using bench = await newEditBench({ "a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n" });
  const worker = await bench.open();
  await bench.shell(worker.root, "echo x >a.txt; rm b.txt; echo d >d.txt; touch c.txt");
  const { changes } = await bench.capture(worker);
  expect(changes.map(({ path, before, after }) => [path, before?.mode, after?.mode])).toEqual([
    ["a.txt", "100644", "100644"],
    ["b.txt", "100644", undefined],
    ["d.txt", undefined, "100644"],
  ]);
});

test("D12: ignored files count when they are asked for, by patterns as in .gitignore", async () => {
  await using bench = await newEditBench({ ".gitignore": "*.log\nbuild/\nA.LOG\n" });
  const worker = await bench.open();
  await bench.shell(
    worker.root,
    `mkdir -p build/deep; echo x >build/deep/x; echo y >build/y; echo a >a.log; echo b >b.log
     echo A >A.LOG; echo c >"$(printf 'c\\377.log')"; echo new >new`,
  );
  const paths = async (ignored: string[]) =>
    (await bench.capture(worker, { ignored })).changes.map(({ path }) => path);
  expect(await paths([])).toEqual(["new"]);
  expect(await paths(["build/"])).toEqual(["build/deep/x", "build/y", "new"]);
  expect(await paths(["*.log", "!b.log"])).toEqual(["a.log", '"c\\377.log"', "new"]);
});

test("D12: an ignored file that the worker itself added counts when it is named", async () => {
  await using bench = await newEditBench({ ".gitignore": "*.log\n" });
  const worker = await bench.open();
  await bench.shell(
    worker.root,
    "echo a >a.log; git add -f a.log; git commit -qm x; echo b >b.log",
  );
  const { changes } = await bench.capture(worker, { also: ["a.log", "gone.log"] });
  expect(changes.map(({ path }) => path)).toEqual(["a.log"]);
});

test("what was put beside the tree is no work", async () => {
  await using bench = await newEditBench({ "a.txt": "a\n" });
  const worker = await bench.open();
  await bench.shell(
    worker.root,
    "ln -s /somewhere node_modules; git init -q dependency; echo b >b",
  );
  const { changes, skipped } = await bench.capture(worker, {
    except: ["node_modules", "dependency"],
  });
  expect(changes.map(({ path }) => path)).toEqual(["b"]);
  expect(skipped).toEqual([]);
});

test("nothing is read through a link that took the place of a folder", async () => {
  await using bench = await newEditBench({ "folder/a": "a\n" });
  const worker = await bench.open();
  await bench.shell(
    worker.root,
    `mkdir ../outside; echo secret >../outside/a; echo secret >../outside/b
     rm -r folder; ln -s ../outside folder`,
  );
  const { tree } = await bench.capture(worker);
  expect(await bench.files(tree)).toEqual({ folder: "120000 ../outside" });
});

test("names that git refuses, nested repositories, pipes and sockets are named, not lost silently", async () => {
  await using bench = await newEditBench({ "a.txt": "a\n", "b.txt": "b\n", ".gitmodules": "" });
  const worker = await bench.open();
  await bench.shell(
    worker.root,
    `mkdir .GIT; echo x >.GIT/config; echo x >'git~1'; ln -sf a.txt .gitmodules
     git init -q empty; git init -q begun; echo x >begun/x
     git clone -q . cloned; mkdir -p deep; git init -q deep/nested; echo x >deep/beside
     rm a.txt; mkfifo a.txt; rm b.txt; mkdir b.txt; git init -q b.txt; mkfifo pipe`,
  );
  const { changes, skipped } = await bench.capture(worker);
  expect(changes.map(({ path, after }) => [path, after !== undefined])).toEqual([
    ["a.txt", false],
    ["b.txt", false],
    ["deep/beside", true],
  ]);
  expect(skipped).toEqual([
    ".GIT/config",
    ".gitmodules",
    "a.txt",
    "b.txt",
    "begun",
    "cloned",
    "deep/nested",
    "empty",
    "git~1",
  ]);
});
