/** What must hold of a run whose agents edit, once it is over, whatever was done to its runners. */
import { Database } from "bun:sqlite";
import { existsSync, readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { type Files, filesBelow } from "../edit-bench.ts";
import { runningFrom } from "../leftovers.ts";
import type { TestRepository } from "../repository.ts";
import type { WorkflowHome } from "../workflow.ts";
import { readPayments } from "./edit-journal.ts";
import { editedFiles, FIRST, resultOf, type Variant } from "./edit-scripts.ts";

const PATIENCE_MS = 10_000;
/** How the temporary files and folders of pallium and git are called. */
const TEMPORARY = /^(\.pallium-.*\.tmp|\..*\.tmp|temporary-.*|objects-.*|.*\.lock)$/;

/** What there is of the run, and was before it. */
export interface Parts {
  readonly id: string;
  readonly home: WorkflowHome;
  readonly repo: TestRepository;
  readonly old: Files;
  readonly index: Buffer;
  readonly store: string;
  /** Every script that was ever tried, by its hash. */
  readonly variants: Map<string, Variant>;
}

function read<T>({ store }: Parts, otherwise: T, look: (database: Database) => T): T {
  if (!existsSync(store)) return otherwise;
  try {
    using database = new Database(store, { readonly: true });
    return look(database);
  } catch {
    return otherwise; // Killed before the tables were made.
  }
}

/** Hash of the script as it was claimed last; empty before the run was. */
export function claimedHash(parts: Parts): string {
  const sql = "SELECT script_artifact AS hash FROM workflow_runs WHERE id = ?";
  return read(
    parts,
    "",
    (database) => database.query<{ hash: string }, [string]>(sql).get(parts.id)?.hash ?? "",
  );
}

/** What workers wrote when they began and when they ended. */
export function ledgerOf({ home }: Parts): readonly string[] {
  const path = join(home.directory, "ledger");
  return existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : [];
}

export async function checkoutOf({
  repo,
  old,
  variants,
}: Parts): Promise<"old" | Variant | undefined> {
  const now = JSON.stringify(await filesBelow(repo.path));
  if (now === JSON.stringify(old)) return "old";
  return [...variants.values()].find(
    (variant) => now === JSON.stringify(editedFiles(variant, old)),
  );
}

/** Whatever is not as it must be once the run has completed, with its edits applied or reverted. */
export async function violationsOf(parts: Parts, applied: boolean): Promise<readonly string[]> {
  const { id, repo, home } = parts;
  await processesEnd(home.directory);
  const variant = parts.variants.get(claimedHash(parts)) ?? FIRST;
  const now = await filesBelow(repo.path);
  const expected = applied ? editedFiles(variant, parts.old) : parts.old;
  const run = join(home.directory, ".pallium/workflow-runs", id);
  return [
    ...differences(now, expected),
    ...(await gitViolations(parts)),
    ...storeViolations(parts, variant),
    ...ledgerViolations(parts),
    ...repoLedgerViolations(parts),
    ...runningFrom(home.directory).map((pid) => `process ${pid} is left`),
    ...(await readdir(join(run, "worktrees")).catch(() => [])).map(
      (name) => `working tree ${name} is left`,
    ),
    ...(await temporaryBelow(run)),
    ...(await temporaryBelow(repo.path)),
  ];
}

/** Git that outlived a runner which was killed comes to its end by itself. */
async function processesEnd(home: string): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while (runningFrom(home).length > 0 && performance.now() < end) await Bun.sleep(20);
}

function differences(now: Files, expected: Files): readonly string[] {
  const paths = new Set([...Object.keys(now), ...Object.keys(expected)]);
  return [...paths]
    .filter((path) => now[path] !== expected[path])
    .map(
      (path) => `${path} is ${JSON.stringify(now[path])}, not ${JSON.stringify(expected[path])}`,
    );
}

async function temporaryBelow(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder, { recursive: true });
  return names
    .filter(
      (name) => !name.includes("calls/") && TEMPORARY.test(name.slice(name.lastIndexOf("/") + 1)),
    )
    .map((name) => `left in ${folder}: ${name}`);
}

async function gitViolations({ repo, index }: Parts): Promise<readonly string[]> {
  const fsck = (
    await repo.git("fsck", "--full", "--strict", "--no-dangling", "--no-progress")
  ).trim();
  const head = (await repo.git("log", "--format=%s", "HEAD")).trim();
  const branches = (await repo.git("for-each-ref", "--format=%(refname)")).trim();
  const worktrees = (await repo.git("worktree", "list", "--porcelain")).match(/^worktree /gm);
  const admin = await readdir(repo.join(".git/worktrees")).catch(() => []);
  return [
    ...(fsck === "" ? [] : [`git fsck: ${fsck}`]),
    ...(head === "second\nbase" ? [] : [`HEAD is at ${head}`]),
    ...(branches === "refs/heads/main" ? [] : [`branches: ${branches}`]),
    ...(worktrees?.length === 1 ? [] : [`git lists ${worktrees?.length} working trees`]),
    ...admin.map((name) => `git knows working tree ${name}`),
    ...(readFileSync(repo.join(".git/index")).equals(index) ? [] : ["the index was changed"]),
  ];
}

