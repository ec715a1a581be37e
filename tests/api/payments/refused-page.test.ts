import { randomUUID } from 'node:crypto';
import { firstRow, rows } from '../../../db/sql/query';
import { investor } from '../../support/builders/investing/investors';
import { investmentState } from '../../support/builders/investing/invested';
import { joiner, membershipState } from '../../support/builders/partnering/joining';
import { make } from '../../support/builders/make';
import { shopper } from '../../support/builders/shop';
import { payer, topUpState } from '../../support/builders/wallets/top-ups';
import { eventually } from '../../support/checks/eventually';
import { violations } from '../../support/checks/violations';
import { FakeStripe } from '../../support/fakes/fake-stripe';
import { startWorld, type World } from '../../support/worlds/world';
import { becomes, variablesFor } from './stripe-shop';

/** Stripe certainly refuses to open a page, as for an account that is not activated. */
const REFUSAL = { status: 400, message: 'Your account cannot currently make live charges.' };
const REFUSED = {
  code: 'VALIDATION_ERROR',
  reason: 'PAYMENT_REFUSED',
  message: 'The payment provider does not take this payment by CARD. Choose another way to pay.',
  details: { paymentMethod: ['is refused by the payment provider'] },
};

let bank: FakeStripe;
let world: World;
beforeAll(async () => {
  bank = await FakeStripe.start();
  world = await startWorld({ variables: { ...variablesFor(bank.url), PARTNER_ENTRANCE_FEE: '49.90' } });
});
afterAll(async () => {
  expect(await violations(world.db)).toEqual([]);
  await world.teardown();
  await bank.stop();
});
beforeEach(() => {
  bank.refusesPosts = REFUSAL;
});

const statusesOf = async (orderId: string): Promise<string[]> => {
  const found = await rows<{ status: string }>(
    world.db,
    `SELECT method || ' ' || status AS status FROM payment_attempts WHERE order_id = $1 ORDER BY sequence`,
    [orderId],
  );
  return found.map(({ status }) => status);
};

const idIn = async (table: 'participations' | 'top_ups', userId: string): Promise<string> =>
  (await firstRow<{ id: string }>(world.db, `SELECT id FROM ${table} WHERE user_id = $1`, [userId]))!.id;

/** The error of an answer, for a request that opened nothing. */
const errorOf = ({ status, body }: { status: number; body: { error: object } }) => ({
  status,
  error: body.error,
});

test('an order is placed and told why it has no page; it waits, and is paid by another method', async () => {
  const product = await make.product(world.db, { stock: 5 });
  const ada = await shopper(world, [{ productId: product.id, quantity: 2 }]);
  const key = randomUUID();
  const { status, body } = await ada.checkout({}, key);
  expect(status).toBe(201);
  const { orderId, payment } = body.data;
  expect(payment).toEqual({
    ...{ method: 'CARD', amount: 55, currency: 'USD', failureReason: 'PAYMENT_REFUSED' },
    expiresAt: expect.any(String) as string,
  });
  expect((await ada.checkout({}, key)).body).toEqual(body);
  await becomes(world, body.data, 'PENDING_PAYMENT FAILED');
  expect(await statusesOf(orderId)).toEqual(['CARD DECLINED']);

  const pay = (paymentMethod: string, as = randomUUID()) =>
    ada.post(`/orders/${orderId}/pay`, { paymentMethod }, as);
  const again = randomUUID();
  // The same request twice is one attempt.
  for (let times = 0; times < 2; times++)
    expect(errorOf(await pay('CARD', again))).toEqual({ status: 400, error: REFUSED });
  expect(await statusesOf(orderId)).toEqual(['CARD DECLINED', 'CARD DECLINED']);

  const transfer = await pay('BANK_TRANSFER');
  expect([transfer.status, transfer.body.data.payment.method]).toEqual([201, 'BANK_TRANSFER']);
  bank.refusesPosts = null;
  const paid = await pay('CARD');
  expect(paid.body.data.payment.paymentUrl).toMatch(/^https:\/\/checkout\.stripe\.test\//);
  expect(paid.body.data.payment).not.toHaveProperty('failureReason');
});

test('a top-up is refused and cancelled, so that it takes no place among those that wait', async () => {
  const ada = await payer(world);
  for (let times = 0; times < 4; times++)
    expect(errorOf(await ada.topUp())).toEqual({ status: 400, error: REFUSED });
  const state = await topUpState(world.db, ada.id);
  expect(new Set(state.topUps)).toEqual(new Set(['CANCELLED FAILED']));
  expect(new Set(state.attempts)).toEqual(new Set(['CARD DECLINED']));
  const process = world.temporal.workflow.getHandle(`top-up:${await idIn('top_ups', ada.id)}`);
  expect(await process.result()).toBe('CANCELLED');
  expect((await ada.topUp({ paymentMethod: 'BANK_TRANSFER' })).status).toBe(201);
});

test('a participation is refused and cancelled, and its capacity is free', async () => {
  const ada = await investor(world);
  const { id: strategyId } = await make.strategy(world.db);
  const answer = await ada.invest(strategyId, { paymentMethod: 'CARD' });
  expect(errorOf(answer)).toEqual({ status: 400, error: REFUSED });
  const id = await idIn('participations', ada.id);
  expect(await investmentState(world.db, id)).toMatchObject({
    ...{ participation: 'CANCELLED FAILED', attempts: ['CARD DECLINED'], reservedMinor: 0 },
  });
  expect(await world.temporal.workflow.getHandle(`participation:${id}`).result()).toBe('CANCELLED');
});

test('an entrance fee is refused by card, and paid by another method', async () => {
  const ada = await joiner(world);
  const answer = await ada.join({ paymentMethod: 'CARD' });
  expect(errorOf(answer)).toEqual({ status: 400, error: REFUSED });
  expect(await membershipState(world.db, ada.id)).toMatchObject({
    ...{ partner: null, entrances: ['PENDING_PAYMENT FAILED'], attempts: ['CARD DECLINED'] },
  });
  expect((await ada.join({ paymentMethod: 'BANK_TRANSFER' })).status).toBe(201);
  await eventually(async () =>
    expect(await membershipState(world.db, ada.id)).toMatchObject({
      ...{ entrances: ['PENDING_PAYMENT PENDING'], attempts: ['CARD DECLINED', 'BANK_TRANSFER PENDING'] },
    }),
  );
});
