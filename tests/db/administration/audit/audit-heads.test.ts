import { keepAuditHead } from '../../../../db/administration/audit/audit-head.writes';
import { verifyAuditChain } from '../../../../db/administration/audit/audit.reads';
import { connect } from '../../../../db/sql/connection';
import { KeyRing } from '../../../../db/sealing/key-ring';
import { execute, rows, type Db } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { ownDatabase } from '../../../support/servers/database';
import { pastTriggers as pastTriggersOf, record, recordIds, recordMany } from './audit.world';

const own = ownDatabase();
const pastTriggers = (statement: string, bind?: unknown[]) => pastTriggersOf(own.owner, statement, bind);
const keepHead = (db: Db = own.db, at = new Date()) => inTransaction(db, (tx) => keepAuditHead(tx, at));
const heads = () => rows(own.db, 'SELECT count FROM audit_heads ORDER BY id');

beforeEach(() => pastTriggers('TRUNCATE audit_records, audit_heads'));

test('the head is kept once for each end of the trail, and answered every time', async () => {
  expect(await keepHead()).toBeNull();
  await recordMany(own.db, 3);
  const head = await keepHead();
  expect(head).toMatchObject({ count: 3, recordId: (await recordIds(own.db))[2] });
  expect(await keepHead()).toMatchObject({ count: 3, hash: head!.hash });
  await recordMany(own.db, 2);
  await Promise.all([keepHead(), keepHead()]);
  expect(await heads()).toEqual(expect.arrayContaining([{ count: 3 }, { count: 5 }]));
  expect(await verifyAuditChain(own.db)).toEqual({ valid: true, checked: 5, brokenAt: null });
});

test.each([1, 2, 5])('an end of %s records that was cut off after a check is missed', async (gone) => {
  await recordMany(own.db, 5);
  const head = await keepHead();
  await pastTriggers(
    'DELETE FROM audit_records WHERE sequence IN (SELECT sequence FROM audit_records ORDER BY sequence DESC LIMIT $1)',
    [gone],
  );
  const missing = { valid: false, checked: 5 - gone, brokenAt: head!.recordId };
  expect(await verifyAuditChain(own.db)).toEqual(missing);
  expect(await keepHead()).toBeNull();
  // Records after the cut do not hide it.
  await record(own.db);
  expect(await verifyAuditChain(own.db)).toEqual(missing);
  expect(await heads()).toEqual([{ count: 5 }]);
});

test('an end that was rewritten under our own keys is found by the head', async () => {
  await recordMany(own.db, 4);
  await keepHead();
  await pastTriggers(
    'DELETE FROM audit_records WHERE sequence IN (SELECT sequence FROM audit_records ORDER BY sequence DESC LIMIT 1)',
  );
  await execute(
    own.owner,
    `SELECT setval(pg_get_serial_sequence('audit_records', 'sequence'), (SELECT max(sequence) FROM audit_records))`,
  );
  await record(own.db);
  const rewritten = (await recordIds(own.db))[3];
  expect(await verifyAuditChain(own.db)).toMatchObject({ valid: false, brokenAt: rewritten });
});

test('a chain made anew without our keys is no chain, keyed by others or not keyed at all', async () => {
  const others = connect({ DATABASE_URL: own.url }, 'test', undefined, {
    keys: new KeyRing([{ id: 'test', key: Buffer.alloc(32, 1) }]),
  });
  await recordMany(others, 3);
  await others.sequelize.close();
  const [first] = await recordIds(own.db);
  expect(await verifyAuditChain(own.db)).toEqual({ valid: false, checked: 0, brokenAt: first });
});

test('a head that was changed, or made by others, is not believed', async () => {
  await recordMany(own.db, 3);
  const head = await keepHead();
  await pastTriggers('UPDATE audit_heads SET count = count - 1');
  const forged = { valid: false, checked: 0, brokenAt: head!.recordId };
  expect(await verifyAuditChain(own.db)).toEqual(forged);
  expect(await keepHead()).toBeNull();
});

