import { z } from 'zod';
import { inMajorUnits } from '../../../../api/admin/audit-logs/in-major-units';
import { AUDITED_ACTIONS } from '../../../../db/administration/audit/audit-vocabulary';
import { verifyAuditChain } from '../../../../db/administration/audit/audit.reads';
import { recordAudit, type Change } from '../../../../db/administration/audit/audit.writes';
import { execute, rows } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { make } from '../../../support/builders/make';
import { startAdminWorld, outcomeOf, type AdminWorld } from '../admin-world';

let adminWorld: AdminWorld;
beforeAll(async () => {
  adminWorld = await startAdminWorld({ worker: false });
});
afterAll(() => adminWorld.world.teardown());

describe('GET /admin/audit-logs', () => {
  const record = (change: Partial<Change>) =>
    inTransaction(adminWorld.world.db, (tx) =>
      recordAudit(tx, {
        actorId: adminWorld.admin.id,
        action: 'order.confirm-transfer',
        entityId: 'o-1',
        previous: { status: 'PENDING_PAYMENT' },
        next: { status: 'PAID', password: 'hunter2' },
        clientAddress: '192.0.2.1',
        at: new Date('2026-03-01T10:00:00Z'),
        ...change,
      }),
    );
  beforeAll(async () => {
    await record({});
    await record({
      action: 'order.cancel',
      actorId: adminWorld.superAdmin.id,
      at: new Date('2026-03-02T10:00:00Z'),
    });
    await record({
      action: 'user.suspension-ended',
      entityId: adminWorld.user.id,
      actorId: null,
    });
  });

  const AuditRecord = z.strictObject({
    id: z.uuid(),
    actor: z.strictObject({ id: z.uuid(), email: z.string().nullable() }).nullable(),
    action: z.string(),
    entityType: z.string(),
    entityId: z.string(),
    previous: z.unknown(),
    next: z.unknown(),
    clientAddress: z.string().nullable(),
    createdAt: z.iso.datetime(),
    hash: z.string().regex(/^[0-9a-f]{64}$/),
  });

  const list = async (query = '') => {
    const { status, body } = await adminWorld.ask('get', `/admin/audit-logs?${query}`);
    expect(status).toBe(200);
    return z.array(AuditRecord).parse(body.data.records);
  };
  const actions = async (query: string) => (await list(query)).map(({ action }) => action);

  test('shows each change and its actor, newest first, without secrets', async () => {
    const records = await list();
    expect(records.map(({ action }) => action)).toEqual([
      'user.suspension-ended',
      'order.cancel',
      'order.confirm-transfer',
    ]);
    expect(records[0]!.actor).toBeNull();
    expect(records[2]).toMatchObject({
      actor: { id: adminWorld.admin.id, email: adminWorld.admin.email },
      previous: { status: 'PENDING_PAYMENT' },
      next: { status: 'PAID', password: '[redacted]' },
      clientAddress: '192.0.2.1',
      createdAt: '2026-03-01T10:00:00.000Z',
    });
  });

  test('filters by actor, action, entity and date, and comes in pages', async () => {
    expect(await actions(`actor=${adminWorld.superAdmin.id}`)).toEqual(['order.cancel']);
    expect(await actions('action=order.confirm-transfer')).toEqual(['order.confirm-transfer']);
    expect(await actions(`entityType=user&entityId=${adminWorld.user.id}`)).toEqual([
      'user.suspension-ended',
    ]);
    expect(await actions(`entityId=${adminWorld.user.id.toUpperCase()}`)).toEqual(['user.suspension-ended']);
    expect(await actions('entityType=user&entityId=o-1')).toEqual([]);
    expect(await actions('dateFrom=2026-03-02')).toEqual(['order.cancel']);
    expect(await actions('dateTo=2026-03-01T10:00:00Z&entityType=order')).toEqual(['order.confirm-transfer']);
    const { body } = await adminWorld.ask('get', '/admin/audit-logs?page=2&pageSize=2');
    expect(body.data.records).toHaveLength(1);
    expect(body.meta.pagination).toMatchObject({ total: 3, hasNext: false, hasPrevious: true });
  });

  test('takes the actor by email address, and names of the vocabulary in any case', async () => {
    const { email } = adminWorld.superAdmin;
    expect(await actions(`actor=${email.toUpperCase()}`)).toEqual(['order.cancel']);
    expect(await actions('action=ORDER.CANCEL&entityType=Order')).toEqual(['order.cancel']);
    for (const [field, value] of [
      ['action', 'order.vanish'],
      ['entityType', 'spaceship'],
      ['actor', 'nobody@example.com'],
    ] as const) {
      const refused = await adminWorld.ask('get', `/admin/audit-logs?${field}=${value}`);
      expect(outcomeOf(refused)).toBe('400 VALIDATION_ERROR');
      expect(Object.keys(refused.body.error.details as object)).toEqual([field]);
    }
  });

  test('GET /admin/audit-logs/actions lists the names that the filters take', async () => {
    const { status, body } = await adminWorld.ask('get', '/admin/audit-logs/actions');
    expect(status).toBe(200);
    const { actions: names, entityTypes } = body.data as {
      actions: string[];
      entityTypes: { entityType: string; actions: string[] }[];
    };
    expect(names).toEqual([...AUDITED_ACTIONS].sort());
    expect(entityTypes.find(({ entityType }) => entityType === 'process')).toEqual({
      entityType: 'process',
      actions: ['operation.abandon', 'operation.retry'],
    });
    expect(outcomeOf(await adminWorld.ask('get', `/admin/audit-logs?action=${names[0]!}`))).toBe('200');
    for (const [token, refusal] of [
      [null, '401 UNAUTHORIZED'],
      [adminWorld.tokens.user, '403 FORBIDDEN'],
    ] as const)
      expect(outcomeOf(await adminWorld.ask('get', '/admin/audit-logs/actions', undefined, token))).toBe(
        refusal,
      );
  });

  test('decisions about the processes of an order are found under the order, early ones too', async () => {
    const orderId = '01a20400-0000-7000-8000-000000000001';
    const about = { action: 'operation.retry' } as const;
    await record({ ...about, entityId: `checkout:${orderId}`, next: { decision: 'retry' } });
    await record({ ...about, entityId: 'bank-transfer:x', next: { decision: 'retry', orderId } });
    await record({ ...about, entityId: 'checkout:another', next: { decision: 'retry' } });
    const found = await list(`entityType=order&entityId=${orderId}`);
    expect(found.map(({ entityId }) => entityId)).toEqual(['bank-transfer:x', `checkout:${orderId}`]);
    expect(await list(`entityType=order&entityId=${orderId.toUpperCase()}`)).toEqual(found);
    expect(await list(`entityId=checkout:${orderId.toUpperCase()}`)).toEqual([found[1]]);
    expect(await list(`entityType=order&entityId=${orderId}&action=operation.abandon`)).toEqual([]);
  });

  test('VALIDATION_ERROR, and for administrators only', async () => {
    for (const query of ['actor=me', 'pageSize=101', 'dateFrom=soon', 'action=', 'actor=nobody@example.com'])
      expect(outcomeOf(await adminWorld.ask('get', `/admin/audit-logs?${query}`))).toBe(
        '400 VALIDATION_ERROR',
      );
    expect(outcomeOf(await adminWorld.ask('get', '/admin/audit-logs', undefined, null))).toBe(
      '401 UNAUTHORIZED',
    );
    expect(
      outcomeOf(await adminWorld.ask('get', '/admin/audit-logs', undefined, adminWorld.tokens.user)),
    ).toBe('403 FORBIDDEN');
  });

  test('amounts and percentages are those of the API, while the record keeps what was hashed', async () => {
    await record({
      action: 'product.update',
      entityId: 'p-1',
      previous: { priceMinor: 1818, commissionBp: 1250 },
      next: { priceMinor: null, currency: 'EUR', sku: 'MINOR-1' },
    });
    const [shown] = await list('entityType=product');
    expect(shown).toMatchObject({
      previous: { price: 18.18, commissionPercentage: 12.5 },
      next: { price: null, currency: 'EUR', sku: 'MINOR-1' },
    });
    expect(JSON.stringify(shown)).not.toMatch(/Minor"|Bp"/);
    const { body } = await adminWorld.ask('get', '/admin/audit-logs/verify');
    expect(body.data.valid).toBe(true);
  });
});

