/** Scripts whose agents edit, in the variants that a user makes of them, and what each comes to. */
import { byText } from "../../../src/lib/by-text.ts";
import type { Files } from "../edit-bench.ts";
import type { Random } from "./random.ts";

/** What was changed about the script since its run began; nothing of it is ever taken back. */
export interface Variant {
  /** A call was added in front of all others. */
  readonly front: boolean;
  /** An edit that is no longer made. */
  readonly removed?: string;
  /** An edit whose prompt is another one. */
  readonly reworded?: string;
  /** The two edits that follow each other come the other way round. */
  readonly reversed: boolean;
}

/** Mode and content by path, as `filesBelow` reads them. */
type FileMap = Map<string, string>;

export const FIRST: Variant = { front: false, reversed: false };

/** Files of the first commit. Each edit has a line of `shared.txt` that is far from all others. */
export const BASE_FILES: Readonly<Record<string, string>> = {
  "shared.txt": Array.from(
    { length: 12 },
    (_, place) => `place ${place}\n${"between\n".repeat(4)}`,
  ).join(""),
  "gone.txt": "to be removed\n",
  "moved.txt": "to be moved\n",
  "tool.sh": "echo tool\n",
  "state.txt": "new\n",
  "idle.txt": "idle\n",
};

/** What a user has in the checkout besides, some of it in the index; run in it by a shell. */
export const USER_CHANGES = [
  "sed -i 's/^place 0$/place 0 of the user/' shared.txt",
  "echo staged >staged.txt; git add staged.txt",
  "echo mine >mine.txt; echo one >>idle.txt; git add idle.txt; echo two >>idle.txt",
].join("; ");

const FAN = ["e1", "e2", "e3", "e4", "e5", "e6"];
const PLACES = [...FAN, "c1", "c2", "front", "last"];

/** What an edit does besides to its line and its own file: as a worker does it, and in memory. */
const SPECIAL: Readonly<Record<string, readonly [string, (files: FileMap) => unknown]>> = {
  e1: ["rm gone.txt", (files) => files.delete("gone.txt")],
  e2: [
    "mkdir to; git mv moved.txt to/moved.txt",
    (files) => {
      files.set("to/moved.txt", files.get("moved.txt") ?? "");
      files.delete("moved.txt");
    },
  ],
  e3: [
    "chmod +x tool.sh",
    (files) => files.set("tool.sh", (files.get("tool.sh") ?? "").replace("100644", "100755")),
  ],
  e4: ["ln -s shared.txt link", (files) => files.set("link", "120000 shared.txt")],
  e5: [
    "printf '\\000\\377' >bytes.bin; git add -A; git commit -qm work",
    (files) => files.set("bytes.bin", "100644 \0\xff"),
  ],
};

/** An edit whose prompt was changed is another one of the same kind. */
const kindOf = (label: string) => label.replace(/-again$/, "");

/** One more change of the script, of those that were not made yet. */
export function changeVariant(chance: Random, before: Variant): Variant {
  const names = FAN.filter((name) => name !== before.removed && name !== before.reworded);
  const changes: readonly Partial<Variant>[] = [
    ...(before.front ? [] : [{ front: true }]),
    ...(before.removed === undefined ? [{ removed: chance.pick(names) }] : []),
    ...(before.reworded === undefined ? [{ reworded: chance.pick(names) }] : []),
    ...(before.reversed ? [] : [{ reversed: true }]),
  ];
  if (changes.length === 0) return before;
  const { removed, ...change } = chance.pick(changes);
  return { ...before, ...change, ...(removed === undefined ? {} : { removed }) };
}

/** Labels of the edits beside each other; a call is known by its place, so that one leaves a gap. */
function itemsOf({ removed, reworded }: Variant): readonly (string | null)[] {
  return FAN.map((name) => {
    if (name === removed) return null;
    return name === reworded ? `${name}-again` : name;
  });
}

/** Labels of the edits, in the order in which one can see another; those beside each other together. */
export function stagesOf(variant: Variant): readonly string[][] {
  const { front, reversed } = variant;
  return [
    ...(front ? [["front"]] : []),
    itemsOf(variant).filter((label) => label !== null),
    ...(reversed ? [["c2"], ["c1"]] : [["c1"], ["c2"]]),
    ["look"],
    [
      "green-check-1",
      "green-fix-1",
      "green-check-2",
      "green-fix-2",
      "green-check-3",
      "green-patch",
    ],
    ["gate-go"],
    ["last"],
  ];
}

