import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { rows } from '../../../../db/sql/query';
import { PROVIDER_QUEUES } from '../../../../workers/queues';
import { shopper } from '../../../support/builders/shop';
import { ownCheckedWorld } from '../../../support/worlds/world';
import { outcomeOf } from '../../admin/admin-world';
import { happenedLongAgo, refundRequested, returning, staff } from '../returning';

const world = ownCheckedWorld({ queues: ['interactive', 'ingest', ...PROVIDER_QUEUES] });

const Requested = z.strictObject({
  refundRequestId: z.uuid(),
  orderId: z.uuid(),
  orderNumber: z.string(),
  status: z.literal('PENDING_REVIEW'),
  requestedAmount: z.number(),
  items: z.array(
    z.strictObject({ itemId: z.uuid(), productName: z.string(), quantity: z.number(), amount: z.number() }),
  ),
  message: z.string(),
  createdAt: z.iso.datetime(),
});

test('all that is left, with the shipping, when no items are named', async () => {
  const { orderId, itemIds, ask } = await returning(world);
  const { status, body } = await ask({ description: 'The sleeves are too long.' });
  expect(status).toBe(201);
  const requested = Requested.parse(body.data);
  expect(requested).toMatchObject({ orderId, requestedAmount: 65 });
  expect(requested.items.map(({ itemId, quantity, amount }) => [itemId, quantity, amount])).toEqual(
    expect.arrayContaining([
      [itemIds[0], 2, 50],
      [itemIds[1], 1, 10],
    ]),
  );
  const kept = await rows(world.db, 'SELECT reason, description FROM refund_requests WHERE id = $1', [
    requested.refundRequestId,
  ]);
  expect(kept).toEqual([{ reason: 'It does not fit.', description: 'The sleeves are too long.' }]);
});

test('whole lines and units of others; the shipping is not refunded', async () => {
  const { itemIds, ask } = await returning(world, { to: 'SHIPPED' });
  const { body } = await ask({ itemIds: [itemIds[1]], items: [{ itemId: itemIds[0], quantity: 1 }] });
  expect(body.data.requestedAmount).toBe(35);
});

test('the same request again gets the same refund request', async () => {
  const { ask } = await returning(world);
  const key = randomUUID();
  const [first, again] = [await ask({}, key), await ask({}, key)];
  expect(again.body.data).toEqual(first.body.data);
  expect(again.headers['idempotent-replayed']).toBe('true');
});

test('two requests at once: one of them, the other is REFUND_ALREADY_REQUESTED', async () => {
  const { ask } = await returning(world);
  const answers = await Promise.all([ask(), ask()]);
  expect(answers.map(outcomeOf).sort()).toEqual(['201', '409 REFUND_ALREADY_REQUESTED']);
});

test.each<[string, (id: string) => object, ...string[]]>([
  ['no reason', () => ({ reason: ' ' }), 'reason'],
  ['a reason that is too long', () => ({ reason: 'x'.repeat(501) }), 'reason'],
  ['no items', () => ({ itemIds: [] }), 'itemIds'],
  ['what is no id', () => ({ itemIds: ['one'] }), 'itemIds.0'],
  ['no unit', (id: string) => ({ items: [{ itemId: id, quantity: 0 }] }), 'items.0.quantity'],
  ['a description that is too long', () => ({ description: 'x'.repeat(2_001) }), 'description'],
])('VALIDATION_ERROR: %s', async (_, body, ...fields) => {
  const { ask, itemIds } = await returning(world);
  const answer = await ask(body(itemIds[0]!));
  expect(outcomeOf(answer)).toBe('400 VALIDATION_ERROR');
  expect(Object.keys(answer.body.error.details)).toEqual(fields);
});

test.each([
  [
    'an item that is not of the order',
    () => ({ itemIds: [randomUUID()] }),
    { 'itemIds.0': ['is not an item of this order'] },
  ],
  [
    'more units than were bought',
    (id: string) => ({ items: [{ itemId: id, quantity: 3 }] }),
    { 'items.0.quantity': ['must be at most 2'] },
  ],
])('VALIDATION_ERROR because of ITEMS_NOT_REFUNDABLE: %s', async (_, body, fields) => {
  const { ask, itemIds } = await returning(world);
  const answer = await ask(body(itemIds[0]!));
  expect(outcomeOf(answer)).toBe('400 VALIDATION_ERROR');
  expect(answer.body.error).toMatchObject({ reason: 'ITEMS_NOT_REFUNDABLE', details: fields });
});

test('CANNOT_REFUND: the parcel has not left', async () => {
  const { ask } = await returning(world, { to: null });
  expect(outcomeOf(await ask())).toBe('400 CANNOT_REFUND');
});

test('CANNOT_REFUND: all of it is back', async () => {
  const { ask, refundId } = await refundRequested(world);
  expect((await (await staff(world)).decide(refundId, 'approve')).status).toBe(200);
  expect(outcomeOf(await ask())).toBe('400 CANNOT_REFUND');
});

test('REFUND_PERIOD_EXPIRED: it arrived more than fourteen days ago', async () => {
  const { ask, orderId } = await returning(world);
  await happenedLongAgo(world, orderId);
  expect(outcomeOf(await ask())).toBe('400 REFUND_PERIOD_EXPIRED');
});

test('ORDER_NOT_FOUND: another’s order, and none at all', async () => {
  const { orderId } = await returning(world);
  const bob = await shopper(world, []);
  for (const id of [orderId, randomUUID()])
    expect(outcomeOf(await bob.post(`/orders/${id}/refund`, { reason: 'Mine.' }))).toBe(
      '404 ORDER_NOT_FOUND',
    );
});

test('UNAUTHORIZED: no token', async () => {
  const answer = await world.http.post(`/api/v1/orders/${randomUUID()}/refund`).send({ reason: 'x' });
  expect(outcomeOf(answer)).toBe('401 UNAUTHORIZED');
});

test('the order shows whether a refund can be requested', async () => {
  const { ada, orderId, ask, itemIds } = await returning(world);
  const canRefund = async (): Promise<boolean> => (await ada.get(`/orders/${orderId}`)).body.data.canRefund;
  const { decide } = await staff(world);
  expect(await canRefund()).toBe(true);
  const first = await ask({ itemIds: [itemIds[1]] });
  expect(await canRefund()).toBe(false);
  await decide(first.body.data.refundRequestId, 'approve');
  expect(await canRefund()).toBe(true);
  const rest = await ask();
  expect(rest.body.data.requestedAmount).toBe(55);
  await decide(rest.body.data.refundRequestId, 'approve', { amount: 1 });
  expect(await canRefund()).toBe(false);
  expect(outcomeOf(await ask())).toBe('400 CANNOT_REFUND');
});
