import type { VerifyReport, VerifyResult } from "../../../repo/verify.ts";
import { block, lines, shown } from "../text.ts";

/** @param withOutput whether the reader has not seen yet what the commands printed. */
export function verifyText(report: VerifyReport, withOutput: boolean): string {
  const { changed_files, results, not_run, output } = report;
  const isDry = results.length === 0;
  return [
    `Verification tier: ${report.tier}`,
    ...(isDry ? ["Nothing was run."] : outcome(report)),
    ...lines("Changed files", changed_files),
    ...block("Commands", results.length > 1 ? results.map(resultLine) : []),
    ...lines(isDry ? "Would run" : "Not run", not_run),
    ...(withOutput && output.trim() !== "" ? ["", "Output:", output.trimEnd()] : []),
  ].join("\n");
}

function outcome({ command, exit_code, duration_ms }: VerifyReport): readonly string[] {
  return [`Command: ${shown(command)}`, `Exit code: ${exit_code}`, `Duration: ${duration_ms}ms`];
}

function resultLine({ command, exit_code, duration_ms, timed_out, interrupted }: VerifyResult) {
  const end = timed_out ? "timed out" : interrupted ? "interrupted" : ended(exit_code);
  return `- ${shown(command)} (${end}, ${duration_ms}ms)`;
}

function ended(exitCode: number): string {
  return exitCode === 0 ? "passed" : `failed with ${exitCode}`;
}
