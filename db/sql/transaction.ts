import type { Transaction } from 'sequelize';
import { isContention } from './errors';
import { watched, type Db, type Tx } from './query';

const TRIES = 5;

/**
 * Runs work in one transaction, READ COMMITTED as `connect` has it: all of it happens, or none. A deadlock or a
 * serialisation failure is nobody's mistake, so the work is run again, a few times; it must therefore have no effect
 * outside the database. Within a transaction it runs as a part of that one, behind a savepoint: its failure undoes the
 * part, and only the whole is run again.
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
