import { z } from 'zod';
import { startWorld, type World } from '../../../support/worlds/world';
import { askedBack, staff, type Returning } from '../../orders/returning';
import { outcomeOf } from '../admin-world';

let world: World;
let clerk: Awaited<ReturnType<typeof staff>>;
let pending: Returning & { refundId: string };
let rejected: Returning & { refundId: string };

beforeAll(async () => {
  world = await startWorld();
  clerk = await staff(world);
  rejected = await askedBack(world);
  pending = await askedBack(world);
  await clerk.decide(rejected.refundId, 'reject');
});
afterAll(() => world.teardown());

const list = async (query = '', token: string | null = clerk.token) => {
  const request = world.http.get(`/api/v1/admin/refunds${query}`);
  return token === null ? request : request.auth(token, { type: 'bearer' });
};

const AdminRefund = z.strictObject({
  id: z.uuid(),
  order: z.strictObject({ id: z.uuid(), orderNumber: z.string() }),
  user: z.strictObject({ id: z.uuid(), email: z.string(), name: z.string() }),
  status: z.enum(['PENDING_REVIEW', 'APPROVED', 'REJECTED', 'PROCESSING', 'COMPLETED', 'FAILED']),
  reason: z.string(),
  description: z.string().nullable(),
  requestedAmount: z.number(),
  approvedAmount: z.number().nullable(),
  currency: z.literal('USD'),
  items: z.array(
    z.strictObject({ itemId: z.uuid(), productName: z.string(), quantity: z.number(), amount: z.number() }),
  ),
  createdAt: z.iso.datetime(),
  decidedAt: z.iso.datetime().nullable(),
  decidedBy: z.uuid().nullable(),
});

test('newest first, with buyer, order and decision', async () => {
  const { status, body } = await list();
  expect(status).toBe(200);
  const refunds = z.array(AdminRefund).parse(body.data.refunds);
  expect(refunds.map(({ id }) => id)).toEqual([pending.refundId, rejected.refundId]);
  expect(refunds[0]).toMatchObject({
    order: { id: pending.orderId },
    user: { id: pending.ada.buyer.id, email: pending.ada.buyer.email, name: 'Ada Lovelace' },
    status: 'PENDING_REVIEW',
    reason: 'It does not fit.',
    requestedAmount: 65,
    approvedAmount: null,
    decidedBy: null,
  });
  expect(refunds[1]).toMatchObject({
    status: 'REJECTED',
    decidedBy: clerk.id,
    decidedAt: expect.any(String),
  });
  expect(body.meta.pagination).toMatchObject({ total: 2, page: 1 });
});

test.each([
  ['PENDING_REVIEW', 1],
  ['REJECTED', 1],
  ['COMPLETED', 0],
  ['ALL', 2],
])('of status %s: %i', async (status, total) => {
  const { body } = await list(`?status=${status}`);
  expect([body.data.refunds.length, body.meta.pagination.total]).toEqual([total, total]);
});

test('page by page', async () => {
  const pages = await Promise.all([1, 2, 3].map((page) => list(`?pageSize=1&page=${page}`)));
  expect(pages.map(({ body }) => body.data.refunds.map(({ id }: { id: string }) => id))).toEqual([
    [pending.refundId],
    [rejected.refundId],
    [],
  ]);
});

test.each(['?pageSize=101', '?status=OPEN', '?page=0'])('VALIDATION_ERROR: %s', async (query) => {
  expect(outcomeOf(await list(query))).toBe('400 VALIDATION_ERROR');
});

test('UNAUTHORIZED: nobody; FORBIDDEN: a buyer', async () => {
  expect(outcomeOf(await list('', null))).toBe('401 UNAUTHORIZED');
  expect(outcomeOf(await list('', pending.ada.token))).toBe('403 FORBIDDEN');
});
