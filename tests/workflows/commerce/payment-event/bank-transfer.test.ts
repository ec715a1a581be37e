import { ApplicationFailure } from '@temporalio/common';
import { v7 } from 'uuid';
import { firstRow } from '../../../../db/sql/query';
import {
  bankTransferProcess,
  transferOutcome,
  type BankTransfer,
  type ConfirmedTransfer,
} from '../../../../workflows/commerce/payment-event/bank-transfer.contract';
import { orderStatus, paymentReported } from '../../../../workflows/commerce/order/order.contract';
import { abandonStep, retryStep } from '../../../../workflows/kit/parking.contract';
import { PROVIDER_QUEUES } from '../../../../workers/queues';
import { violations } from '../../../support/checks/violations';
import { eventually } from '../../../support/checks/eventually';
import { keepHistory } from '../../../support/checks/histories';
import { make } from '../../../support/builders/make';
import { noteOf, NOTHING_HELD, PRICE_MINOR, TWO_SOLD } from '../../../support/builders/ordering';
import { startSkippingWorld, type SkippingWorld } from '../../../support/worlds/skipping-world';
import { stateOf, cancel, labelOfFulfilment, patient, placed, type Sale } from '../sales';

let world: SkippingWorld;
let staffId: string;
/** Run when a transfer is recorded, before its process knows. */
let afterwards: () => void;
/** Run when the checkout reads its order. */
let reading: () => void;

beforeAll(async () => {
  world = await startSkippingWorld({
    queues: ['interactive', ...PROVIDER_QUEUES],
    fakes: (real) => ({
      async confirmTransfer(transfer) {
        const confirmed = await real.confirmTransfer(transfer);
        afterwards();
        return confirmed;
      },
      orderState(order) {
        reading();
        return real.orderState(order);
      },
      sendRefund: ({ refundId }) =>
        Promise.resolve({ sentBy: 'PROVIDER', providerRefundId: `out-${refundId}` }),
    }),
  });
  staffId = (await make.admin(world.db)).id;
});
afterAll(async () => {
  expect(await violations(world.db)).toEqual([]);
  await world.teardown();
});
beforeEach(() => {
  afterwards = () => undefined;
  reading = () => undefined;
});

const transferFor = async (
  { orderId, userId }: Sale,
  options: Partial<Pick<BankTransfer, 'amountMinor' | 'transactionId' | 'onMismatch' | 'noteId'>> = {},
): Promise<BankTransfer> => ({
  captureId: v7(),
  orderId,
  userId,
  amountMinor: PRICE_MINOR,
  transactionId: `bank-${v7()}`,
  onMismatch: 'REFUSE',
  noteId: await noteOf(world.db, staffId, null),
  ...options,
});
const enter = (transfer: BankTransfer, updateId = v7()): Promise<ConfirmedTransfer> =>
  world.processes.open(bankTransferProcess, transfer, transferOutcome, null, {
    updateId,
  });
const processOf = (transfer: BankTransfer) =>
  patient(world).workflow.getHandle(bankTransferProcess.id(transfer));
const refundOf = async ({ orderId }: Sale): Promise<string | undefined> =>
  (await firstRow<{ id: string }>(world.db, 'SELECT id FROM payment_refunds WHERE order_id = $1', [orderId]))
    ?.id;
const returnIsStarted = (sold: Sale): Promise<void> =>
  eventually(async () => {
    const refund = patient(world).workflow.getHandle(`payment-refund:${await refundOf(sold)}`);
    expect((await refund.describe()).type).toBe('paymentRefund');
  });

test('a transfer pays the order that waits: checkout hears of it, and fulfilment has it', async () => {
  const sold = await placed(world, { method: 'BANK_TRANSFER' });
  const transfer = await transferFor(sold);
  expect(await enter(transfer)).toEqual({ status: 'PAID', paymentStatus: 'PAID', outcome: 'APPLIED' });
  expect(await processOf(transfer).result()).toBe('APPLIED');
  expect(await sold.checkout.result()).toBe('PAID');
  await eventually(async () =>
    expect(await stateOf(world, sold)).toMatchObject({ order: 'PROCESSING PAID', ...TWO_SOLD }),
  );
  await keepHistory(processOf(transfer), 'applied');
});

