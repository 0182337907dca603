/** Parts of the script API whose names are taken and whose work is still to come. */
import type { ScriptErrors } from "./errors.ts";

const NAMES = [
  "verify.untilGreen",
  "workflow",
  "gate",
  "coordinator.replan",
  "pallium.verify",
  "pallium.review",
  "pallium.handoff",
  "pallium.explain",
  "pallium.safe",
  "pallium.plan",
  "pallium.changedNow",
  "pallium.preflight",
  "pallium.task.start",
  "pallium.task.show",
  "pallium.task.clear",
  "pallium.decisions.record",
  "pallium.decisions.search",
  "team.create",
  "team.spawn",
  "team.send",
  "team.approve",
  "team.reject",
  "team.gate",
  "team.status",
  "team.wait",
  "team.stop",
  "team.member.stop",
  "team.member.restart",
  "team.member.steer",
  "team.tasks.create",
  "team.tasks.list",
  "team.tasks.claim",
  "team.tasks.complete",
];

type Api = { [name: string]: Api | (() => never) };

/** Functions under their dotted names, each of which only says that it is not there yet. */
export function createMissingApi(errors: ScriptErrors): Api {
  const api: Api = {};
  for (const name of NAMES) {
    const path = name.split(".");
    const last = path.pop() ?? name;
    let owner = api;
    for (const part of path) owner = memberOf(owner, part);
    owner[last] = () => {
      throw errors.coded("not_in_this_version", `${name} is not in this version`);
    };
  }
  return api;
}

function memberOf(owner: Api, name: string): Api {
  const member = owner[name];
  if (typeof member === "object") return member;
  const created: Api = {};
  owner[name] = created;
  return created;
}
