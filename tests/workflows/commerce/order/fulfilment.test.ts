import { ApplicationFailure } from '@temporalio/common';
import { v7 } from 'uuid';
import { fulfilmentProcess } from '../../../../workflows/commerce/order/fulfilment.contract';
import { cancelOrder, orderStatus } from '../../../../workflows/commerce/order/order.contract';
import { abandonStep, retryStep } from '../../../../workflows/kit/parking.contract';
import { violations } from '../../../support/checks/violations';
import { eventually } from '../../../support/checks/eventually';
import { keepHistory } from '../../../support/checks/histories';
import {
  noteOf,
  orderStep,
  orderToRefund,
  paidOrder,
  PRICE_MINOR,
  TWO_SOLD,
} from '../../../support/builders/ordering';
import { startSkippingWorld, type SkippingWorld } from '../../../support/worlds/skipping-world';
import { bookOf, cancel, patient, placed, type Sale } from '../sales';

let world: SkippingWorld;
let trouble: Error | undefined;

beforeAll(async () => {
  world = await startSkippingWorld({
    fakes: (real) => ({
      beginProcessing: async (order) => {
        if (trouble) throw trouble;
        return real.beginProcessing(order);
      },
    }),
  });
});
afterAll(async () => {
  expect(await violations(world.db)).toEqual([]);
  await world.teardown();
});
beforeEach(() => {
  trouble = undefined;
});

const broken = (): Error => ApplicationFailure.nonRetryable('the disk is full', 'DiskFull');
const handleOf = (order: { orderId: string; userId: string }): Sale['fulfilment'] =>
  patient(world).workflow.getHandle(fulfilmentProcess.id(order));
const becomes = (sold: { fulfilment: Sale['fulfilment'] }, status: string): Promise<void> =>
  eventually(async () => expect(await sold.fulfilment.query(orderStatus)).toBe(status));

/** An order that was paid by card before its fulfilment begins. */
async function paid() {
  const order = await paidOrder(world.db);
  return { ...order, fulfilment: handleOf(order), checkout: handleOf(order) };
}

test('a paid order is taken up at once', async () => {
  const sold = await paid();
  await world.processes.start(fulfilmentProcess, sold);
  await becomes(sold, 'PROCESSING');
  expect(await bookOf(world, sold)).toMatchObject({ order: 'PROCESSING PAID', ...TWO_SOLD });
});

test('cancelled before it left, an order paid by card is refunded through its provider', async () => {
  const sold = await paid();
  await world.processes.start(fulfilmentProcess, sold);
  await becomes(sold, 'PROCESSING');
  const cancelled = await cancel(world, sold, 'fulfilment');
  expect(cancelled).toMatchObject({ refundStatus: 'PROCESSING', refundAmountMinor: PRICE_MINOR });
  expect(await sold.fulfilment.result()).toBe('CANCELLED');
  await eventually(async () =>
    expect(await bookOf(world, sold)).toMatchObject({
      order: 'CANCELLED REFUNDED',
      stock: '10 + 0',
      refunds: ['CANCELLATION COMPLETED'],
    }),
  );
  await keepHistory(sold.fulfilment, 'cancelled');
});

test('cancelled before it left, an order paid from the balance is refunded at once', async () => {
  const sold = await placed(world, { method: 'BALANCE', walletMinor: PRICE_MINOR });
  await sold.checkout.result();
  expect(await cancel(world, sold, 'fulfilment')).toMatchObject({ refundStatus: 'COMPLETED' });
  expect(await sold.fulfilment.result()).toBe('CANCELLED');
  expect(await bookOf(world, sold)).toMatchObject({ order: 'CANCELLED REFUNDED', walletMinor: PRICE_MINOR });
});

test('a cancellation may be what starts it', async () => {
  const sold = await paid();
  const noteId = await noteOf(world.db, sold.userId, 'At the last moment.');
  const options = { updateId: v7(), ifClosed: 'CANNOT_CANCEL' as const };
  const cancelled = await world.processes.open(fulfilmentProcess, sold, cancelOrder, { noteId }, options);
  expect(cancelled.refundStatus).toBe('PROCESSING');
  expect(await sold.fulfilment.result()).toBe('CANCELLED');
  expect((await bookOf(world, sold)).order).toMatch(/^CANCELLED/);
  await keepHistory(sold.fulfilment, 'cancelled-from-the-start');
});

test('started twice it runs once, and a second cancellation finds it closed', async () => {
  const sold = await paid();
  expect(await world.processes.start(fulfilmentProcess, sold)).toBe('started');
  expect(await world.processes.start(fulfilmentProcess, sold)).toBe('already started');
  await cancel(world, sold, 'fulfilment');
  await sold.fulfilment.result();
  expect(await world.processes.start(fulfilmentProcess, sold)).toBe('already started');
  await expect(cancel(world, sold, 'fulfilment')).rejects.toMatchObject({ type: 'CANNOT_CANCEL' });
  expect((await bookOf(world, sold)).refunds).toHaveLength(1);
});

test('two cancellations at once: one refund', async () => {
  const sold = await paid();
  await world.processes.start(fulfilmentProcess, sold);
  await becomes(sold, 'PROCESSING');
  const outcomes = await Promise.allSettled([
    cancel(world, sold, 'fulfilment'),
    cancel(world, sold, 'fulfilment'),
  ]);
  expect(outcomes.map(({ status }) => status)).toContain('fulfilled');
  expect((await bookOf(world, sold)).refunds).toHaveLength(1);
});

test('started for an order that was cancelled meanwhile, it ends', async () => {
  const order = await orderToRefund(world.db);
  await world.processes.start(fulfilmentProcess, order);
  expect(await handleOf(order).result()).toBe('CANCELLED');
  expect((await orderStep(world.db, order)).refunds).toHaveLength(1);
});

describe('an order that cannot be taken up waits for a person', () => {
  const needsAttention = (sold: Sale): Promise<void> =>
    eventually(async () => {
      const { currentDetails } = await sold.fulfilment.query<{ currentDetails: string }>(
        '__temporal_workflow_metadata',
      );
      expect(currentDetails).toContain('Could not begin processing the order');
    });

  test('who has it tried again', async () => {
    const sold = await paid();
    trouble = broken();
    await world.processes.start(fulfilmentProcess, sold);
    await needsAttention(sold);
    trouble = undefined;
    await sold.fulfilment.executeUpdate(retryStep, { args: [{ noteId: null }] });
    await becomes(sold, 'PROCESSING');
    await keepHistory(sold.fulfilment, 'parked-then-retried');
  });

  test('abandoned: the buyer can still cancel', async () => {
    const sold = await paid();
    trouble = broken();
    await world.processes.start(fulfilmentProcess, sold);
    await needsAttention(sold);
    await sold.fulfilment.executeUpdate(abandonStep, { args: [{ noteId: null }] });
    expect((await bookOf(world, sold)).order).toBe('PAID PAID');
    await cancel(world, sold, 'fulfilment');
    expect(await sold.fulfilment.result()).toBe('CANCELLED');
  });

  test('while it waits, the buyer can cancel; the person then finds nothing left to do', async () => {
    const sold = await paid();
    trouble = broken();
    await world.processes.start(fulfilmentProcess, sold);
    await needsAttention(sold);
    await cancel(world, sold, 'fulfilment');
    trouble = undefined;
    await sold.fulfilment.executeUpdate(retryStep, { args: [{ noteId: null }] });
    expect(await sold.fulfilment.result()).toBe('CANCELLED');
  });
});
