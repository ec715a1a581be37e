import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { carryOut, migrateDown, migrateUp, pendingMigrations } from '../../../db/schema/migrate';
import { migrationList } from '../../../db/schema/migration-list';
import {
  down as downProvenPhones,
  up as upProvenPhones,
} from '../../../db/schema/migrations/0034-proven-phones';
import {
  down as downBankReferences,
  up as upBankReferences,
} from '../../../db/schema/migrations/0040-bank-references';
import {
  down as downChargedBackRefunds,
  up as upChargedBackRefunds,
} from '../../../db/schema/migrations/0041-charged-back-refunds';
import {
  down as downAskedRefunds,
  up as upAskedRefunds,
} from '../../../db/schema/migrations/0043-asked-refunds';
import { execute, firstRow, rows } from '../../../db/sql/query';
import { stored } from '../../activities/commerce/chargeback/chargebacks';
import { at, transfersOf } from '../../activities/commerce/payment/transfers';
import { make } from '../../support/builders/make';
import { noteOf, orderSteps } from '../../support/builders/ordering';
import { violations } from '../../support/checks/violations';
import { ownDatabase } from '../../support/servers/database';
import { given } from '../../support/builders/given';

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

  test('every migration file is in the list, under its own name and in order', () => {
    const files = readdirSync(resolve(__dirname, '../../../db/schema/migrations')).map((file) =>
      file.replace(/\.ts$/, ''),
    );
    expect(names).toEqual(files.sort());
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
    await execute(own.owner, 'CREATE TABLE orders (id integer)'); // 0006 makes carts first, then stumbles over this.
    await expect(migrateUp(own.ownerUrl)).rejects.toThrow('0006-orders');
    expect(await firstRow(own.owner, `SELECT to_regclass('carts') AS carts`)).toEqual({ carts: null });
    expect(await pendingMigrations(own.owner)).toEqual(names.slice(5));
    await execute(own.owner, 'DROP TABLE orders');
    expect(await migrateUp(own.ownerUrl)).toEqual(names.slice(5));
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

describe('archived products', () => {
  const own = ownDatabase();
  const NAME = '0027-archived-products';

  /** Brings an empty database to the schema before a migration. */
  async function migrateBefore(name: string): Promise<void> {
    await execute(own.owner, 'DROP SCHEMA public CASCADE');
    await execute(own.owner, 'CREATE SCHEMA public');
    const query = own.owner.sequelize.getQueryInterface();
    for (const { up } of migrationList.slice(
      0,
      migrationList.findIndex((migration) => migration.name === name),
    ))
      await up(query);
  }

  const product = (id: number, sku: string, deletedAt: string | null) =>
    execute(
      own.owner,
      `INSERT INTO products (id, name, slug, sku, description, price_minor, status, commission_bp, career_points_bp,
       created_at, updated_at, deleted_at)
     VALUES ($1, $2, $2, $3, 'It is.', 100, CASE WHEN $4::timestamptz IS NULL THEN 'ACTIVE' ELSE 'ARCHIVED' END,
       0, 0, now(), now(), $4)`,
      [idOf(id), `product-${id}`, sku, deletedAt],
    );

  const idOf = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

  const variant = async (id: number, productId: number, sku: string, deletedAt: string | null) => {
    await execute(
      own.owner,
      `INSERT INTO product_variants (id, product_id, name, sku, price_minor, created_at, deleted_at)
     VALUES ($1, $2, 'One', $3, 100, now(), $4)`,
      [idOf(id), idOf(productId), sku, deletedAt],
    );
    await execute(
      own.owner,
      `INSERT INTO stock_items (id, product_id, variant_id, available, withdrawn, updated_at)
     VALUES ($1, $2, $3, 4, $4, now())`,
      [idOf(id + 1000), idOf(productId), idOf(id), deletedAt !== null],
    );
  };

  const EARLIER = '2026-01-01T00:00:00Z';
  const LATER = '2026-02-01T00:00:00Z';

  test('products that were deleted come back archived, with variants; whose SKU is taken gets another', async () => {
    await migrateBefore(NAME);
    await product(1, 'REUSED', null);
    await product(2, 'REUSED', EARLIER);
    await product(3, 'TWICE-GONE', EARLIER);
    await product(4, 'TWICE-GONE', LATER);
    await product(5, 'ALONE', LATER);
    await variant(11, 5, 'ALONE-V', LATER);
    await variant(12, 5, 'ALONE-GONE-BEFORE', EARLIER);
    await variant(13, 4, 'REUSED', LATER);
    const migration = migrationList.find(({ name }) => name === NAME)!;
    const query = own.owner.sequelize.getQueryInterface();

    await migration.up(query);
    expect(await rows(own.owner, 'SELECT sku FROM products ORDER BY id')).toEqual([
      { sku: 'REUSED' },
      { sku: `REUSED-${idOf(2)}` },
      { sku: `TWICE-GONE-${idOf(3)}` },
      { sku: 'TWICE-GONE' },
      { sku: 'ALONE' },
    ]);
    const variants = `SELECT v.sku, v.deleted_at IS NULL AS live, s.withdrawn
    FROM product_variants v JOIN stock_items s ON s.variant_id = v.id ORDER BY v.id`;
    expect(await rows(own.owner, variants)).toEqual([
      { sku: 'ALONE-V', live: true, withdrawn: false },
      { sku: 'ALONE-GONE-BEFORE', live: false, withdrawn: true },
      { sku: `REUSED-${idOf(13)}`, live: true, withdrawn: false },
    ]);

    await migration.down(query);
    expect(await rows(own.owner, 'SELECT 1 FROM product_variants WHERE deleted_at IS NULL')).toEqual([]);
    await migration.up(query);
    expect(await rows(own.owner, 'SELECT 1 FROM product_variants WHERE deleted_at IS NULL')).toHaveLength(2);
  });
});

describe('proven phones', () => {
  const own = ownDatabase();

  test('down: of those who name one number, who has proven it keeps it, else the oldest; up again works', async () => {
    const people: { id: string }[] = [];
    for (let n = 0; n < 5; n++) people.push(await make.user(own.db, { region: n === 4 ? 'US' : 'EU' }));
    const name = (n: number, phone: string, provenAt: string | null = null) =>
      execute(own.db, 'UPDATE users SET phone = $2, phone_verified_at = $3 WHERE id = $1', [
        people[n]!.id,
        phone,
        provenAt,
      ]);
    await name(0, '+4930901001');
    await name(1, '+4930901001', '2026-01-01');
    await name(2, '+4930901002');
    await name(3, '+4930901002');
    await name(4, '+4930901002');
    const query = own.owner.sequelize.getQueryInterface();
    await downProvenPhones(query);
    const phones = await rows<{ phone: string | null }>(
      own.db,
      'SELECT phone FROM users ORDER BY created_at, id',
    );
    expect(phones.map(({ phone }) => phone)).toEqual([
      null,
      '+4930901001',
      '+4930901002',
      null,
      '+4930901002',
    ]);
    await upProvenPhones(query);
    await name(3, '+4930901001');
  });
});

describe('bank references', () => {
  const own = ownDatabase();
  const query = () => own.owner.sequelize.getQueryInterface();
  const keys = () =>
    rows<{ name: string }>(
      own.owner,
      `SELECT indexname AS name FROM pg_indexes WHERE indexname ~ '_reference_key$' AND tablename ~ '^payment_(captures|refunds)$' ORDER BY 1`,
    );

  /** Replaces one bank reference by another. */
  async function rename(from: string, to: string): Promise<void> {
    const values = [from, to];
    await execute(
      own.owner,
      'UPDATE payment_captures SET provider_payment_id = $2 WHERE provider_payment_id = $1',
      values,
    );
    await execute(
      own.owner,
      'UPDATE payment_refunds SET settlement_reference = $2 WHERE settlement_reference = $1',
      values,
    );
  }

  test('references that were entered in two spellings stop the migration, by name; mended, it goes on; and back', async () => {
    const staffId = (await make.admin(own.db)).id;
    const { transferFor } = transfersOf(() => ({ db: own.db, staffId }));
    await downBankReferences(query());
    expect(await keys()).toEqual([{ name: 'payment_refunds_settlement_reference_key' }]);
    const steps = orderSteps(own.db);
    for (const reference of ['DE 7', 'DE 8'])
      await steps.confirmTransfer(await transferFor(await given(own.db).order({ at }), reference));
    for (const reference of ['out-7', 'out-8']) {
      const { refundId } = await given(own.db).order({ method: 'BANK_TRANSFER' }).paid().cancelled();
      await steps.settleRefund({ refundId, noteId: await noteOf(own.db, staffId, reference), at });
    }
    // The program refuses them today; it accepted them when they were entered.
    await rename('DE 8', 'de7');
    await rename('out-8', 'OUT\t-7');
    const failure = await upBankReferences(query()).catch((error: unknown) => String(error));
    expect(failure).toMatch(/same bank reference, written differently: payment_captures: .*DE 7 \(.*de7 \(/);
    expect(failure).toMatch(/; payment_refunds: .*out-7 \(/);
    expect(await keys()).toHaveLength(1);

    await rename('de7', 'DE 8');
    await rename('OUT\t-7', 'out-8');
    await upBankReferences(query());
    expect(await keys()).toEqual([
      { name: 'payment_captures_bank_reference_key' },
      { name: 'payment_refunds_settlement_reference_key' },
    ]);
    await downBankReferences(query());
    await upBankReferences(query());
  });
});

describe('charged back refunds', () => {
  const own = ownDatabase();
  const now = (): string => new Date().toISOString();

  const refunds = async (): Promise<string[]> => {
    const found = await rows<{ refund: string }>(
      own.db,
      `SELECT amount_minor || ' ' || status AS refund FROM payment_refunds ORDER BY created_at, id`,
    );
    return found.map(({ refund }) => refund);
  };

  test('what came by a chargeback is owed as before when the migration is undone, and ends again by the report', async () => {
    const order = await given(own.db).order().paid().cancelled();
    const steps = orderSteps(own.db);
    const lost = { chargebackId: 'one', amountMinor: 2_000 };
    const taken = await stored(own.db, 'payment.charged_back', order, lost);
    await steps.applyPaymentEvent({ webhookEventId: taken, at: now() });
    await steps.abandonRefund({ refundId: order.refundId, at: now() });
    const report = async () => {
      const webhookEventId = await stored(own.db, 'payment.chargeback_lost', order, lost);
      return steps.applyPaymentEvent({ webhookEventId, at: now() });
    };
    await report();
    expect(await refunds()).toEqual(['3000 ABANDONED', '2000 CHARGED_BACK']);
    const query = own.owner.sequelize.getQueryInterface();
    await downChargedBackRefunds(query);
    expect(await refunds()).toEqual(['3000 ABANDONED', '2000 ABANDONED']);
    await upChargedBackRefunds(query);
    expect(await report()).toMatchObject({ outcome: 'APPLIED' });
    expect(await refunds()).toEqual(['1000 ABANDONED', '2000 ABANDONED', '2000 CHARGED_BACK']);
    expect(await violations(own.db)).toEqual([]);
  });
});

describe('refunds that were asked for', () => {
  const own = ownDatabase();

  test('refunds that are older than the migration count as asked for', async () => {
    const { refundId } = await given(own.db).order().paid().cancelled();
    const asked = () =>
      firstRow<{ isAsked: boolean }>(
        own.db,
        'SELECT asked_at IS NOT NULL AS is_asked FROM payment_refunds WHERE id = $1',
        [refundId],
      );
    expect(await asked()).toEqual({ isAsked: false });
    const query = own.owner.sequelize.getQueryInterface();
    await downAskedRefunds(query);
    await upAskedRefunds(query);
    expect(await asked()).toEqual({ isAsked: true });
  });
});
