import { counted } from "../../../lib/counted.ts";
import { PalliumError } from "../../../lib/errors.ts";
import { asJson } from "../../../lib/json.ts";
import { operations } from "../../../operations/table.ts";
import type { Command } from "../../command.ts";
import { sessionDoctorText } from "../../views/sessions/doctor.ts";
import { observerOf } from "../observer.ts";
import { STORE_ARGS, storeOf } from "./filter-args.ts";

export const command: Command = {
  name: "doctor",
  summary: operations["sessions.doctor"].summary,
  arity: [0, 0],
  args: STORE_ARGS,
  operation: "sessions.doctor",
  async run(args, context) {
    const report = await operations["sessions.doctor"].call(
      await context.services(),
      storeOf(args),
      observerOf(context),
    );
    const result = { data: asJson(report), text: sessionDoctorText(report) };
    if (report.healthy) return result;
    const problems = report.findings.filter(({ is_problem: isProblem }) => isProblem).length;
    const error = new PalliumError(
      "sessions_unhealthy",
      `session memory has ${counted(problems, "problem")}`,
      { hints: ["each is listed with what to do about it"] },
    );
    return { ...result, error };
  },
};
