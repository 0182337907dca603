/** One broken rule at one place. */
export interface Finding {
  /** Path relative to the checked root, with forward slashes. */
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  readonly rule: string;
  readonly message: string;
}

/** How a finding is printed: editors and terminals make `path:line` a link. */
export function findingLine({ path, line, rule, message }: Finding): string {
  return `${path}:${line} [${rule}] ${message}`;
}

/** Prints findings and resolves to the exit status: 1 when there are any. */
export function report(what: string, findings: readonly Finding[]): number {
  for (const finding of findings) console.error(findingLine(finding));
  console.log(findings.length === 0 ? `${what}: ok` : `${what}: ${findings.length} broken`);
  return findings.length === 0 ? 0 : 1;
}
