import { connectForLongWork, LONG_WORK_SLOTS } from '../../../db/sql/connection';
import { inLongTransaction } from '../../../db/sql/long-transaction';
import { execute, rows, type Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { eventually } from '../../support/checks/eventually';
import { ownDatabase } from '../../support/servers/database';

const own = ownDatabase();
let longDb: Db;
beforeAll(() => {
  longDb = connectForLongWork({ DATABASE_URL: own.url }, 'long-work-pool-test');
});
afterAll(() => longDb.sequelize.close());

const SLEEP = 'SELECT pg_sleep(60)';

test('an abort is carried out at once while every piece of long work runs, the maturation in two halves', async () => {
  const abort = new AbortController();
  const sleeping = (work: Promise<unknown>) => work.catch((error: unknown) => error);
  const cancelled = Array.from({ length: LONG_WORK_SLOTS - 1 }, () =>
    sleeping(inLongTransaction(longDb, abort.signal, (tx) => execute(tx, SLEEP))),
  );
  // The halves end when somebody else ends them.
  const others = Array.from({ length: 2 }, () => sleeping(inTransaction(longDb, (tx) => execute(tx, SLEEP))));
  const running = () =>
    rows<{ pid: number }>(
      own.db,
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND query = $1`,
      [SLEEP],
    );
  await eventually(async () => expect(await running()).toHaveLength(LONG_WORK_SLOTS + 1));
  abort.abort(new Error('stop'));
  await eventually(async () => expect(await running()).toHaveLength(2));
  for (const { pid } of await running()) await execute(own.db, 'SELECT pg_cancel_backend($1)', [pid]);
  expect((await Promise.all([...cancelled, ...others])).every((end) => end instanceof Error)).toBe(true);
});
