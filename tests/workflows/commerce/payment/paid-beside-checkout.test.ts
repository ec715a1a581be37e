import { ApplicationFailure } from '@temporalio/common';
import { rows } from '../../../../db/sql/query';
import { orderStatus } from '../../../../workflows/commerce/order/order.contract';
import { abandonStep, retryStep } from '../../../../workflows/kit/parking.contract';
import { violations } from '../../../support/checks/violations';
import { eventually } from '../../../support/checks/eventually';
import { keepHistory } from '../../../support/checks/histories';
import { NOTHING_HELD, PRICE_MINOR, TWO_SOLD } from '../../../support/builders/ordering';
import { startSkippingWorld, type SkippingWorld } from '../../../support/worlds/skipping-world';
import { bookOf, cancel, place, placed, report, sale, type Sale } from '../sales';

/** Orders that are paid while their checkout is closed, abandoned, or unable to read them. */
let world: SkippingWorld;
/** Errors when an order is read, and after a payment or an order was written. */
let reading: Error | null;
let afterwards: () => void;

beforeAll(async () => {
  const lost =
    <Input, Answer>(work: (input: Input) => Promise<Answer>) =>
    async (input: Input): Promise<Answer> => {
      const answer = await work(input);
      afterwards();
      return answer;
    };
  world = await startSkippingWorld({
    fakes: (real) => ({
      orderStanding(order) {
        if (reading) throw reading;
        return real.orderStanding(order);
      },
      applyPaymentEvent: lost(real.applyPaymentEvent),
      placeOrder: lost(real.placeOrder),
    }),
  });
});
afterAll(async () => {
  expect(await violations(world.db)).toEqual([]);
  await world.teardown();
});
beforeEach(() => {
  reading = null;
  afterwards = () => undefined;
});

const broken = (): Error => ApplicationFailure.nonRetryable('the disk is full', 'DiskFull');

const abandon = (sold: Sale): Promise<unknown> =>
  eventually(() => sold.checkout.executeUpdate(abandonStep, { args: [{ noteId: null }] }));

/** The order is on its way, picked up once, by one run of its fulfilment. */
async function isFulfilledOnce(sold: Sale): Promise<void> {
  await eventually(async () => expect(await sold.fulfilment.query(orderStatus)).toBe('PROCESSING'));
  expect(await bookOf(world, sold)).toMatchObject({ order: 'PROCESSING PAID', refunds: [], ...TWO_SOLD });
  const moves = await rows<{ status: string }>(
    world.db,
    'SELECT status FROM order_status_changes WHERE order_id = $1 ORDER BY id',
    [sold.orderId],
  );
  expect(moves.map(({ status }) => status)).toEqual(['PENDING_PAYMENT', 'PAID', 'PROCESSING']);
}

test('a checkout that was terminated: the webhook pays the order, and fulfilment has it', async () => {
  const sold = await placed(world);
  await sold.checkout.terminate('by an operator');
  expect(await (await report(world, 'PAID', sold)).result()).toBe('PROCESSED');
  await isFulfilledOnce(sold);
});

test('the same, and the answer of applying the payment is lost', async () => {
  const sold = await placed(world);
  await sold.checkout.terminate('by an operator');
  let lost = 0;
  afterwards = () => {
    if (lost++ === 0) throw ApplicationFailure.retryable('the worker died');
  };
  expect(await (await report(world, 'PAID', sold)).result()).toBe('PROCESSED');
  expect(lost).toBe(2);
  await isFulfilledOnce(sold);
});

test('a checkout that cannot read the order: fulfilment has it, also when the checkout is abandoned then', async () => {
  const sold = await placed(world);
  reading = broken();
  await report(world, 'PAID', sold);
  await isFulfilledOnce(sold);
  await abandon(sold);
  expect(await sold.checkout.result()).toBe('ABANDONED');
  await isFulfilledOnce(sold);
});

test('a checkout that lives, and the webhook that paid: one fulfilment', async () => {
  const sold = await placed(world);
  const event = await report(world, 'PAID', sold);
  expect(await event.result()).toBe('PROCESSED');
  expect(await sold.checkout.result()).toBe('PAID');
  await isFulfilledOnce(sold);
  await keepHistory(event, 'paid');
});

test('an order that was cancelled before: the money goes back, and no fulfilment is started', async () => {
  const sold = await placed(world);
  await cancel(world, sold);
  expect(await sold.checkout.result()).toBe('CANCELLED');
  expect(await (await report(world, 'PAID', sold)).result()).toBe('PROCESSED');
  await eventually(async () =>
    expect(await bookOf(world, sold)).toMatchObject({
      order: 'CANCELLED REFUNDED',
      refunds: ['LATE_PAYMENT COMPLETED'],
      ...NOTHING_HELD,
    }),
  );
  await expect(sold.fulfilment.describe()).rejects.toThrow(/not found/i);
});

test('a checkout that cancels an order which fulfilment has already signals fulfilment', async () => {
  const sold = await placed(world);
  reading = broken();
  await report(world, 'PAID', sold);
  await eventually(async () => expect(await sold.fulfilment.query(orderStatus)).toBe('PROCESSING'));
  expect(await cancel(world, sold)).toMatchObject({ refundStatus: 'PROCESSING' });
  reading = null;
  await eventually(() => sold.checkout.executeUpdate(retryStep, { args: [{ noteId: null }] }));
  expect(await sold.checkout.result()).toBe('CANCELLED');
  expect(await sold.fulfilment.result()).toBe('CANCELLED');
  await eventually(async () =>
    expect(await bookOf(world, sold)).toMatchObject({
      order: 'CANCELLED REFUNDED',
      refunds: ['CANCELLATION COMPLETED'],
    }),
  );
  await keepHistory(sold.checkout, 'cancelled-when-paid');
});

describe('a payment from the balance whose answer is lost for good, and an operator who gives the checkout up', () => {
  const onBalance = { method: 'BALANCE', walletMinor: PRICE_MINOR } as const;

  test('at the end of placing the order', async () => {
    const sold = await sale(world, onBalance);
    afterwards = () => {
      reading = broken();
      throw broken();
    };
    await expect(place(world, sold)).rejects.toThrow();
    await eventually(async () => expect((await bookOf(world, sold)).order).toBe('PAID PAID'));
    reading = null;
    await sold.checkout.executeUpdate(abandonStep, { args: [{ noteId: null }] });
    expect(await sold.checkout.result()).toBe('ABANDONED');
    await isFulfilledOnce(sold);
    await keepHistory(sold.checkout, 'abandoned-when-paid');
  });

  test('and the order cannot be read: the checkout ends all the same', async () => {
    const sold = await sale(world, onBalance);
    afterwards = () => {
      reading = broken();
      throw broken();
    };
    await expect(place(world, sold)).rejects.toThrow();
    await abandon(sold);
    expect(await sold.checkout.result()).toBe('ABANDONED');
    expect((await bookOf(world, sold)).order).toBe('PAID PAID');
  });
});
