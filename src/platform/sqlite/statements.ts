import type { Database as Connection, SQLQueryBindings, Statement } from "bun:sqlite";

/** Plenty for the statements of the program; built-up ones, as with lists, push out the oldest. */
const LIMIT = 200;

type AnyStatement = Statement<unknown, SQLQueryBindings[]>;

/** The prepared statement of a text that takes this many parameters, kept for the next time. */
export type Prepare = <Row>(sql: string, parameters: number) => Statement<Row, SQLQueryBindings[]>;

export function keepStatements(connection: Connection): Prepare {
  const kept = new Map<string, AnyStatement>();

  function keep(sql: string, statement: AnyStatement): void {
    kept.delete(sql);
    kept.set(sql, statement);
    const [oldest] = kept;
    if (kept.size <= LIMIT || oldest === undefined) return;
    kept.delete(oldest[0]);
    oldest[1].finalize();
  }

  return <Row>(sql: string, parameters: number) => {
    const known = kept.get(sql);
    const statement = known ?? connection.prepare<unknown, SQLQueryBindings[]>(sql);
    // Far from the limit it does not matter which is the oldest.
    if (known === undefined || kept.size > LIMIT / 2) keep(sql, statement);
    // Bun checks the number too, but takes none at all for NULLs.
    if (statement.paramsCount !== parameters) {
      throw new RangeError(`${parameters} parameters given for: ${sql}`);
    }
    return statement as Statement<Row, SQLQueryBindings[]>;
  };
}
