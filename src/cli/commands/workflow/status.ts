import { operations } from "../../../operations/table.ts";
import { statusText } from "../../views/status.ts";
import { runReportCommand } from "./run-report.ts";

export const command = runReportCommand("status", operations["workflow.status"], statusText);
