import { z } from 'zod';
import { execute } from '../../../../db/sql/query';
import { PROVIDER_QUEUES } from '../../../../workers/queues';
import { given } from '../../../support/builders/given';
import { make } from '../../../support/builders/make';
import { shopper } from '../../../support/builders/shop';
import { signIn } from '../../../support/builders/sign-in';
import { ownWorld } from '../../../support/worlds/world';

const world = ownWorld({ queues: ['interactive', 'ingest', ...PROVIDER_QUEUES] });

const Balance = z.strictObject({
  balances: z.array(z.strictObject({ currency: z.string(), available: z.number(), held: z.number() })),
  entries: z.array(
    z.strictObject({
      id: z.string(),
      type: z.string(),
      amount: z.number(),
      currency: z.string(),
      reference: z.string(),
      orderId: z.uuid().nullable(),
      orderNumber: z.string().nullable(),
      participationId: z.uuid().nullable(),
      participationNumber: z.string().nullable(),
      entranceId: z.uuid().nullable(),
      entranceNumber: z.string().nullable(),
      topUpId: z.uuid().nullable(),
      topUpNumber: z.string().nullable(),
      createdAt: z.iso.datetime(),
    }),
  ),
});

async function balanceOf(token: string) {
  const { status, body } = await world.http.get('/api/v1/users/me/balance').auth(token, { type: 'bearer' });
  expect(status).toBe(200);
  return Balance.parse(body.data);
}

test('200: who never had money has an empty wallet', async () => {
  const token = await signIn(world, await make.user(world.db));
  expect(await balanceOf(token)).toEqual({
    balances: [{ currency: 'USD', available: 0, held: 0 }],
    entries: [],
  });
});

test('200: the wallet by currency, in its own digits, and nobody else’s', async () => {
  const [user, other] = [await make.user(world.db), await make.user(world.db)];
  await make.money(world.db, user.id, 1_050);
  await make.money(world.db, user.id, 300, 'wallet', 'JPY');
  await make.money(world.db, user.id, 999, 'partner_pending');
  await make.money(world.db, other.id, 777);
  const { balances, entries } = await balanceOf(await signIn(world, user));
  expect(balances).toEqual([
    { currency: 'JPY', available: 300, held: 0 },
    { currency: 'USD', available: 10.5, held: 0 },
  ]);
  expect(entries.map(({ amount, currency, type, orderId }) => [amount, currency, type, orderId])).toEqual([
    [300, 'JPY', 'ADJUSTMENT', null],
    [10.5, 'USD', 'ADJUSTMENT', null],
  ]);
});

test('200: an order that was paid from it; what an unpaid one took counts as held', async () => {
  const product = await make.product(world.db);
  const { order, token } = await shopper(world, [{ productId: product.id }], { walletMinor: 1_000_000 });
  const { orderId, orderNumber, summary } = await order({ paymentMethod: 'BALANCE' });
  const left = (1_000_000 - Math.round(summary.total * 100)) / 100;
  const { balances, entries } = await balanceOf(token);
  expect(balances).toEqual([{ currency: 'USD', available: left, held: 0 }]);
  expect(entries[0]).toMatchObject({
    type: 'ORDER_PAYMENT',
    amount: -summary.total,
    reference: `order:${orderId}:wallet`,
    orderId,
    orderNumber,
  });
  await execute(world.db, `UPDATE orders SET status = 'PENDING_PAYMENT' WHERE id = $1`, [orderId]);
  expect((await balanceOf(token)).balances).toEqual([
    { currency: 'USD', available: left, held: summary.total },
  ]);
});

test('200: what a refund and a cancellation returned names the order, too', async () => {
  const { ada, orderId, orderNumber } = await given(world).order({ paymentMethod: 'BALANCE' }).paid();
  const staff = await signIn(world, await make.admin(world.db));
  const part = { amount: 5, reason: 'The parcel came late.' };
  const path = `/api/v1/admin/orders/${orderId}/refunds`;
  await world.http.post(path).auth(staff, { type: 'bearer' }).send(part).expect(201);
  await ada.post(`/orders/${orderId}/cancel`, { reason: 'Changed my mind' });
  const { entries } = await balanceOf(ada.token);
  const ofOrder = { orderId, orderNumber };
  expect(entries).toMatchObject([
    { type: 'ORDER_REFUND', amount: 25, reference: `order:${orderId}:wallet:refund`, ...ofOrder },
    { type: 'ORDER_REFUND', amount: 5, reference: expect.stringMatching(/^refund:.+:wallet$/), ...ofOrder },
    { type: 'ORDER_PAYMENT', amount: -30, ...ofOrder },
    { type: 'ADJUSTMENT', orderId: null, orderNumber: null },
  ]);
});

test('200: the newest fifty movements', async () => {
  const user = await make.user(world.db);
  for (let i = 1; i <= 52; i++) await make.money(world.db, user.id, i * 100);
  const { entries } = await balanceOf(await signIn(world, user));
  expect(entries.map(({ amount }) => amount)).toEqual(Array.from({ length: 50 }, (_, i) => 52 - i));
});
