import { PalliumError } from "./errors.ts";

const LONGEST_BYTES = 120;

/**
 * Refuses what cannot safely name a run, an agent or a file.
 * @param what names the id in the message.
 * @throws PalliumError `invalid_id`, a usage error.
 */
export function assertId(id: string, what = "id"): void {
  const problem = problemOf(id);
  if (problem === undefined) return;
  throw new PalliumError("invalid_id", `${what} ${problem}`, {
    hints: [`use up to ${LONGEST_BYTES} letters, digits, "-", "_" and "."`],
    exitCode: 2,
  });
}

function problemOf(id: string): string | undefined {
  if (id.trim() === "") return "is required";
  if (new TextEncoder().encode(id).length > LONGEST_BYTES) return "is too long";
  if (id === ".") return `"." contains invalid character '.'`;
  const invalid = [...id].find((character) => !/[A-Za-z0-9._-]/.test(character));
  if (invalid !== undefined) return `"${id}" contains invalid character '${invalid}'`;
  return id.includes("..") ? "cannot contain '..'" : undefined;
}
