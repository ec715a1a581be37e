import { v7 } from 'uuid';
import { keepAuditHead } from '../../../../db/administration/audit/audit-head.writes';
import { requireAuditKeys } from '../../../../db/administration/audit/audit-keys.reads';
import { auditValue } from '../../../../db/administration/audit/audit-values';
import { verifyAuditChain } from '../../../../db/administration/audit/audit.reads';
import { type Change, recordAudit } from '../../../../db/administration/audit/audit.writes';
import { KeyRing, type SealingKey } from '../../../../db/sealing/key-ring';
import { connect } from '../../../../db/sql/connection';
import { type Db, execute, firstRow, rows } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { ownDatabase } from '../../../support/servers/database';
import { testKeys } from '../../../support/worlds/variables';
import {
  change,
  pastTriggers,
  pastTriggers as pastTriggersOf,
  record,
  recordIds,
  record as recordIn,
  recordMany,
  recordMany as recordManyIn,
} from './audit.world';

describe('the trail', () => {
  const own = ownDatabase();

  beforeEach(() => pastTriggers('TRUNCATE audit_records'));

  const record = (more?: Partial<Change>) => recordIn(own.db, more);
  const recordMany = (count: number) => recordManyIn(own.db, count);
  const ids = () => recordIds(own.db);
  const pastTriggers = (statement: string, bind?: unknown[]) => pastTriggersOf(own.owner, statement, bind);

  test('an empty trail and a written one are in order, in batches of any size', async () => {
    expect(await verifyAuditChain(own.db)).toEqual({ valid: true, checked: 0, brokenAt: null });
    await recordMany(6);
    await record({ actorId: null, previous: null, next: undefined, clientAddress: null });
    for (const batch of [1, 2, 7, 1_000]) {
      expect(await verifyAuditChain(own.db, batch)).toEqual({ valid: true, checked: 7, brokenAt: null });
    }
  });

  test('a change that is rolled back leaves no record and no gap in the chain', async () => {
    await record();
    const failing = inTransaction(own.db, async (tx) => {
      await recordAudit(tx, change());
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    await record();
    expect(await verifyAuditChain(own.db)).toMatchObject({ valid: true, checked: 2 });
  });

  test('many writers at once make one unbroken chain', async () => {
    await Promise.all(Array.from({ length: 60 }, () => record()));
    expect(await verifyAuditChain(own.db)).toEqual({ valid: true, checked: 60, brokenAt: null });
  });

  test.each([
    'UPDATE audit_records SET action = entity_id',
    'DELETE FROM audit_records',
    'TRUNCATE audit_records',
  ])('the database refuses %s', async (statement) => {
    await record();
    await expect(execute(own.db, statement)).rejects.toThrow('permission denied for table audit_records');
    await expect(execute(own.owner, statement)).rejects.toThrow('audit_records is append-only');
    expect(await verifyAuditChain(own.db)).toMatchObject({ valid: true, checked: 1 });
  });

  test.each([
    `action = 'user.praise'`,
    `actor_id = NULL`,
    `entity_type = 'order'`,
    `entity_id = 'another'`,
    `previous = '{"status": "BANNED"}'`,
    `next = next || '{"until": null}'`,
    `client_address = '2001:db8::2'`,
    `created_at = created_at - interval '1 millisecond'`,
    `previous_hash = repeat('0', 64)`,
    `hash = repeat('f', 64)`,
  ])('a record altered past the triggers is named: %s', async (assignment) => {
    await recordMany(5);
    const third = (await ids())[2]!;
    expect(await pastTriggers(`UPDATE audit_records SET ${assignment} WHERE id = $1`, [third])).toBe(1);
    expect(await verifyAuditChain(own.db, 2)).toEqual({ valid: false, checked: 2, brokenAt: third });
  });

  test('a record that is gone, or stands elsewhere, breaks the chain where it is missed', async () => {
    await recordMany(5);
    const [first, second, third] = await ids();
    expect(await pastTriggers('DELETE FROM audit_records WHERE id = $1', [second])).toBe(1);
    expect(await verifyAuditChain(own.db)).toEqual({ valid: false, checked: 1, brokenAt: third });
    expect(await pastTriggers('DELETE FROM audit_records WHERE id = $1', [first])).toBe(1);
    expect(await verifyAuditChain(own.db)).toEqual({ valid: false, checked: 0, brokenAt: third });
  });
});

describe('heads', () => {
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

  test('the database takes no record and no head without a key', async () => {
    await expect(
      execute(
        own.db,
        `INSERT INTO audit_records (id, action, entity_type, entity_id, created_at, previous_hash, hash)
         VALUES (gen_random_uuid(), 'a', 'b', 'c', now(), 'x', 'y')`,
      ),
    ).rejects.toThrow('key_id');
    await expect(
      execute(
        own.db,
        `INSERT INTO audit_heads (sequence, record_id, hash, count, kept_at) VALUES (1, gen_random_uuid(), 'x', 1, now())`,
      ),
    ).rejects.toThrow('key_id');
  });
});

describe('keys', () => {
  const own = ownDatabase();
  const test1: SealingKey = { id: 'test', key: Buffer.alloc(32, 8) };
  const added: SealingKey = { id: 'added', key: Buffer.alloc(32, 9) };
  const madeUp: SealingKey = { id: 'made-up', key: Buffer.alloc(32, 1) };
  const under = (...keys: [SealingKey, ...SealingKey[]]): Db => ({ ...own.db, keys: new KeyRing(keys) });
  const refused = (db: Db) => expect(requireAuditKeys(db)).rejects;

  beforeEach(() => pastTriggers(own.owner, 'TRUNCATE audit_records, audit_heads'));

  test('any key may begin a trail', async () => {
    await expect(requireAuditKeys(under(madeUp))).resolves.toBeUndefined();
  });

  test('a ring without the key of the newest record, or with another key of its name, is refused', async () => {
    await recordMany(own.db, 2);
    await refused(under(madeUp)).toThrow(/SEALING_KEYS.*test/);
    await refused(under({ ...madeUp, id: 'test' }, added)).toThrow(/SEALING_KEYS.*test/);
    await expect(requireAuditKeys(under(test1))).resolves.toBeUndefined();
  });

  test('the head that was kept counts too', async () => {
    await recordMany(own.db, 2);
    await inTransaction(under(added, test1), (tx) => keepAuditHead(tx, new Date()));
    await refused(under(test1)).toThrow(/SEALING_KEYS.*added/);
    await expect(requireAuditKeys(under(test1, added))).resolves.toBeUndefined();
  });

  test('a key is appended, moved to the front, and stays on the ring', async () => {
    await record(own.db);
    await expect(requireAuditKeys(under(test1, added))).resolves.toBeUndefined();
    await record(under(added, test1));
    await expect(requireAuditKeys(under(test1, added))).resolves.toBeUndefined();
    await refused(under(test1)).toThrow(/SEALING_KEYS.*added/);
  });

  test('a record that was altered is for the check of the trail to tell, while the head proves the key', async () => {
    await recordMany(own.db, 2);
    await inTransaction(own.db, (tx) => keepAuditHead(tx, new Date()));
    await pastTriggers(own.owner, `UPDATE audit_records SET action = 'other'`);
    await expect(requireAuditKeys(own.db)).resolves.toBeUndefined();
  });
});

describe('values', () => {
  const own = ownDatabase();
  const ofUser = (value: object) => auditValue(value, 'user', testKeys) as Record<string, unknown>;
  const fingerprint = expect.stringMatching(/^fingerprint:[0-9a-f]{24}$/);

  test('secrets and personal data never reach the trail, wherever they stand', async () => {
    const hidden = {
      email: 'ada@example.com',
      password: 'hunter2hunter2',
      passwordHash: '$argon2id$hunter2',
      payoutDetails: [{ cardNumber: '4111hunter2', iban: 'DEhunter2', bankName: 'Bank' }],
      webhook_secret: 'whsec_hunter2',
      refreshToken: null,
      access_token: 'hunter2',
      twoFactorCode: 'hunter2',
      rankCode: 'LEADER',
    };
    await record(own.db, {
      action: 'refund.approve',
      previous: hidden,
      next: { deep: { deeper: [hidden] } },
    });
    const stored = await firstRow<{ previous: object; text: string }>(
      own.db,
      'SELECT previous, previous::text || next::text AS text FROM audit_records',
    );
    expect(stored!.text).not.toMatch(/hunter2|ada@/);
    expect(stored!.previous).toEqual({
      email: fingerprint,
      password: '[redacted]',
      passwordHash: '[redacted]',
      payoutDetails: [{ cardNumber: '[redacted]', iban: '[redacted]', bankName: 'Bank' }],
      webhook_secret: '[redacted]',
      refreshToken: null,
      access_token: '[redacted]',
      twoFactorCode: '[redacted]',
      rankCode: 'LEADER',
    });
    expect(await verifyAuditChain(own.db)).toMatchObject({ valid: true, checked: 1 });
  });

  test('of a person, what says who it is becomes a fingerprint, and what happened to it stays readable', () => {
    const noteId = v7();
    expect(
      ofUser({
        email: 'ada@example.com',
        phone: '+4915112345678',
        firstName: 'ADA',
        lastName: 'Lovelace',
        middleName: null,
        dateOfBirth: '1815-12-10',
        nickname: 'Countess',
        status: 'SUSPENDED',
        suspendedUntil: '2026-12-01T00:00:00.000Z',
        reason: 'Asked for it.',
        roles: ['USER', 'ADMIN'],
        timezone: 'Europe/Berlin',
        language: 'de',
        twoFactor: false,
        sessionsRevoked: 3,
        method: 'TOTP',
        noteId,
      }),
    ).toEqual({
      email: fingerprint,
      phone: fingerprint,
      firstName: fingerprint,
      lastName: fingerprint,
      middleName: null,
      dateOfBirth: fingerprint,
      nickname: fingerprint,
      status: 'SUSPENDED',
      suspendedUntil: '2026-12-01T00:00:00.000Z',
      reason: 'Asked for it.',
      roles: ['USER', 'ADMIN'],
      timezone: 'Europe/Berlin',
      language: 'de',
      twoFactor: false,
      sessionsRevoked: 3,
      method: 'TOTP',
      noteId,
    });
  });

  test('the same value has the same fingerprint, another one another, and names of goods stay', () => {
    const [one, same, other] = ['ada@example.com', 'ada@example.com', 'bob@example.com'].map(
      (email) => ofUser({ email })['email'],
    );
    expect(one).toBe(same);
    expect(one).not.toBe(other);
    expect(auditValue({ name: 'Headphones', title: 'Ada' }, 'product', testKeys)).toEqual({
      name: 'Headphones',
      title: 'Ada',
    });
    expect(
      auditValue({ shippingAddress: { city: 'London' }, contactEmail: 'a@b.c' }, 'order', testKeys),
    ).toEqual({
      shippingAddress: fingerprint,
      contactEmail: fingerprint,
    });
    expect(auditValue(undefined, 'order', testKeys)).toBeNull();
  });
});
