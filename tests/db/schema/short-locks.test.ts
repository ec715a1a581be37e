import { randomUUID } from 'node:crypto';
import { migrateDown, migrateUp } from '../../../db/schema/migrate';
import { migrationList } from '../../../db/schema/migration-list';
import { execute, firstRow, rows } from '../../../db/sql/query';
import { make } from '../../support/builders/make';
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

/** Migrates while somebody reads a table, for whom it does not wait. */
async function whileReading(table: string, migrate: () => Promise<unknown>): Promise<void> {
  const reader = await own.db.sequelize.transaction();
  await execute({ ...own.db, transaction: reader }, `SELECT count(*) FROM ${table}`);
  await migrate();
  await reader.rollback();
}

test('readers of a table go on while the migrator waits for a long reader of it', async () => {
  const newer = migrationList.map(({ name }) => name).filter((name) => name >= '0058');
  for (const name of newer.reverse()) expect(await migrateDown(own.ownerUrl)).toEqual([name]);
  await whileRead('webhook_events', () => migrateUp(own.ownerUrl));
  expect(await migrateUp(own.ownerUrl)).toEqual([]);
});

test('so they do of the tables of payments, whose migrations can be begun again', async () => {
  const of = (start: string) => migrationList.find(({ name }) => name.startsWith(start))!;
  const [payables, checked, entrances, topUps] = [of('0053'), of('0054'), of('0066'), of('0071')];
  expect(payables.outsideTransaction).toBe(true);
  const constraints = () =>
    rows(
      own.owner,
      `SELECT conname, pg_get_constraintdef(oid) AS said FROM pg_constraint
        WHERE conname LIKE '%_payable_check' OR conname LIKE '%_participation_fkey' OR conname LIKE '%_entrance_fkey' OR conname LIKE '%_top_up_fkey' ORDER BY 1`,
    );
  const before = await constraints();
  await topUps.down(query());
  await entrances.down(query());
  await checked.down(query());
  await payables.down(query());
  await whileRead('payment_captures', () => payables.up(query()));
  await payables.up(query());
  await checked.up(query());
  await whileRead('payment_refunds', () => entrances.up(query()));
  await entrances.up(query());
  await whileRead('chargebacks', () => topUps.up(query()));
  await topUps.up(query());
  expect(await constraints()).toEqual(before);
});

test('so they do of touches, whose migration can be begun again, and of partners', async () => {
  const links = migrationList.find(({ name }) => name.startsWith('0065'))!;
  expect(links.outsideTransaction).toBe(true);
  const { id: partnerId, referralCode } = await make.partner(own.owner);
  const { id: below } = await make.partner(own.owner, { sponsorId: partnerId });
  const touch = async (firstCode: string): Promise<string> => {
    const id = randomUUID();
    await execute(
      own.owner,
      `INSERT INTO referral_touches (id, visitor, partner_id, partner_code, first_partner_code, first_touch_at,
         last_touch_at, landing_page)
       VALUES ($1::uuid, $1::uuid::text || '-hash', $2, $3, $4, now(), now(), '/')`,
      [id, partnerId, referralCode, firstCode],
    );
    return id;
  };
  const [same, other] = [await touch(referralCode), await touch('ANOTHER')];
  await links.down(query());
  await whileRead('referral_touches', () => links.up(query()));
  await execute(own.owner, 'DELETE FROM partner_descendants');
  await whileReading('partners', () => links.up(query()));
  expect(
    await rows(
      own.owner,
      'SELECT id, visitor AS cookie FROM referral_touches ORDER BY visitor = id::text',
      [],
    ),
  ).toEqual([
    { id: same, cookie: `${same}-hash` },
    { id: other, cookie: other },
  ]);
  const listed = `SELECT partner_id, level FROM partner_descendants d JOIN partners p ON p.number = d.ancestor_number
    WHERE p.id = $1 ORDER BY d.joined_at`;
  expect(await rows(own.owner, listed, [partnerId])).toEqual([{ partnerId: below, level: 1 }]);
  const { id: next } = await make.partner(own.owner, { sponsorId: partnerId });
  expect(await rows(own.owner, listed, [partnerId])).toEqual([
    { partnerId: below, level: 1 },
    { partnerId: next, level: 1 },
  ]);
});
