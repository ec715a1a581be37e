import type { QueryInterface } from 'sequelize';
import { migrateDown, migrateUp } from '../../../db/schema/migrate';
import { migrationList, type Migration } from '../../../db/schema/migration-list';
import { inShortLocks } from '../../../db/schema/table-locks';
import { execute, firstRow } from '../../../db/sql/query';
import { eventually } from '../../support/checks/eventually';
import { ownDatabase } from '../../support/servers/database';

const own = ownDatabase();
const query = () => own.owner.sequelize.getQueryInterface();

/** Waits for a statement that waits for the lock of a table, so that who comes later waits behind it. */
const waiting = () =>
  eventually(async () => {
    const found = await firstRow(
      own.owner,
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
         AND query LIKE '%ALTER TABLE%'`,
    );
    expect(found).not.toBeNull();
  });

/** Migrates while somebody reads a table for long, and reads it as well; the reader ends only after that. */
async function whileRead(table: string, migrate: () => Promise<unknown>): Promise<void> {
  const reader = await own.db.sequelize.transaction();
  const read = (transaction = reader) => execute({ ...own.db, transaction }, `SELECT count(*) FROM ${table}`);
  await read();
  let isOver = false;
  const migrating = migrate().then(() => (isOver = true));
  try {
    for (let time = 0; time < 2; time++) {
      await waiting();
      const other = await own.db.sequelize.transaction();
      await execute({ ...own.db, transaction: other }, `SET LOCAL lock_timeout = '6s'`);
      await read(other);
      await other.rollback();
    }
    expect(isOver).toBe(false);
  } finally {
    await reader.rollback();
  }
  await migrating;
}

/** The migrations of a release to come, at the end of the list. */
function addMigrations(...added: Migration[]): void {
  beforeAll(() => void (migrationList as Migration[]).push(...added));
  afterAll(() => void (migrationList as Migration[]).splice(-added.length));
}

describe('readers of a table go on while the migrator waits for a long reader of it', () => {
  const statement = (text: string) => async (context: QueryInterface) => {
    await context.sequelize.query(text);
  };

  describe('in the transaction of the migration', () => {
    addMigrations({
      name: '9998-column',
      up: statement('ALTER TABLE webhook_events ADD COLUMN of_the_test text'),
      down: statement('ALTER TABLE webhook_events DROP COLUMN of_the_test'),
    });

    test('up and down', async () => {
      await whileRead('webhook_events', () => migrateUp(own.ownerUrl));
      expect(await migrateUp(own.ownerUrl)).toEqual([]);
      await whileRead('webhook_events', () => migrateDown(own.ownerUrl));
      expect(await migrateUp(own.ownerUrl)).toEqual(['9998-column']);
      await migrateDown(own.ownerUrl);
    });
  });

  describe('outside a transaction, where each step has its own and can be begun again', () => {
    const constraint = 'payment_captures_of_the_test_check';
    const migration: Migration = {
      name: '9999-constraint',
      outsideTransaction: true,
      async up(context) {
        await inShortLocks(
          context,
          `ALTER TABLE payment_captures ADD COLUMN IF NOT EXISTS of_the_test text,
             DROP CONSTRAINT IF EXISTS ${constraint};
           ALTER TABLE payment_captures ADD CONSTRAINT ${constraint} CHECK (of_the_test <> '') NOT VALID`,
        );
        await context.sequelize.query(`ALTER TABLE payment_captures VALIDATE CONSTRAINT ${constraint}`);
      },
      async down(context) {
        await inShortLocks(context, 'ALTER TABLE payment_captures DROP COLUMN IF EXISTS of_the_test');
      },
    };
    addMigrations(migration);

    test('up and down, twice each', async () => {
      await whileRead('payment_captures', () => migrateUp(own.ownerUrl));
      await migration.up(query());
      const isChecked = `SELECT convalidated FROM pg_constraint WHERE conname = '${constraint}'`;
      expect(await firstRow(own.owner, isChecked)).toEqual({ convalidated: true });
      await whileRead('payment_captures', () => migrateDown(own.ownerUrl));
      await migration.down(query());
      expect(await firstRow(own.owner, isChecked)).toBeNull();
    });
  });
});
