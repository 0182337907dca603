import { operations } from "../../../operations/table.ts";
import { analyticsText } from "../../views/analytics.ts";
import { overviewCommand } from "./overview.ts";

const MOST_RUNS = 500;

export const command = overviewCommand(
  "analytics",
  { ...operations["workflow.analytics"], name: "workflow.analytics" },
  MOST_RUNS,
  analyticsText,
);
