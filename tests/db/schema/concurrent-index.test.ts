import { migrationList } from '../../../db/schema/migration-list';
import { buildIndex } from '../../../db/schema/migrations/0054-payables-checked';
import { execute, firstRow, type Tx } from '../../../db/sql/query';
import { eventually } from '../../support/checks/eventually';
import { ownDatabase } from '../../support/servers/database';

const own = ownDatabase();
const query = () => own.owner.sequelize.getQueryInterface();
const writes = 'LOCK TABLE ledger_entries, payment_attempts, webhook_events IN ROW EXCLUSIVE MODE';

/** Runs work while a transaction that writes money is open. */
async function whileWriting<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
  const { sequelize } = own.owner;
  const transaction = await sequelize.transaction();
  try {
    const tx = { ...own.owner, transaction };
    await execute(tx, writes);
    return await work(tx);
  } finally {
    await transaction.rollback();
  }
}

/** The backend that builds an index and waits for the writer; fails until there is one. */
const builder = (): Promise<number> =>
  eventually(async () => {
    const found = await firstRow<{ pid: number }>(
      own.owner,
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
         AND query ~ 'CREATE (UNIQUE )?INDEX'`,
    );
    return found!.pid;
  });

const isValid = async (name: string): Promise<boolean | undefined> =>
  (
    await firstRow<{ valid: boolean }>(
      own.owner,
      'SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass($1)',
      [name],
    )
  )?.valid;

test.each(['0054-payables-checked', '0060-investment-indexes'])(
  'money is written while %s builds its indexes, and a second run changes nothing',
  async (name) => {
    const { up, down, outsideTransaction } = migrationList.find((one) => one.name === name)!;
    expect(outsideTransaction).toBe(true);
    await down(query());
    let building: Promise<void> | undefined;
    await whileWriting(async () => {
      building = up(query());
      await builder();
      await whileWriting(async (tx) => {
        await execute(tx, `SET LOCAL lock_timeout = '2s'`);
        await execute(tx, writes);
      });
    });
    await building;
    await up(query());
  },
);

test('an index that was left unfinished is built anew', async () => {
  const index = { name: 'left_unfinished_idx', on: 'webhook_events (received_at)' };
  await whileWriting(async () => {
    const building = buildIndex(query(), index);
    await Promise.all([
      expect(building).rejects.toThrow('canceling statement'),
      builder().then((pid) => execute(own.owner, 'SELECT pg_cancel_backend($1)', [pid])),
    ]);
  });
  expect(await isValid(index.name)).toBe(false);
  await buildIndex(query(), index);
  expect(await isValid(index.name)).toBe(true);
});