test('a transfer for an order whose checkout is closed is recorded, and its return started', async () => {
  const sold = await placed(world, { method: 'BANK_TRANSFER' });
  await cancel(world, sold);
  expect(await sold.checkout.result()).toBe('CANCELLED');
  const transfer = await transferFor(sold);
  const updateId = v7();
  const entered = await enter(transfer, updateId);
  expect(entered).toEqual({ status: 'CANCELLED', paymentStatus: 'FAILED', outcome: 'RETURNED' });
  await returnIsStarted(sold);
  expect(await processOf(transfer).result()).toBe('RETURNED');
  expect(await enter(transfer, updateId)).toMatchObject({ status: 'CANCELLED', outcome: 'RETURNED' });
  expect(await stateOf(world, sold)).toMatchObject({ ...NOTHING_HELD });
  await keepHistory(processOf(transfer), 'returned');
});

test('recorded, and the answer lost: the step is done again, and the return is started', async () => {
  const sold = await placed(world);
  await cancel(world, sold);
  let lost = 0;
  afterwards = () => {
    if (lost++ === 0) throw ApplicationFailure.retryable('the worker died');
  };
  expect((await enter(await transferFor(sold))).outcome).toBe('RETURNED');
  expect(lost).toBe(2);
  await returnIsStarted(sold);
});

test('entered again after its process closed: the same answer, and nothing happens', async () => {
  const sold = await placed(world);
  const transfer = await transferFor(sold);
  const first = await enter(transfer);
  expect(await processOf(transfer).result()).toBe('APPLIED');
  expect((await enter(transfer)).outcome).toBe(first.outcome);
  expect((await enter({ ...transfer, captureId: v7() })).outcome).toBe(first.outcome);
  expect((await stateOf(world, sold)).refunds).toEqual([]);
});

test('a refused transfer answers the reason, and leaves nothing', async () => {
  const sold = await placed(world);
  const transfer = await transferFor(sold, { amountMinor: 1 });
  await expect(enter(transfer)).rejects.toMatchObject({ type: 'AMOUNT_MISMATCH' });
  expect(await processOf(transfer).result()).toBe('REFUSED');
  expect((await stateOf(world, sold)).refunds).toEqual([]);
  await keepHistory(processOf(transfer), 'refused');
  await cancel(world, sold);
});

/** A transfer whose step fails for good after it was written. */
async function parked(): Promise<{ sold: Sale; transfer: BankTransfer }> {
  const sold = await placed(world);
  const transfer = await transferFor(sold);
  afterwards = () => {
    throw ApplicationFailure.nonRetryable('the disk is full', 'DiskFull');
  };
  await expect(enter(transfer)).rejects.toThrow();
  await eventually(async () =>
    expect(
      await firstRow(world.db, 'SELECT 1 FROM parked_processes WHERE workflow_id = $1', [
        bankTransferProcess.id(transfer),
      ]),
    ).not.toBeNull(),
  );
  afterwards = () => undefined;
  return { sold, transfer };
}

test('a step that cannot be done waits for a person, and the administrator does not wait for that', async () => {
  const { transfer } = await parked();
  await processOf(transfer).executeUpdate(retryStep, { args: [{ noteId: null }] });
  expect(await processOf(transfer).result()).toBe('APPLIED');
  await keepHistory(processOf(transfer), 'parked-then-retried');
  expect((await enter(transfer)).outcome).toBe('APPLIED');
});

test('abandoned, it ends; entered again, the same transfer pays its order', async () => {
  const { sold, transfer } = await parked();
  await processOf(transfer).executeUpdate(abandonStep, { args: [{ noteId: null }] });
  expect(await processOf(transfer).result()).toBe('ABANDONED');
  await keepHistory(processOf(transfer), 'parked-then-abandoned');
  expect((await enter(transfer)).outcome).toBe('APPLIED');
  expect(await sold.checkout.result()).toBe('PAID');
});

test('an order that an operator took from its checkout is paid all the same, and fulfilment has it', async () => {
  const sold = await placed(world);
  reading = () => {
    throw ApplicationFailure.nonRetryable('the disk is full', 'DiskFull');
  };
  await sold.checkout.signal(paymentReported);
  await eventually(() => sold.checkout.executeUpdate(abandonStep, { args: [{ noteId: null }] }));
  expect(await sold.checkout.result()).toBe('ABANDONED');
  reading = () => undefined;
  expect((await enter(await transferFor(sold))).outcome).toBe('APPLIED');
  await eventually(async () => expect(await sold.fulfilment.query(orderStatus)).toBe('PROCESSING'));
  expect(await labelOfFulfilment(sold)).toContain(sold.placed.orderNumber);
});
