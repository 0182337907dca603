import { operations } from "../../../operations/table.ts";
import { doctorText } from "../../views/repo/doctor.ts";
import { repoAt, repoCommand } from "./repo-command.ts";

const { call } = operations.doctor;

export const command = repoCommand({
  operation: "doctor",
  call,
  positionals: "[repo]",
  arity: [0, 1],
  input: (args) => repoAt(args, 0),
  text: doctorText,
});
