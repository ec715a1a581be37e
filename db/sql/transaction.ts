import type { Transaction } from 'sequelize';
import { isContention } from './errors';
import { watched, type Db, type Tx } from './query';

const TRIES = 5;

class RolledBack extends Error {}

/** Runs work as `inTransaction` does, returns its result and undoes everything that it did. */
export async function inRolledBackTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  const done: T[] = [];
  try {
    await inTransaction(db, async (tx) => {
      done[0] = await work(tx);
      throw new RolledBack();
    });
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error;
  }
  return done[0] as T;
}

/**
 * Runs work in one transaction, READ COMMITTED as `connect` sets it. After a deadlock or a serialisation failure the
 * work is run again, up to five times in all, so it must have no effect outside the database. Inside a transaction it
 * runs behind a savepoint: a failure undoes only this part, and only the outer transaction is run again.
 */
export async function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  const { transaction: outer } = db;
  if (outer)
    return db.sequelize.transaction({ transaction: outer }, (transaction: Transaction) =>
      work({ ...db, transaction }),
    );
  for (let attempt = 1; ; attempt++) {
    try {
      return await watched(db, 'TRANSACTION', () =>
        db.sequelize.transaction((transaction) => work({ ...db, transaction })),
      );
    } catch (error) {
      if (attempt === TRIES || !isContention(error)) throw error;
    }
  }
}