/** The line that tells the lab what was done, written by whoever did it. */
export const ledgerLine = (word: string, what: string) =>
  `printf '${word} %s\\n' "${what}" >>"$HOME/ledger"`;

/** A random short time, so that the order of ends is another one in every run. */
const SHORTLY = "sleep 0.0$(($$ % 10))";
const LABEL = "$PALLIUM_WORKFLOW_LABEL";
const MADE = "ls made | grep ^e | tr '\\n' ' '";
/** It does not name the file it looks at: one that a check names is a part of the check. */
const CHECK = `${ledgerLine("start", "check $(cat stat*)")}; ${SHORTLY}; cat stat*; grep -q fixed stat*`;

/** What every agent of the script is: a shell command that does what its label says. */
export const WORKER = `${ledgerLine("start", LABEL)}; ${SHORTLY}
kind="\${PALLIUM_WORKFLOW_LABEL%-again}"
edit() {
  sed -i "s/^place $1\\$/place $1 by ${LABEL}/" shared.txt
  mkdir -p made; printf '%s\\n' "${LABEL}" >"made/${LABEL}"
}
case "$kind" in
${PLACES.map((kind, place) => `  ${kind}) edit ${place + 1}; ${SPECIAL[kind]?.[0] ?? ":"};;`).join("\n")}
  green-fix-1) echo half >state.txt;;
  green-fix-2) echo fixed >state.txt;;
esac
${SHORTLY}
case "$kind" in
  gate-go) echo '{"approved":true,"reason":"r"}';;
  green-fix-*) echo '{"summary":"s"}';;
  e*|front) echo "ok ${LABEL}";;
  *) ${MADE}; echo "for ${LABEL}";;
esac
${ledgerLine("end", LABEL)}`;

/** The text of the script. */
export function sourceOf(variant: Variant): string {
  const items = JSON.stringify(itemsOf(variant));
  const chain = variant.reversed ? ["c2", "c1"] : ["c1", "c2"];
  return `const edit = (label) => agent("edit " + label, { label, mode: "edit" });
${variant.front ? 'await edit("front");' : ""}
phase("fan out");
const first = await parallel(${items}, (label) => label && edit(label));
phase("on top");
const on = [${chain.map((label) => `await edit("${label}")`).join(", ")}];
const look = await agent("look", { label: "look" });
const { verdict, rounds } = await verify.untilGreen(${JSON.stringify(CHECK)}, { label: "green" });
const { approved } = await gate("go", "Go on?");
return { first, on, look, verdict, rounds: rounds.length, approved, last: await edit("last") };
`;
}

/** The result on record of a run that completed. */
export function resultOf(variant: Variant): unknown {
  const items = itemsOf(variant);
  const made = items.map((label) => (label === null ? "" : `${label} `)).join("");
  const answer = (label: string) => `${made}for ${label}`;
  const chain = variant.reversed ? ["c2", "c1"] : ["c1", "c2"];
  return {
    first: items.map((label) => label && `ok ${label}`),
    on: chain.map(answer),
    look: answer("look"),
    verdict: "green",
    rounds: 3,
    approved: true,
    last: answer("last"),
  };
}

/** The checkout with all edits in it, from what it was before. */
export function editedFiles(variant: Variant, before: Files): Files {
  const files: FileMap = new Map(Object.entries(before));
  for (const label of stagesOf(variant).flat()) {
    const kind = kindOf(label);
    const place = PLACES.indexOf(kind) + 1;
    if (place === 0) continue;
    const shared = files.get("shared.txt") ?? "";
    const line = `\nplace ${place}\n`;
    files.set("shared.txt", shared.replace(line, `\nplace ${place} by ${label}\n`));
    files.set(`made/${label}`, `100644 ${label}\n`);
    SPECIAL[kind]?.[1](files);
  }
  files.set("state.txt", "100644 fixed\n");
  return Object.fromEntries([...files].toSorted(([a], [b]) => byText(a, b)));
}
