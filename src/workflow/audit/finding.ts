export const AUDIT_STATUSES = [
  "passed",
  "failed",
  "not_in_this_version",
  "needs_acceptance",
] as const;
export type AuditStatus = (typeof AUDIT_STATUSES)[number];

/** What came of trying a requirement. */
export interface Finding {
  readonly status: AuditStatus;
  /** What was done and seen, or why it was not: a sentence without a full stop. */
  readonly evidence: string;
  readonly duration_ms: number;
}
