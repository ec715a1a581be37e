import { QueryTypes, type Transaction } from 'sequelize';
import type { Sequelize } from 'sequelize-typescript';
import type { KeyRing } from '../sealing/key-ring';

/** Runs a statement or transaction, returns its result, and records it in traces. */
export type Watch = <Result>(statement: string, run: () => Promise<Result>) => Promise<Result>;

/** A target of statements: any connection of the pool, or one transaction. */
export interface Db {
  readonly sequelize: Sequelize;
  readonly transaction?: Transaction;
  /** Observes every statement, without its values, and every transaction; set while traces are taken. */
  readonly watch?: Watch;
  /** Seals secrets at rest and links audit records; programs that do neither connect without it. */
  readonly keys?: KeyRing;
}

/** A `Db` inside a transaction, required by changes of several statements. */
export interface Tx extends Db {
  readonly transaction: Transaction;
}

type Bind = readonly unknown[];

/**
 * The rows of a statement under the models' names: `total_minor` is answered as `totalMinor`. Values are bound to
 * `$1, $2, …`, never part of the text.
 */
export async function rows<Row extends object>(db: Db, text: string, bind: Bind = []): Promise<Row[]> {
  return watched(db, text, async () =>
    renameColumns<Row>(
      await db.sequelize.query<Record<string, unknown>>(text, {
        bind: [...bind],
        type: QueryTypes.SELECT,
        raw: true,
        ...(db.transaction && { transaction: db.transaction }),
      }),
    ),
  );
}

/** Renames columns as `underscored` does in the models, so that no statement has to alias them. */
function renameColumns<Row extends object>(found: readonly Record<string, unknown>[]): Row[] {
  const columns = Object.keys(found[0] ?? {}).map((column) => [column, attributeOf(column)] as const);
  return found.map((row) => {
    const renamed: Record<string, unknown> = {};
    for (const [column, attribute] of columns) renamed[attribute] = row[column];
    return renamed as Row;
  });
}

const attributeOf = (column: string): string =>
  column.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** Values of our own, such as the states of a table, as a list in the text of a statement: `status IN (${literals(OPEN)})`. */
export const literals = (values: readonly string[]): string => values.map((value) => `'${value}'`).join(', ');

/** The first row, or null. */
export async function firstRow<Row extends object>(
  db: Db,
  text: string,
  bind: Bind = [],
): Promise<Row | null> {
  const [first] = await rows<Row>(db, text, bind);
  return first ?? null;
}

/** Runs a statement for its effect; returns the number of rows it changed. */
export async function execute(db: Db, text: string, bind: Bind = []): Promise<number> {
  return watched(db, text, async () => {
    const [, result] = await db.sequelize.query(text, {
      bind: [...bind],
      type: QueryTypes.RAW,
      ...(db.transaction && { transaction: db.transaction }),
    });
    const outcome = result as number | { rowCount: number | null };
    return typeof outcome === 'number' ? outcome : (outcome.rowCount ?? 0); // For INSERT, Sequelize unpacks the count.
  });
}

/** Runs a statement or a transaction under the Db's `watch`, if it has one. */
export const watched = <Result>(db: Db, statement: string, run: () => Promise<Result>): Promise<Result> =>
  db.watch ? db.watch(statement, run) : run();
