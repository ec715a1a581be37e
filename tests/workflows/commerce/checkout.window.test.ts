import { ApplicationFailure } from '@temporalio/common';
import { enterSandboxPayments } from '../../../db/commerce/sandbox.writes';
import { brokenBooks } from '../../support/books';
import { eventually } from '../../support/eventually';
import { startSkippingWorld, type SkippingWorld } from '../../support/skipping-world';
import {
  bookOf,
  cancel,
  NOTHING_HELD,
  payAgain,
  placed,
  PRICE_MINOR,
  report,
  TWO_RESERVED,
  TWO_SOLD,
} from './story';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let world: SkippingWorld;
let providerIsSilent = false;
let lookUps = 0;

beforeAll(async () => {
  world = await startSkippingWorld({
    fakes: (real) => ({
      lookUpPayments: (order) => {
        lookUps++;
        if (providerIsSilent) throw ApplicationFailure.retryable('The provider does not answer.');
        return real.lookUpPayments(order);
      },
    }),
  });
});
afterAll(async () => {
  expect(await brokenBooks(world.db)).toEqual([]);
  await world.teardown();
});
beforeEach(() => {
  providerIsSilent = false;
  lookUps = 0;
});

/** How much time passes until that is so, in milliseconds. */
async function timeUntil(what: () => Promise<unknown>): Promise<number> {
  const began = +(await world.now());
  await what();
  return +(await world.now()) - began;
}

test('an order by card that nobody pays is given up after half an hour: stock and coupon come back', async () => {
  const sold = await placed(world);
  expect(sold.placed.standing.status).toBe('PENDING_PAYMENT');
  expect(await bookOf(world, sold)).toMatchObject({ order: 'PENDING_PAYMENT PENDING', ...TWO_RESERVED });

  const passed = await timeUntil(async () => expect(await sold.checkout.result()).toBe('CANCELLED'));
  expect(passed).toBeGreaterThanOrEqual(30 * MINUTE_MS - 1_000);
  expect(passed).toBeLessThan(32 * MINUTE_MS);
  expect(await bookOf(world, sold)).toMatchObject({ order: 'CANCELLED FAILED', ...NOTHING_HELD });
});

test('an order by bank transfer is held for 72 hours', async () => {
  const sold = await placed(world, { method: 'BANK_TRANSFER' });
  await world.sleep('71 hours');
  expect(await bookOf(world, sold)).toMatchObject({ order: 'PENDING_PAYMENT PENDING', ...TWO_RESERVED });
  expect(await timeUntil(() => sold.checkout.result())).toBeLessThan(1.1 * HOUR_MS);
  expect(await bookOf(world, sold)).toMatchObject({ order: 'CANCELLED FAILED', ...NOTHING_HELD });
});

test('another attempt prolongs the window', async () => {
  const sold = await placed(world);
  await world.sleep('25 minutes');
  const offered = await payAgain(world, sold, 'EWALLET');
  expect(offered.payment.method).toBe('EWALLET');
  await world.sleep('25 minutes');
  expect(await bookOf(world, sold)).toMatchObject({ order: 'PENDING_PAYMENT PENDING', ...TWO_RESERVED });
  await report(world, 'PAID', { attemptId: sold.attemptId });
  expect(await sold.checkout.result()).toBe('PAID');
});

test('however often the buyer tries again, goods are held no longer than 72 hours', async () => {
  const sold = await placed(world, { method: 'BANK_TRANSFER' });
  await world.sleep('71 hours');
  const { standing } = await payAgain(world, sold, 'BANK_TRANSFER');
  expect(standing.payBy).toBe(sold.placed.standing.payBy);
  expect(await timeUntil(() => sold.checkout.result())).toBeLessThan(1.1 * HOUR_MS);
});

test('when the window has passed, no attempt can be opened any more', async () => {
  const sold = await placed(world);
  providerIsSilent = true;
  await world.sleep('31 minutes');
  await expect(payAgain(world, sold, 'CARD')).rejects.toMatchObject({ type: 'NOT_PAYABLE' });
  expect(await sold.checkout.result()).toBe('CANCELLED');
});

test('a provider that stays silent does not hold up stock; money that comes later goes back', async () => {
  const sold = await placed(world);
  providerIsSilent = true;
  const passed = await timeUntil(async () => expect(await sold.checkout.result()).toBe('CANCELLED'));
  expect(lookUps).toBe(10);
  expect(passed).toBeLessThan(45 * MINUTE_MS);
  expect(await bookOf(world, sold)).toMatchObject({ order: 'CANCELLED FAILED', ...NOTHING_HELD });

  expect(await (await report(world, 'PAID', sold)).result()).toBe('PROCESSED');
  await eventually(async () =>
    expect(await bookOf(world, sold)).toMatchObject({
      order: 'CANCELLED REFUNDED',
      refunds: ['LATE_PAYMENT COMPLETED'],
      ...NOTHING_HELD,
    }),
  );
});

test('money that the provider has but never reported is found before the order is given up', async () => {
  const sold = await placed(world);
  const payment = { key: sold.attemptId, amountMinor: PRICE_MINOR, currency: 'USD', at: new Date() };
  await enterSandboxPayments(world.db, payment, () => [{ status: 'PAID', delayMs: 0 }]);
  expect(await sold.checkout.result()).toBe('PAID');
  expect(lookUps).toBe(1);
  await eventually(async () =>
    expect(await bookOf(world, sold)).toMatchObject({ order: 'PROCESSING PAID', ...TWO_SOLD }),
  );
});

test('money that is found twice pays the order once; the rest goes back', async () => {
  const sold = await placed(world);
  const payment = { key: sold.attemptId, amountMinor: PRICE_MINOR, currency: 'USD', at: new Date() };
  await enterSandboxPayments(world.db, payment, () => [
    { status: 'PAID', delayMs: 0 },
    { status: 'PAID', delayMs: 0 },
  ]);
  expect(await sold.checkout.result()).toBe('PAID');
  await eventually(async () =>
    expect(await bookOf(world, sold)).toMatchObject({
      order: 'PROCESSING PAID',
      refunds: ['DUPLICATE_PAYMENT COMPLETED'],
    }),
  );
});

test('an order cancelled in its window waits no longer and asks no provider', async () => {
  const sold = await placed(world);
  await world.sleep('5 minutes');
  expect(await cancel(world, sold)).toEqual({ refundStatus: null, refundAmountMinor: null, refundsDue: [] });
  expect(await timeUntil(() => sold.checkout.result())).toBeLessThan(MINUTE_MS);
  expect(lookUps).toBe(0);
  expect(await bookOf(world, sold)).toMatchObject({ order: 'CANCELLED FAILED', ...NOTHING_HELD });
});
