/** Parts of the script API whose names are taken and whose work is still to come. */
import type { ScriptErrors } from "./errors.ts";
import { type Api, putUnder } from "./names.ts";

const NAMES = [
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

/** Functions under their dotted names, each of which only says that it is not there yet. */
export function createMissingApi(errors: ScriptErrors): Api {
  const api: Api = {};
  for (const name of NAMES) {
    putUnder(api, name, () => {
      throw errors.coded("not_in_this_version", `${name} is not in this version`);
    });
  }
  return api;
}
