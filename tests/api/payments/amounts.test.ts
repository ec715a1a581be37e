import { firstRow } from '../../../db/sql/query';
import { investor } from '../../support/builders/investing/investors';
import { joiner, membershipState } from '../../support/builders/partnering/joining';
import { make } from '../../support/builders/make';
import { shopper } from '../../support/builders/shop';
import { payer, topUpState } from '../../support/builders/wallets/top-ups';
import { violations } from '../../support/checks/violations';
import { FakeStripe } from '../../support/fakes/fake-stripe';
import { startWorld, type World } from '../../support/worlds/world';
import { variablesFor } from './stripe-shop';

/** Amounts that Stripe certainly does not take: nothing is placed, and Stripe is not asked. */
const RANGE = 'takes from 0.50 USD to 999999.99 USD';
const refusedBy = (method: string) => ({
  status: 400,
  error: {
    code: 'VALIDATION_ERROR',
    reason: 'AMOUNT_NOT_PAYABLE',
    message: `${method} ${RANGE}.`,
    details: { paymentMethod: [RANGE] },
  },
});
const errorOf = ({ status, body }: { status: number; body: { error: object } }) => ({
  status,
  error: body.error,
});

let bank: FakeStripe;
let world: World;
let freeShipping: string;
beforeAll(async () => {
  bank = await FakeStripe.start();
  world = await startWorld({
    variables: {
      ...variablesFor(bank.url),
      PARTNER_ENTRANCE_FEE: '0.40',
      POLICY_TOP_UP_MAXIMUM: '1000000',
    },
  });
  freeShipping = await make.shippingMethod(world.db, { baseMinor: 0 });
});
afterAll(async () => {
  expect(await violations(world.db)).toEqual([]);
  expect(bank.requests.filter((request) => request.startsWith('POST'))).toEqual([]);
  await world.teardown();
  await bank.stop();
});

/** A buyer with goods of this price in the cart, sent for nothing. */
async function buyerOf(priceMinor: number) {
  const product = await make.product(world.db, { stock: 5, priceMinor });
  const ada = await shopper(world, [{ productId: product.id }]);
  const left = () =>
    firstRow(
      world.db,
      `SELECT (SELECT count(*)::int FROM orders WHERE user_id = $1) AS orders,
         (SELECT count(*)::int FROM cart_items i JOIN carts c ON c.id = i.cart_id WHERE c.user_id = $1) AS lines`,
      [ada.buyer.id],
    );
  const checkout = (paymentMethod: 'CARD' | 'EWALLET' | 'BANK_TRANSFER') =>
    ada.checkout({ shippingMethodId: freeShipping, paymentMethod });
  return { ada, left, checkout };
}

describe.each([
  ['less', 49],
  ['more', 100_000_000],
])('an order of %s than Stripe takes', (_, priceMinor) => {
  test.each(['CARD', 'EWALLET'] as const)('is not placed by %s, and the cart stays', async (method) => {
    const { checkout, left } = await buyerOf(priceMinor);
    expect(errorOf(await checkout(method))).toEqual(refusedBy(method));
    expect(await left()).toEqual({ orders: 0, lines: 1 });
  });

  test('is placed by bank transfer, and then not paid by card', async () => {
    const { ada, checkout, left } = await buyerOf(priceMinor);
    const { status, body } = await checkout('BANK_TRANSFER');
    expect([status, await left()]).toEqual([201, { orders: 1, lines: 0 }]);
    const paid = await ada.post(`/orders/${body.data.orderId}/pay`, { paymentMethod: 'CARD' });
    expect(errorOf(paid)).toEqual(refusedBy('CARD'));
    const shown = await ada.get(`/orders/${body.data.orderId}`);
    expect(shown.body.data).toMatchObject({
      status: 'PENDING_PAYMENT',
      payment: { method: 'BANK_TRANSFER' },
    });
  });
});

test('a top-up of more is not opened by card', async () => {
  const ada = await payer(world);
  expect(errorOf(await ada.topUp({ amount: 1_000_000 }))).toEqual(refusedBy('CARD'));
  expect(await topUpState(world.db, ada.id)).toMatchObject({ topUps: [], attempts: [] });
  expect((await ada.topUp({ amount: 1_000_000, paymentMethod: 'BANK_TRANSFER' })).status).toBe(201);
});

test('a participation of less is not opened by card', async () => {
  const ada = await investor(world);
  const { id: strategyId } = await make.strategy(world.db, { minMinor: 10 });
  const invested = await ada.invest(strategyId, { amount: 0.49, paymentMethod: 'CARD' });
  expect(errorOf(invested)).toEqual(refusedBy('CARD'));
  const made = await firstRow(world.db, 'SELECT id FROM participations WHERE user_id = $1', [ada.id]);
  expect(made).toBeNull();
  expect((await ada.invest(strategyId, { amount: 0.49 })).status).toBe(201);
});

test('an entrance fee of less is not opened by card', async () => {
  const ada = await joiner(world);
  expect(errorOf(await ada.join({ paymentMethod: 'CARD' }))).toEqual(refusedBy('CARD'));
  expect(await membershipState(world.db, ada.id)).toMatchObject({ entrances: [], attempts: [] });
  expect((await ada.join({ paymentMethod: 'BANK_TRANSFER' })).status).toBe(201);
});
