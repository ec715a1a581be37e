import { execute, type Db, type Tx } from '../../sql/query';
import { inTransaction } from '../../sql/transaction';

/** Limit of each statement, so that figures do not burden the database. */
const STATEMENT_TIMEOUT_MS = 2_000;

/** Reads figures on one connection. Throws when one of the statements takes longer than two seconds. */
export const readFigures = <Figures>(db: Db, read: (tx: Tx) => Promise<Figures>): Promise<Figures> =>
  inTransaction(db, async (tx) => {
    await execute(tx, `SET LOCAL statement_timeout = ${STATEMENT_TIMEOUT_MS}`);
    return read(tx);
  });

/** SQL for the age of a moment in seconds; 0: there is none, or it has not come. */
export const secondsSince = (moment: string): string =>
  `coalesce(greatest(extract(epoch FROM now() - ${moment}), 0), 0)::float8`;