interface RunRow {
  readonly status: string;
  readonly result: string | null;
  readonly error: string | null;
  readonly owner: string | null;
  readonly open: number;
  readonly controls: number;
  readonly failures: number;
  readonly check: string;
}

interface EditRow {
  readonly label: string;
  readonly patch_path: string | null;
  readonly receipt_json: string | null;
}

function storeViolations(parts: Parts, variant: Variant): readonly string[] {
  const rows = read(parts, undefined, (database) => {
    const row = database
      .query<RunRow, [string]>(
        `SELECT r.status, r.result, r.error, l.owner,
           (SELECT count(*) FROM workflow_calls c WHERE c.run_id = r.id AND c.status = 'running') AS open,
           (SELECT count(*) FROM workflow_controls) AS controls,
           (SELECT count(*) FROM workflow_failures) AS failures,
           (SELECT integrity_check FROM pragma_integrity_check) AS "check"
         FROM workflow_runs r JOIN workflow_leases l ON l.run_id = r.id WHERE r.id = ?`,
      )
      .get(parts.id);
    const edits = database
      .query<EditRow, []>(
        `SELECT label, patch_path, receipt_json FROM workflow_calls c JOIN workflow_edits e
         ON e.call_id = c.id`,
      )
      .all();
    const payments = readPayments(database, parts.id, (hash) => variantOf(parts, hash));
    return { row, edits, payments };
  });
  if (rows?.row === undefined || rows.row === null) return ["the run is not on record"];
  const { status, error, result, owner, open, controls, failures, check } = rows.row;
  const got = JSON.stringify(JSON.parse(result ?? "null"));
  const expected = JSON.stringify(sortedKeys(resultOf(variant)));
  return [
    ...(status === "completed" && error === null ? [] : [`the run is ${status}: ${error}`]),
    ...(got === expected ? [] : [`the result is ${got}, not ${expected}`]),
    ...(owner === null ? [] : [`the lease is held by ${owner}`]),
    ...(open === 0 ? [] : [`${open} calls are marked as running`]),
    ...(controls === 0 ? [] : [`${controls} requests are left`]),
    ...(failures === 0 ? [] : [`${failures} failures are on record`]),
    ...(check === "ok" ? [] : [`integrity_check: ${check}`]),
    ...rows.edits.flatMap(patchViolation),
    ...rows.payments.again,
  ];
}

function variantOf({ variants }: Parts, hash: string): Variant {
  const variant = variants.get(hash);
  if (variant === undefined) throw new Error(`no script has the hash ${hash}`);
  return variant;
}

function sortedKeys(value: unknown): unknown {
  return Object.fromEntries(
    Object.entries(value as object).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}

function patchViolation({ label, patch_path, receipt_json }: EditRow): readonly string[] {
  if (patch_path === null || !existsSync(patch_path)) return [`the patch of ${label} is missing`];
  const { patch_sha256 } = JSON.parse(receipt_json ?? "{}") as { patch_sha256?: string };
  const hash = new Bun.CryptoHasher("sha256").update(readFileSync(patch_path)).digest("hex");
  return hash === patch_sha256 ? [] : [`the patch of ${label} is not what its receipt says`];
}

/** A worker that began is on record; none began more often than calls are. */
function ledgerViolations(parts: Parts): readonly string[] {
  const { begun } = read(parts, { again: [], begun: new Map() }, (database) =>
    readPayments(database, parts.id, (hash) => variantOf(parts, hash)),
  );
  const starts = new Map<string, number>();
  for (const line of ledgerOf(parts)) {
    const label = labelOf(line.replace(/^start /, ""));
    if (line.startsWith("start ")) starts.set(label, (starts.get(label) ?? 0) + 1);
  }
  return [...begun].flatMap(([label, { least, most }]) => {
    const count = starts.get(label) ?? 0;
    if (label === "green-patch" || (count >= least && count <= most)) return [];
    return [`${label} has begun ${count} times, not ${least} to ${most}`];
  });
}

const CHECKS = { "check new": 1, "check half": 2, "check fixed": 3 } as const;

/** A check does not know its label, but what it found. */
function labelOf(written: string): string {
  const number = CHECKS[written as keyof typeof CHECKS];
  return number === undefined ? written : `green-check-${number}`;
}

/** Of the locks and changes that the repository has on record. */
function repoLedgerViolations({ repo }: Parts): readonly string[] {
  const folder = repo.join(".git/pallium");
  if (!existsSync(join(folder, "edits.sqlite"))) return ["the repository has no ledger"];
  using ledger = new Database(join(folder, "edits.sqlite"), { readonly: true });
  const count = (table: string) =>
    (ledger.query(`SELECT count(*) AS n FROM ${table}`).get() as { n: number }).n;
  const left = ["locks", "intents", "intent_steps"].filter((table) => count(table) > 0);
  return [
    ...left.map((table) => `${table} of the repository are left`),
    ...(existsSync(join(folder, "unfinished")) ? ["the mark of unfinished edits is left"] : []),
  ];
}