test('keys are changed by a new one in front; without the old one its records no longer verify', async () => {
  await recordMany(own.db, 2);
  await keepHead();
  const next = { id: 'next', key: Buffer.alloc(32, 9) };
  const old = { id: 'test', key: Buffer.alloc(32, 8) };
  const rotated: Db = { ...own.db, keys: new KeyRing([next, old]) };
  await recordMany(rotated, 2);
  await keepHead(rotated);
  expect(await rows(own.db, 'SELECT key_id AS key FROM audit_records ORDER BY sequence')).toEqual(
    ['test', 'test', 'next', 'next'].map((key) => ({ key })),
  );
  expect(await verifyAuditChain(rotated)).toMatchObject({ valid: true, checked: 4 });
  expect(await verifyAuditChain({ ...own.db, keys: new KeyRing([next]) })).toMatchObject({
    valid: false,
    checked: 0,
  });
});

describe('records from before there were keys', () => {
  /** Makes the records as the migration leaves them: unkeyed, with a head at their end. */
  async function legacy(count: number): Promise<void> {
    await execute(own.owner, 'ALTER TABLE audit_records DROP CONSTRAINT IF EXISTS audit_records_keyed_check');
    await execute(own.owner, 'ALTER TABLE audit_heads DROP CONSTRAINT IF EXISTS audit_heads_keyed_check');
    for (let n = 0; n < count; n++)
      await execute(
        own.owner,
        `WITH last AS (SELECT coalesce((SELECT hash FROM audit_records ORDER BY sequence DESC LIMIT 1), repeat('0', 64)) AS hash),
         new AS (SELECT gen_random_uuid() AS id, hash FROM last)
         INSERT INTO audit_records (id, action, entity_type, entity_id, created_at, previous_hash, hash)
         SELECT id, 'a', 'b', 'c', 'epoch', hash, encode(sha256(convert_to(hash ||
           '{"action":"a","actorId":null,"clientAddress":null,"createdAt":"1970-01-01T00:00:00.000Z","entityId":"c","entityType":"b","id":"'
           || id || '","next":null,"previous":null}', 'UTF8')), 'hex') FROM new`,
      );
    await execute(
      own.owner,
      `INSERT INTO audit_heads (sequence, record_id, hash, count, kept_at)
       SELECT sequence, id, hash, (SELECT count(*) FROM audit_records), now()
       FROM audit_records ORDER BY sequence DESC LIMIT 1`,
    );
  }
  const guarded = async (): Promise<void> => {
    for (const table of ['audit_records', 'audit_heads'])
      await execute(
        own.owner,
        `ALTER TABLE ${table} ADD CONSTRAINT ${table}_keyed_check CHECK (key_id IS NOT NULL) NOT VALID`,
      );
  };

  test('stay verifiable, and keyed ones follow them', async () => {
    await legacy(3);
    await guarded();
    expect(await verifyAuditChain(own.db)).toEqual({ valid: true, checked: 3, brokenAt: null });
    await recordMany(own.db, 2);
    expect(await keepHead()).toMatchObject({ count: 5 });
    expect(await verifyAuditChain(own.db)).toEqual({ valid: true, checked: 5, brokenAt: null });
  });

  test('are the last of their kind: the database takes no more, and the verifier believes none', async () => {
    await legacy(3);
    const late = await legacyAfterTheMark();
    await guarded();
    expect(await verifyAuditChain(own.db)).toEqual({ valid: false, checked: 3, brokenAt: late });
    await expect(
      execute(
        own.db,
        `INSERT INTO audit_records (id, action, entity_type, entity_id, created_at, previous_hash, hash)
         VALUES (gen_random_uuid(), 'a', 'b', 'c', now(), 'x', 'y')`,
      ),
    ).rejects.toThrow(/audit_records_keyed_check|Validation error/);
  });

  async function legacyAfterTheMark(): Promise<string> {
    await legacy(1);
    await pastTriggers('DELETE FROM audit_heads WHERE id = (SELECT max(id) FROM audit_heads)');
    return (await recordIds(own.db)).at(-1)!;
  }

  test('have an end that may not be cut off either', async () => {
    await legacy(3);
    await guarded();
    const last = (await recordIds(own.db)).at(-1);
    await pastTriggers('DELETE FROM audit_records WHERE id = $1', [last]);
    expect(await verifyAuditChain(own.db)).toEqual({ valid: false, checked: 2, brokenAt: last });
  });
});
