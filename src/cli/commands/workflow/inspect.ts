import { operations } from "../../../operations/table.ts";
import { inspectionText } from "../../views/status.ts";
import { runReportCommand } from "./run-report.ts";

export const command = runReportCommand("inspect", operations["workflow.inspect"], inspectionText);
