import { expect, test } from "bun:test";
import { systemClock } from "../../../../src/platform/clock.ts";
import { ownIdentity, type ProcessIdentity } from "../../../../src/platform/process/identity.ts";
import type { Database } from "../../../../src/platform/sqlite/database.ts";
import {
  acquireLease,
  holdLease,
  leaseHolder,
  releaseLease,
} from "../../../../src/workflow/run/lease.ts";
import { openStore } from "../../../support/store.ts";
import { tempDir } from "../../../support/temp.ts";

const clock = systemClock();

/** Puts a lease on record whose last heartbeat was so many seconds ago. */
async function recordLease(
  database: Database,
  owner: Partial<ProcessIdentity>,
  secondsAgo: number,
): Promise<void> {
  const heartbeat = new Date(clock.now().getTime() - secondsAgo * 1000).toISOString();
  await database.write((tx) =>
    tx.run(
      "INSERT INTO workflow_leases (run_id, fence, owner, owner_pid, heartbeat_at) VALUES ('wf', 7, ?, 1, ?)",
      JSON.stringify({ ...ownIdentity(), ...owner }),
      heartbeat,
    ),
  );
}

const take = (database: Database) => database.write((tx) => acquireLease(tx, "wf", clock));

test.each([
  ["another host", { host: "elsewhere", bootId: "another" }],
  ["another container", { pidNamespace: "pid:[1]" }],
])("a holder on %s is believed by its heartbeat (C8)", async (_where, owner) => {
  await using dir = await tempDir();
  const database = await openStore(dir.join("fresh.sqlite"));
  await recordLease(database, owner, 10);
  expect(leaseHolder(database, "wf", clock)).toMatchObject({ pid: ownIdentity().pid });
  await expect(take(database)).rejects.toMatchObject({ code: "run_owned" });
  database.close();

  const later = await openStore(dir.join("old.sqlite"));
  await recordLease(later, owner, 3600);
  expect(leaseHolder(later, "wf", clock)).toBeUndefined();
  expect(await take(later)).toEqual({ runId: "wf", fence: 8 });
  later.close();
});

test.each([
  ["that lives is believed however old its heartbeat is", {}, false],
  ["whose pid belongs to another process now is gone", { startTime: "1" }, true],
  ["from before the last start of the machine is gone", { bootId: "earlier" }, true],
])("a holder of this host %s", async (_what, owner, free) => {
  await using dir = await tempDir();
  const database = await openStore(dir.join("store.sqlite"));
  await recordLease(database, owner, free ? 0 : 3600);
  expect(leaseHolder(database, "wf", clock) === undefined).toBe(free);
  database.close();
});

test("whoever lost the lease can neither hold it nor give away that of the next", async () => {
  await using dir = await tempDir();
  const database = await openStore(dir.join("store.sqlite"));
  const first = await take(database);
  await database.write((tx) => releaseLease(tx, first));
  const second = await take(database);
  expect(second.fence).toBeGreaterThan(first.fence);
  await expect(database.write((tx) => holdLease(tx, first, clock))).rejects.toMatchObject({
    code: "lease_lost",
    fatal: true,
  });
  await database.write((tx) => releaseLease(tx, first));
  await database.write((tx) => holdLease(tx, second, clock));
  database.close();
});
