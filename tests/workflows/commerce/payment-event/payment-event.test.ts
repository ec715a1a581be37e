import type { WorkflowHandle } from '@temporalio/client';
import { v7 } from 'uuid';
import { ApplicationFailure } from '@temporalio/common';
import { execute, rows } from '../../../../db/sql/query';
import { PROVIDER_QUEUES } from '../../../../workers/queues';
import { orderStatus } from '../../../../workflows/commerce/order/order.contract';
import {
  paymentEventProcess,
  type PaymentEventInput,
} from '../../../../workflows/commerce/payment-event/payment-event.contract';
import { tryEventAgain } from '../../../../workflows/commerce/webhook/webhook-event.contract';
import { abandonStep, retryStep } from '../../../../workflows/kit/parking.contract';
import { violations } from '../../../support/checks/violations';
import { eventually } from '../../../support/checks/eventually';
import { keepHistory } from '../../../support/checks/histories';
import {
  eventRow,
  NOTHING_HELD,
  PRICE_MINOR,
  storedReport,
  TWO_SOLD,
} from '../../../support/builders/ordering';
import { startSkippingWorld, type SkippingWorld } from '../../../support/worlds/skipping-world';
import {
  stateOf,
  cancel,
  labelOfFulfilment,
  patient,
  payAgain,
  place,
  placed,
  report,
  sale,
  type Sale,
} from '../sales';

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
    queues: ['interactive', 'ingest', ...PROVIDER_QUEUES],
    fakes: (real) => ({
      orderState(order) {
        if (reading) throw reading;
        return real.orderState(order);
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

/** Starts the process of a report. */
async function reported(
  ...told: Parameters<typeof storedReport> extends [unknown, ...infer Told] ? Told : never
): Promise<{ event: PaymentEventInput; process: WorkflowHandle }> {
  const event = await storedReport(world.db, ...told);
  await world.processes.start(paymentEventProcess, event);
  return { event, process: patient(world).workflow.getHandle(paymentEventProcess.id(event)) };
}

const parks = (process: WorkflowHandle): Promise<void> =>
  eventually(async () => {
    const { currentDetails } = await process.query<{ currentDetails: string }>(
      '__temporal_workflow_metadata',
    );
    expect(currentDetails).toContain('**Needs attention.** Could not apply the report.');
  });

test('a report is applied once and wakes its order; repeated, it changes nothing', async () => {
  const sold = await placed(world);
  const payment = { ...sold, paymentId: v7() };
  const { event, process } = await reported('PAID', payment);
  expect(await process.result()).toBe('PROCESSED');
  expect(await sold.checkout.result()).toBe('PAID');
  expect(await world.processes.start(paymentEventProcess, event)).toBe('started');
  expect(await process.result()).toBe('PROCESSED');
  expect(await (await report(world, 'PAID', payment)).result()).toBe('PROCESSED');
  expect((await stateOf(world, sold)).refunds).toEqual([]);
  await keepHistory(process, 'applied');
  await keepHistory(process, 'applied-named');
});

test('a declined payment leaves the order waiting for another attempt', async () => {
  const sold = await placed(world);
  expect(await (await report(world, 'DECLINED', sold)).result()).toBe('PROCESSED');
  expect((await stateOf(world, sold)).order).toBe('PENDING_PAYMENT FAILED');
  await payAgain(world, sold, 'CARD');
  expect((await stateOf(world, sold)).order).toBe('PENDING_PAYMENT PENDING');
  expect(await sold.checkout.query(orderStatus)).toBe('PENDING_PAYMENT');
  await cancel(world, sold);
});

test('a payment that expired at the provider ends the order before its window has passed', async () => {
  const sold = await placed(world);
  await report(world, 'EXPIRED', sold);
  expect(await sold.checkout.result()).toBe('CANCELLED');
  expect(await stateOf(world, sold)).toMatchObject({ order: 'CANCELLED FAILED', ...NOTHING_HELD });
});

test('a report for an order whose process has closed signals nothing', async () => {
  const sold = await placed(world);
  await cancel(world, sold);
  await sold.checkout.result();
  const { process } = await reported('DECLINED', sold);
  expect(await process.result()).toBe('PROCESSED');
  await keepHistory(process, 'nobody-to-tell');
});

test('a report that is faster than its order waits, longer each time, and is applied when the order is there', async () => {
  const sold = await sale(world);
  const { event, process } = await reported('PAID', sold);
  await world.sleep('5 seconds');
  await keepHistory(process, 'waiting');
  await world.sleep('1 hour');
  const waiting = await eventRow(world.db, event);
  expect(waiting?.status).toBe('WAITING');
  expect(waiting?.attempts).toBeGreaterThanOrEqual(11);
  expect(waiting?.attempts).toBeLessThanOrEqual(13);
  await world.sleep('5 hours');
  const patient = await eventRow(world.db, event);
  expect(patient!.attempts - waiting!.attempts).toBeGreaterThanOrEqual(4); // At least once an hour.
  expect(patient!.attempts - waiting!.attempts).toBeLessThanOrEqual(6);

  await place(world, sold);
  await payAgain(world, sold, 'BANK_TRANSFER'); // Longer than the pause.
  await world.sleep('61 minutes');
  expect(await process.result()).toBe('PROCESSED');
  expect(await sold.checkout.result()).toBe('PAID');
});

test('a report that waits is tried at once when somebody asks for it', async () => {
  const sold = await sale(world);
  const { event, process } = await reported('PAID', sold);
  await world.sleep('2 hours');
  expect((await eventRow(world.db, event))?.status).toBe('WAITING');
  await place(world, sold);
  await payAgain(world, sold, 'BANK_TRANSFER');
  await world.processes.startAgain(paymentEventProcess, event, tryEventAgain);
  await eventually(async () => expect((await eventRow(world.db, event))?.status).toBe('PROCESSED'));
  expect(await process.result()).toBe('PROCESSED');
  await keepHistory(process, 'tried-again');
});

test('a report of a payment that never appears is dead after three days', async () => {
  const { event, process } = await reported('PAID', { attemptId: v7() });
  await world.sleep('71 hours');
  expect((await eventRow(world.db, event))?.status).toBe('WAITING');
  await world.sleep('3 hours');
  expect(await process.result()).toBe('DEAD');
  expect(await eventRow(world.db, event)).toMatchObject({
    status: 'DEAD',
    error: 'It speaks of a payment that we do not know.',
  });
});

describe('a report that cannot be right waits for a person', () => {
  test('who has it tried again when its cause is gone', async () => {
    const sold = await placed(world);
    const { process } = await reported('PAID', { ...sold, currency: 'usd' });
    await parks(process);
    expect((await stateOf(world, sold)).order).toBe('PENDING_PAYMENT PENDING');
    await execute(
      world.db,
      `UPDATE webhook_events SET body = replace(body, 'usd', 'USD') WHERE body LIKE $1`,
      [`%${sold.attemptId}%`],
    );
    await process.executeUpdate(retryStep, { args: [{ noteId: null }] });
    expect(await process.result()).toBe('PROCESSED');
    expect(await sold.checkout.result()).toBe('PAID');
    await keepHistory(process, 'parked-then-retried');
  });

  test('who gives it up: it is dead, and its order as it was', async () => {
    const sold = await placed(world);
    const { event, process } = await reported('PAID', { ...sold, currency: 'usd' });
    await parks(process);
    await process.executeUpdate(abandonStep, { args: [{ noteId: null }] });
    expect(await process.result()).toBe('DEAD');
    expect(await eventRow(world.db, event)).toMatchObject({
      status: 'DEAD',
      error: 'An operator gave it up.',
    });
    expect((await stateOf(world, sold)).order).toBe('PENDING_PAYMENT PENDING');
    await cancel(world, sold);
    await keepHistory(process, 'parked-then-abandoned');
  });
});

test('money that no order wants any more goes back by a process of its own', async () => {
  const sold = await placed(world);
  await cancel(world, sold);
  expect(await (await report(world, 'PAID', sold)).result()).toBe('PROCESSED');
  await eventually(async () =>
    expect(await stateOf(world, sold)).toMatchObject({
      order: 'CANCELLED REFUNDED',
      refunds: ['LATE_PAYMENT COMPLETED'],
      ...NOTHING_HELD,
    }),
  );
});

test('money of another amount goes back, its report is done with, and the order waits for the right money', async () => {
  const sold = await placed(world);
  const { event, process } = await reported('PAID', { ...sold, amountMinor: 1, currency: 'EUR' });
  expect(await process.result()).toBe('PROCESSED');
  expect(await eventRow(world.db, event)).toMatchObject({ status: 'PROCESSED', error: null });
  await eventually(async () =>
    expect(await stateOf(world, sold)).toMatchObject({
      order: 'PENDING_PAYMENT FAILED',
      refunds: ['AMOUNT_MISMATCH COMPLETED'],
    }),
  );
  await payAgain(world, sold, 'BANK_TRANSFER');
  expect(await (await report(world, 'PAID', sold)).result()).toBe('PROCESSED');
  expect(await sold.checkout.result()).toBe('PAID');
  expect(await stateOf(world, sold)).toMatchObject({ refunds: ['AMOUNT_MISMATCH COMPLETED'], ...TWO_SOLD });
  await keepHistory(process, 'returned');
});

describe('an order that is paid while its checkout is closed, abandoned, or unable to read it', () => {
  const broken = (): Error => ApplicationFailure.nonRetryable('the disk is full', 'DiskFull');

  const abandon = (sold: Sale): Promise<unknown> =>
    eventually(() => sold.checkout.executeUpdate(abandonStep, { args: [{ noteId: null }] }));

  /** The order is on its way, picked up once, by one run of its fulfilment. */
  async function isFulfilledOnce(sold: Sale): Promise<void> {
    await eventually(async () => expect(await sold.fulfilment.query(orderStatus)).toBe('PROCESSING'));
    expect(await stateOf(world, sold)).toMatchObject({ order: 'PROCESSING PAID', refunds: [], ...TWO_SOLD });
    const moves = await rows<{ status: string }>(
      world.db,
      'SELECT status FROM order_status_changes WHERE order_id = $1 ORDER BY id',
      [sold.orderId],
    );
    expect(moves.map(({ status }) => status)).toEqual(['PENDING_PAYMENT', 'PAID', 'PROCESSING']);
    expect(await labelOfFulfilment(sold)).toMatch(/^ORD-/);
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
      expect(await stateOf(world, sold)).toMatchObject({
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
      expect(await stateOf(world, sold)).toMatchObject({
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
      await eventually(async () => expect((await stateOf(world, sold)).order).toBe('PAID PAID'));
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
      expect((await stateOf(world, sold)).order).toBe('PAID PAID');
    });
  });
});
