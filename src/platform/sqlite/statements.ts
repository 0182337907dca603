import type { Database as Connection, SQLQueryBindings, Statement } from "bun:sqlite";

/** Plenty for the statements of the program; built-up ones, as with lists, push out the oldest. */
const LIMIT = 200;

export interface Statements {
  /** The prepared statement of a text that takes this many parameters, kept for the next time. */
  prepare<Row>(sql: string, parameters: number): Statement<Row, SQLQueryBindings[]>;
  /** Ends all of them: the connection closes only without open statements. */
  finalize(): void;
}

export function createStatements(connection: Connection): Statements {
  const kept = new Map<string, Statement<unknown, SQLQueryBindings[]>>();

  function keep(sql: string, statement: Statement<unknown, SQLQueryBindings[]>): void {
    kept.delete(sql);
    kept.set(sql, statement);
    const [oldest] = kept;
    if (kept.size <= LIMIT || oldest === undefined) return;
    kept.delete(oldest[0]);
    oldest[1].finalize();
  }

  return {
    prepare: <Row>(sql: string, parameters: number) => {
      const statement = kept.get(sql) ?? connection.prepare<unknown, SQLQueryBindings[]>(sql);
      keep(sql, statement);
      // Bun checks the number too, but takes none at all for NULLs.
      if (statement.paramsCount !== parameters) {
        throw new RangeError(`${parameters} parameters given for: ${sql}`);
      }
      return statement as Statement<Row, SQLQueryBindings[]>;
    },
    finalize: () => {
      for (const statement of kept.values()) statement.finalize();
      kept.clear();
    },
  };
}
