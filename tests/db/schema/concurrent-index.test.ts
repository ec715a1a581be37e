import { migrateUp } from '../../../db/schema/migrate';
import { migrationList, type Migration } from '../../../db/schema/migration-list';
import { buildIndex, dropIndex } from '../../../db/schema/table-locks';
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

/** A migration of a release to come, which builds indexes of tables that are written to. */
const indexes: Migration = {
  name: '9999-indexes',
  outsideTransaction: true,
  async up(context) {
    await buildIndex(context, { name: 'reports_test_idx', on: 'webhook_events (received_at, kind)' });
    await buildIndex(context, { name: 'entries_test_key', unique: true, on: 'ledger_entries (id, account)' });
  },
  async down(context) {
    for (const name of ['reports_test_idx', 'entries_test_key']) await dropIndex(context, name);
  },
};

test('money is written while a migration builds indexes, and a second run changes nothing', async () => {
  (migrationList as Migration[]).push(indexes);
  let migrating: Promise<string[]> | undefined;
  await whileWriting(async () => {
    migrating = migrateUp(own.ownerUrl);
    await builder();
    await whileWriting(async (tx) => {
      await execute(tx, `SET LOCAL lock_timeout = '2s'`);
      await execute(tx, writes);
    });
  });
  expect(await migrating).toEqual([indexes.name]);
  await indexes.up(query());
  expect([await isValid('reports_test_idx'), await isValid('entries_test_key')]).toEqual([true, true]);
  for (const _ of [1, 2]) await indexes.down(query());
  expect(await isValid('entries_test_key')).toBeUndefined();
});

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
