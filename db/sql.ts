import { QueryTypes, type Transaction } from 'sequelize';
import type { Sequelize } from 'sequelize-typescript';

/** Where statements run: any connection of the pool, or one transaction. */
export interface Db {
  readonly sequelize: Sequelize;
  readonly transaction?: Transaction;
}

/** A `Db` that is certainly inside a transaction: what must not be half done asks for this one. */
export interface Tx extends Db {
  readonly transaction: Transaction;
}

type Bind = readonly unknown[];

/** The rows a statement returns. Values go by `$1, $2, …`, never into the text. */
export async function rows<Row extends object>(db: Db, text: string, bind: Bind = []): Promise<Row[]> {
  return db.sequelize.query<Row>(text, {
    bind: [...bind],
    type: QueryTypes.SELECT,
    raw: true,
    ...(db.transaction && { transaction: db.transaction }),
  });
}

/** The first row, or null. */
export async function firstRow<Row extends object>(
  db: Db,
  text: string,
  bind: Bind = [],
): Promise<Row | null> {
  const [first] = await rows<Row>(db, text, bind);
  return first ?? null;
}

/** Runs a statement for its effect; answers how many rows it touched. */
export async function execute(db: Db, text: string, bind: Bind = []): Promise<number> {
  const [, result] = await db.sequelize.query(text, {
    bind: [...bind],
    type: QueryTypes.RAW,
    ...(db.transaction && { transaction: db.transaction }),
  });
  const outcome = result as number | { rowCount: number | null };
  return typeof outcome === 'number' ? outcome : (outcome.rowCount ?? 0); // For INSERT, Sequelize unpacks the count.
}
