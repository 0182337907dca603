import { operations } from "../../../operations/table.ts";
import { snapshotText } from "../../views/run.ts";
import { runReportCommand } from "./run-report.ts";

export const command = runReportCommand("show", operations["workflow.show"], snapshotText);