describe('GET /admin/audit-logs/verify', () => {
  const behindOurBack = async (statement: string, bind: unknown[]): Promise<void> => {
    const { owner } = adminWorld.world;
    await execute(owner, 'ALTER TABLE audit_records DISABLE TRIGGER audit_records_no_change');
    await execute(owner, statement, bind);
    await execute(owner, 'ALTER TABLE audit_records ENABLE TRIGGER audit_records_no_change');
  };
  beforeAll(async () => {
    await behindOurBack('DELETE FROM audit_records', []);
    for (let i = 0; i < 12; i++) {
      const { id } = await make.user(adminWorld.world.db);
      expect(outcomeOf(await adminWorld.ask('patch', `/admin/users/${id}`, { note: `Note ${i}` }))).toBe(
        '200',
      );
    }
  });

  const Verified = z.strictObject({ valid: z.boolean(), checked: z.number(), brokenAt: z.uuid().nullable() });
  const verify = async () => {
    const { status, body } = await adminWorld.ask('get', '/admin/audit-logs/verify');
    expect(status).toBe(200);
    return Verified.parse(body.data);
  };

  test('says that the trail is whole; in small batches it says the same', async () => {
    const whole = { valid: true, checked: 12, brokenAt: null };
    expect(await verify()).toEqual(whole);
    expect(await verifyAuditChain(adminWorld.world.db, 5)).toEqual(whole);
  });

  test('names the record that was altered in the database, or that follows a deleted one', async () => {
    const { db } = adminWorld.world;
    const ids = (await rows<{ id: string }>(db, 'SELECT id FROM audit_records ORDER BY sequence')).map(
      ({ id }) => id,
    );
    await behindOurBack('DELETE FROM audit_records WHERE id = $1', [ids[8]]);
    expect(await verify()).toEqual({ valid: false, checked: 8, brokenAt: ids[9] });
    await behindOurBack(`UPDATE audit_records SET next = '{}' WHERE id = $1`, [ids[4]]);
    expect(await verify()).toEqual({ valid: false, checked: 4, brokenAt: ids[4] });
  });

  test('is for administrators', async () => {
    const path = '/admin/audit-logs/verify';
    expect(outcomeOf(await adminWorld.ask('get', path, undefined, null))).toBe('401 UNAUTHORIZED');
    expect(outcomeOf(await adminWorld.ask('get', path, undefined, adminWorld.tokens.user))).toBe(
      '403 FORBIDDEN',
    );
  });
});

