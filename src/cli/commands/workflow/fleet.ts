import { operations } from "../../../operations/table.ts";
import { fleetText } from "../../views/fleet.ts";
import { overviewCommand } from "./overview.ts";

const MOST_RUNS = 50;

export const command = overviewCommand(
  "status",
  { ...operations["workflow.fleet"], name: "workflow.fleet" },
  MOST_RUNS,
  fleetText,
);
