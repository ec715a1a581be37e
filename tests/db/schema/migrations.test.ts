import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { carryOut, migrateDown, migrateUp, pendingMigrations } from '../../../db/schema/migrate';
import { migrationList } from '../../../db/schema/migration-list';
import { execute, firstRow, rows } from '../../../db/sql/query';
import { ownDatabase } from '../../support/servers/database';

describe('migrating', () => {
  const own = ownDatabase();
  const names = migrationList.map(({ name }) => name);

  /** Every object that migrations make, as text, to compare two schemas. */
  const fingerprint = () =>
    rows(
      own.owner,
      `SELECT c.relname AS name, a.attname AS part, format_type(a.atttypid, a.atttypmod) AS type, a.attnotnull AS required
       FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
       WHERE c.relnamespace = 'public'::regnamespace AND c.relname NOT LIKE 'schema_migrations%'
     UNION ALL SELECT conname, conrelid::regclass::text, pg_get_constraintdef(oid), false
       FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND conrelid <> 'schema_migrations'::regclass
     UNION ALL SELECT proname, '', prosrc, false FROM pg_proc WHERE pronamespace = 'public'::regnamespace
     UNION ALL SELECT tgname, tgrelid::regclass::text, pg_get_triggerdef(oid), false FROM pg_trigger WHERE NOT tgisinternal
     ORDER BY 1, 2, 3`,
    );

  beforeEach(async () => {
    await execute(own.owner, 'DROP SCHEMA public CASCADE');
    await execute(own.owner, 'CREATE SCHEMA public');
  });

  test('every file and folder of migrations is one, in the order of their numbers', () => {
    const files = readdirSync(resolve(__dirname, '../../../db/schema/migrations')).map((file) =>
      file.replace(/\.ts$/, ''),
    );
    expect(names.length).toBeGreaterThan(20);
    expect(names).toEqual(files.sort());
    expect(names.map((name) => Number(name.slice(0, 4)))).toEqual(names.map((_, index) => index + 1));
  });

  test('an empty database is brought up to date once', async () => {
    expect(await pendingMigrations(own.owner)).toEqual(names);
    expect(await migrateUp(own.ownerUrl)).toEqual(names);
    expect(await pendingMigrations(own.owner)).toEqual([]);
    expect(await migrateUp(own.ownerUrl)).toEqual([]);
  });

  test('of two starts at once one migrates, and the other waits and finds nothing to do', async () => {
    const applied = await Promise.all([
      migrateUp(own.ownerUrl),
      migrateUp(own.ownerUrl),
      migrateUp(own.ownerUrl),
    ]);
    expect(applied.flat().sort()).toEqual(names);
    expect(applied.filter((list) => list.length === 0)).toHaveLength(2);
  });

  test('a start waits for the migrator that holds the lock', async () => {
    const client = await own.owner.sequelize.transaction();
    const holder = { sequelize: own.owner.sequelize, transaction: client };
    await execute(holder, 'SELECT pg_advisory_xact_lock(7310211)');
    const migrating = migrateUp(own.ownerUrl);
    let waiting = 0;
    while (waiting === 0) {
      const found = await firstRow<{ n: number }>(
        own.owner,
        `SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database()
           AND application_name = 'migrate' AND query LIKE '%pg_try_advisory_lock%'`,
      );
      waiting = found!.n;
    }
    expect(await pendingMigrations(own.owner)).toEqual(names);
    await client.commit();
    expect(await migrating).toEqual(names);
  });

  test('every step down takes back what its step up made, and up again makes the same schema', async () => {
    await migrateUp(own.ownerUrl);
    const whole = await fingerprint();
    expect(await migrateDown(own.ownerUrl)).toEqual(names.slice(-1));
    expect(await pendingMigrations(own.owner)).toEqual(names.slice(-1));
    expect(await migrateDown(own.ownerUrl, 'all')).toEqual(names.slice(0, -1).reverse());
    expect(await fingerprint()).toEqual([]);
    expect(await migrateUp(own.ownerUrl)).toEqual(names);
    expect(await fingerprint()).toEqual(whole);
  });

  test('a migration that fails half-way leaves nothing, and the ones before it stand', async () => {
    await execute(own.owner, 'CREATE TABLE orders (id integer)'); // 0014 makes the sequence of their numbers first, then fails on this.
    await expect(migrateUp(own.ownerUrl)).rejects.toThrow('0014-orders');
    expect(await firstRow(own.owner, `SELECT to_regclass('order_numbers') AS numbers`)).toEqual({
      numbers: null,
    });
    expect(await pendingMigrations(own.owner)).toEqual(names.slice(13));
    await execute(own.owner, 'DROP TABLE orders');
    expect(await migrateUp(own.ownerUrl)).toEqual(names.slice(13));
  });

  test('the command says what it did', async () => {
    expect(await carryOut('pending', own.ownerUrl)).toBe(`Pending: ${names.join(', ')}`);
    expect(await carryOut('up', own.ownerUrl)).toBe(`Applied: ${names.join(', ')}`);
    expect(await carryOut('up', own.ownerUrl)).toBe('Applied: nothing');
    expect(await carryOut('down', own.ownerUrl)).toBe(`Taken back: ${names.at(-1)}`);
    expect(await carryOut('down all', own.ownerUrl)).toBe(
      `Taken back: ${names.slice(0, -1).reverse().join(', ')}`,
    );
    await expect(carryOut('sideways', own.ownerUrl)).rejects.toThrow(
      'Usage: migrate up | down | down all | pending',
    );
  });
});