describe('amounts in major units', () => {
  const cases: [string, z.core.util.JSONType, z.core.util.JSONType][] = [
    ['an amount', { priceMinor: 1818 }, { price: 18.18 }],
    ['an amount below zero', { amountMinor: -5 }, { amount: -0.05 }],
    ['no amount', { compareAtPriceMinor: null }, { compareAtPrice: null }],
    [
      'the currency of the same object',
      { amountMinor: 500, currency: 'JPY' },
      { amount: 500, currency: 'JPY' },
    ],
    [
      'the currency around it, at any depth',
      { currency: 'JPY', lines: [{ totalMinor: 7 }, { totalMinor: 700, currency: 'USD' }] },
      { currency: 'JPY', lines: [{ total: 7 }, { total: 7, currency: 'USD' }] },
    ],
    ['rates', { rateBp: 1900 }, { rate: 19 }],
    ['percentages', { percentageBp: 1250 }, { percentage: 12.5 }],
    [
      'shares',
      { commissionBp: 5, careerPointsBp: null },
      { commissionPercentage: 0.05, careerPointsPercentage: null },
    ],
    ['a name that is there already', { priceMinor: 1818, price: 'x' }, { priceMinor: 1818, price: 'x' }],
    [
      'what is no amount',
      { noteMinor: 'x', amountMinor: 1.5, Minor: 5, minor: 5 },
      { noteMinor: 'x', amountMinor: 1.5, Minor: 5, minor: 5 },
    ],
    ['what is too large to be one', { amountMinor: 1e18 }, { amountMinor: 1e18 }],
    ['other things', [1, 'a', null, true, { weightGrams: 5 }], [1, 'a', null, true, { weightGrams: 5 }]],
    ['nothing', null, null],
  ];

  test.each(cases)('%s', (_what, recorded, shown) => {
    expect(inMajorUnits(recorded)).toEqual(shown);
  });
});
