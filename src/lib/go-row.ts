/** Values of rows that the Go program wrote, and older versions of it with fewer columns. */

/** A row with whatever columns its table has. */
export type GoRow = Readonly<Record<string, unknown>>;

/** Empty for everything but text. */
export function textOf(row: GoRow, column: string): string {
  const value = row[column];
  return typeof value === "string" ? value : "";
}

export function textOrNull(row: GoRow, column: string): string | null {
  return textOf(row, column) || null;
}

/** 0 for everything but a number; without a fraction. */
export function integerOf(row: GoRow, column: string): number {
  return Math.trunc(numberOf(row, column));
}

export function numberOf(row: GoRow, column: string): number {
  const value = row[column];
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}

/** A time of up to nanoseconds, as this program writes times; `undefined` where it is none. */
export function timeOf(row: GoRow, column: string): string | undefined {
  const time = new Date(textOf(row, column) || Number.NaN);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

/** The value where it is one of those known, else the other. */
export function oneOf<Known extends string>(
  row: GoRow,
  column: string,
  known: readonly Known[],
  other: Known,
): Known {
  const value = textOf(row, column);
  return known.find((one) => one === value) ?? other;
}
