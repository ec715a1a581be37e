import { z } from 'zod';
import { recordAudit } from '../../../../db/administration/audit/audit.writes';
import { inTransaction } from '../../../../db/sql/transaction';
import { startAdminWorld, outcomeOf, type AdminWorld } from '../admin-world';

let adminWorld: AdminWorld;
const record = (change: Partial<Parameters<typeof recordAudit>[1]>) =>
  inTransaction(adminWorld.world.db, (tx) =>
    recordAudit(tx, {
      actorId: adminWorld.admin.id,
      action: 'order.confirm-transfer',
      entityType: 'order',
      entityId: 'o-1',
      previous: { status: 'PENDING_PAYMENT' },
      next: { status: 'PAID', password: 'hunter2' },
      clientAddress: '192.0.2.1',
      at: new Date('2026-03-01T10:00:00Z'),
      ...change,
    }),
  );
beforeAll(async () => {
  adminWorld = await startAdminWorld({ worker: false });
  await record({});
  await record({
    action: 'order.cancel',
    actorId: adminWorld.superAdmin.id,
    at: new Date('2026-03-02T10:00:00Z'),
  });
  await record({
    action: 'user.suspension-ended',
    entityType: 'user',
    entityId: adminWorld.user.id,
    actorId: null,
  });
});
afterAll(() => adminWorld.world.teardown());

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
  expect(await actions(`entityType=user&entityId=${adminWorld.user.id}`)).toEqual(['user.suspension-ended']);
  expect(await actions('entityType=user&entityId=o-1')).toEqual([]);
  expect(await actions('dateFrom=2026-03-02')).toEqual(['order.cancel']);
  expect(await actions('dateTo=2026-03-01T10:00:00Z&entityType=order')).toEqual(['order.confirm-transfer']);
  const { body } = await adminWorld.ask('get', '/admin/audit-logs?page=2&pageSize=2');
  expect(body.data.records).toHaveLength(1);
  expect(body.meta.pagination).toMatchObject({ total: 3, hasNext: false, hasPrevious: true });
});

test('VALIDATION_ERROR, and for administrators only', async () => {
  for (const query of ['actor=me', 'pageSize=101', 'dateFrom=soon', 'action='])
    expect(outcomeOf(await adminWorld.ask('get', `/admin/audit-logs?${query}`))).toBe('400 VALIDATION_ERROR');
  expect(outcomeOf(await adminWorld.ask('get', '/admin/audit-logs', undefined, null))).toBe(
    '401 UNAUTHORIZED',
  );
  expect(outcomeOf(await adminWorld.ask('get', '/admin/audit-logs', undefined, adminWorld.tokens.user))).toBe(
    '403 FORBIDDEN',
  );
});

test('amounts and percentages are those of the API, while the record keeps what was hashed', async () => {
  await record({
    action: 'product.update',
    entityType: 'product',
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
