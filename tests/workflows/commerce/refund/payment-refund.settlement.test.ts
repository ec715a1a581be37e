import type { WorkflowHandle } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { v7 } from 'uuid';
import {
  paymentRefundProcess,
  settleRefund,
} from '../../../../workflows/commerce/refund/payment-refund.contract';
import { abandonStep } from '../../../../workflows/kit/parking.contract';
import { violations } from '../../../support/checks/violations';
import { eventually } from '../../../support/checks/eventually';
import { FakeBank } from '../../../support/fakes/fake-bank';
import { keepHistory } from '../../../support/checks/histories';
import { make } from '../../../support/builders/make';
import { noteOf, orderStep, orderSteps, orderToRefund } from '../../../support/builders/ordering';
import { startSkippingWorld, type SkippingWorld } from '../../../support/worlds/skipping-world';
import { transferToReturn } from '../../../support/builders/transferring';
import { detailsOf, parks } from './refund-processes';
import { patient } from '../sales';

let world: SkippingWorld;
let bank: FakeBank;
/** Run before each refund is sent. */
let beforeSending: () => Promise<void>;
beforeAll(async () => {
  world = await startSkippingWorld({
    fakes: () => ({
      async sendRefund(refund) {
        await beforeSending();
        return orderSteps(world.db, bank).sendRefund(refund);
      },
    }),
  });
});
afterAll(async () => {
  expect(await violations(world.db)).toEqual([]);
  await world.teardown();
});
beforeEach(() => {
  bank = new FakeBank();
  beforeSending = () => Promise.resolve();
});

const handleOf = (refundId: string): WorkflowHandle =>
  patient(world).workflow.getHandle(paymentRefundProcess.id({ refundId }));

/** An administrator says that it is sent. */
const settle = async (refund: { refundId: string; orderId: string }, reference = v7()): Promise<null> => {
  const noteId = await noteOf(world.db, (await make.admin(world.db)).id, reference);
  const { refundId, orderId } = refund;
  const how = { updateId: v7(), ifClosed: 'ALREADY_SETTLED' as const };
  return world.processes.open(paymentRefundProcess, { refundId, orderId }, settleRefund, { noteId }, how);
};

test('money of a transfer waits for a person, reminds of itself, and ends when it is said to be sent', async () => {
  const order = await transferToReturn(world.db, { at: (await world.now()).toISOString() });
  await world.processes.start(paymentRefundProcess, order);
  const process = handleOf(order.refundId);
  await eventually(async () => expect(await detailsOf(process)).toMatch(/^Waits for a person/));
  expect(bank.requests).toEqual([]);
  await world.sleep('4 days');
  await parks(process);
  await settle(order);
  expect(await process.result()).toBe('COMPLETED');
  expect((await orderStep(world.db, order)).order).toBe('CANCELLED REFUNDED');
  await keepHistory(process, 'sent-by-a-person');
});

test('a settlement that is refused leaves it waiting', async () => {
  const [first, second] = [await transferToReturn(world.db), await transferToReturn(world.db)];
  await settle(first, 'OUT-1');
  await expect(settle(second, 'OUT-1')).rejects.toMatchObject({ type: 'VALIDATION_ERROR' });
  expect((await orderStep(world.db, second)).refunds).toEqual(['CANCELLATION PROCESSING']);
  await settle(second, 'OUT-2');
  expect(await handleOf(second.refundId).result()).toBe('COMPLETED');
});

test('one that was given up is settled by a run of its own, which asks no provider', async () => {
  bank.mood = 'refuses';
  const order = await orderToRefund(world.db, { at: (await world.now()).toISOString(), provider: bank });
  await world.processes.start(paymentRefundProcess, order);
  const process = handleOf(order.refundId);
  await parks(process);
  await process.executeUpdate(abandonStep, { args: [{ noteId: null }] });
  expect(await process.result()).toBe('ABANDONED');
  bank.mood = 'answers';
  await settle(order);
  expect(await handleOf(order.refundId).result()).toBe('COMPLETED');
  expect(bank.sent).toEqual([]);
  expect((await orderStep(world.db, order)).order).toBe('CANCELLED REFUNDED');
});

test('settled before the transfer was requested: it ends without waiting', async () => {
  const order = await transferToReturn(world.db);
  let settled = (): void => undefined;
  const whenSettled = new Promise<void>((resolve) => {
    settled = resolve;
  });
  beforeSending = () => whenSettled;
  await world.processes.start(paymentRefundProcess, order);
  await settle(order);
  settled();
  expect(await handleOf(order.refundId).result()).toBe('COMPLETED');
  expect((await orderStep(world.db, order)).order).toBe('CANCELLED REFUNDED');
});

test('settled while it is parked: it ends without an operator', async () => {
  const order = await transferToReturn(world.db);
  beforeSending = () => Promise.reject(ApplicationFailure.nonRetryable('No worker.', 'RefundRefused'));
  await world.processes.start(paymentRefundProcess, order);
  const process = handleOf(order.refundId);
  await parks(process);
  beforeSending = () => Promise.resolve();
  await settle(order);
  expect(await process.result()).toBe('COMPLETED');
});
