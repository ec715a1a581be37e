import type { WorkflowHandle } from '@temporalio/client';
import { v7 } from 'uuid';
import { execute } from '../../../../db/sql/query';
import { orderStatus } from '../../../../workflows/commerce/order/order.contract';
import {
  paymentEventProcess,
  type PaymentEventInput,
} from '../../../../workflows/commerce/payment/payment-event.contract';
import { abandonStep, retryStep } from '../../../../workflows/kit/parking.contract';
import { violations } from '../../../support/checks/violations';
import { eventually } from '../../../support/checks/eventually';
import { keepHistory } from '../../../support/checks/histories';
import { eventRow, NOTHING_HELD, storedReport, TWO_SOLD } from '../../../support/builders/ordering';
import { startSkippingWorld, type SkippingWorld } from '../../../support/worlds/skipping-world';
import { bookOf, cancel, patient, payAgain, place, placed, report, sale } from '../sales';

let world: SkippingWorld;
beforeAll(async () => {
  world = await startSkippingWorld();
});
afterAll(async () => {
  expect(await violations(world.db)).toEqual([]);
  await world.teardown();
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
  expect(await world.processes.start(paymentEventProcess, event)).toBe('already started');
  expect(await (await report(world, 'PAID', payment)).result()).toBe('PROCESSED');
  expect((await bookOf(world, sold)).refunds).toEqual([]);
  await keepHistory(process, 'applied');
});

test('a declined payment leaves the order waiting for another attempt', async () => {
  const sold = await placed(world);
  expect(await (await report(world, 'DECLINED', sold)).result()).toBe('PROCESSED');
  expect((await bookOf(world, sold)).order).toBe('PENDING_PAYMENT FAILED');
  await payAgain(world, sold, 'CARD');
  expect((await bookOf(world, sold)).order).toBe('PENDING_PAYMENT PENDING');
  expect(await sold.checkout.query(orderStatus)).toBe('PENDING_PAYMENT');
  await cancel(world, sold);
});

test('a payment that expired at the provider ends the order before its window has passed', async () => {
  const sold = await placed(world);
  await report(world, 'EXPIRED', sold);
  expect(await sold.checkout.result()).toBe('CANCELLED');
  expect(await bookOf(world, sold)).toMatchObject({ order: 'CANCELLED FAILED', ...NOTHING_HELD });
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
    expect((await bookOf(world, sold)).order).toBe('PENDING_PAYMENT PENDING');
    await execute(
      world.db,
      `UPDATE webhook_events SET body = replace(body, 'usd', 'USD') WHERE body LIKE $1`,
      [`%${sold.attemptId}%`],
    );
    await process.executeUpdate(retryStep, { args: [{ noteId: null }] });
    expect(await process.result()).toBe('PROCESSED');
    expect(await sold.checkout.result()).toBe('PAID');
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
    expect((await bookOf(world, sold)).order).toBe('PENDING_PAYMENT PENDING');
    await cancel(world, sold);
    await keepHistory(process, 'parked-then-abandoned');
  });
});

test('money that no order wants any more goes back by a process of its own', async () => {
  const sold = await placed(world);
  await cancel(world, sold);
  expect(await (await report(world, 'PAID', sold)).result()).toBe('PROCESSED');
  await eventually(async () =>
    expect(await bookOf(world, sold)).toMatchObject({
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
    expect(await bookOf(world, sold)).toMatchObject({
      order: 'PENDING_PAYMENT FAILED',
      refunds: ['AMOUNT_MISMATCH COMPLETED'],
    }),
  );
  await payAgain(world, sold, 'BANK_TRANSFER');
  expect(await (await report(world, 'PAID', sold)).result()).toBe('PROCESSED');
  expect(await sold.checkout.result()).toBe('PAID');
  expect(await bookOf(world, sold)).toMatchObject({ refunds: ['AMOUNT_MISMATCH COMPLETED'], ...TWO_SOLD });
  await keepHistory(process, 'returned');
});
