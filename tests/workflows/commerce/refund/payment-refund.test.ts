import type { WorkflowHandle } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { v7 } from 'uuid';
import { firstRow } from '../../../../db/sql/query';
import { PROVIDER_QUEUES } from '../../../../workers/queues';
import {
  paymentRefundProcess,
  settleRefund,
} from '../../../../workflows/commerce/refund/payment-refund.contract';
import { abandonStep, retryStep } from '../../../../workflows/kit/parking.contract';
import { paymentEventProcess } from '../../../../workflows/commerce/payment-event/payment-event.contract';
import type { ChargebackReportType } from '../../../../workflows/commerce/payment/payment-report.rules';
import { violations } from '../../../support/checks/violations';
import { eventually } from '../../../support/checks/eventually';
import { FakeBank } from '../../../support/fakes/fake-bank';
import { keepHistory } from '../../../support/checks/histories';
import { noteOf, orderState, orderSteps } from '../../../support/builders/ordering';
import { startSkippingWorld, type SkippingWorld } from '../../../support/worlds/skipping-world';
import { make } from '../../../support/builders/make';
import { stored } from '../../../activities/commerce/chargeback/chargebacks';
import { detailsOf, parks } from './refund-processes';
import { patient } from '../sales';
import { given } from '../../../support/builders/given';
import type { MadeOrder, OrderToPlace } from '../../../support/builders/given/steps';

let world: SkippingWorld;
let bank: FakeBank;
/** Run before each refund is sent. */
let beforeSending: () => Promise<void>;

beforeAll(async () => {
  world = await startSkippingWorld({
    queues: ['interactive', 'ingest', ...PROVIDER_QUEUES],
    fakes: (real) => ({
      // No queue is named after the bank of these tests.
      async refundProvider(refund) {
        const code = await real.refundProvider(refund);
        return code === bank.code ? 'sandbox' : code;
      },
      async sendRefund(refund) {
        await beforeSending();
        return orderSteps(world.db, bank).sendRefund(refund);
      },
      settleRefund: (settlement) => orderSteps(world.db, bank).settleRefund(settlement),
      abandonRefund: (refund) => orderSteps(world.db, bank).abandonRefund(refund),
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

interface Refund {
  order: OrderToPlace;
  refundId: string;
  process: WorkflowHandle;
}

/** The money of a cancelled order begins its way back. */
async function refund(): Promise<Refund> {
  const order = await given(world.db)
    .order({ at: (await world.now()).toISOString(), provider: bank })
    .paid()
    .cancelled();
  await world.processes.start(paymentRefundProcess, order);
  const process = patient(world).workflow.getHandle(paymentRefundProcess.id(order));
  return { order, refundId: order.refundId, process };
}

const becomes = ({ order }: Refund, status: string, refundStatus: string): Promise<void> =>
  eventually(async () =>
    expect(await orderState(world.db, order)).toMatchObject({
      order: `CANCELLED ${status}`,
      refunds: [`CANCELLATION ${refundStatus}`],
    }),
  );

test('money goes back, and its order is paid no longer', async () => {
  const one = await refund();
  expect(await one.process.result()).toBe('COMPLETED');
  await becomes(one, 'REFUNDED', 'COMPLETED');
  expect(bank.requests).toEqual(['refund']);
  await keepHistory(one.process, 'completed');
});

test('money that was sent without an answer is found by look-up, and never sent twice', async () => {
  bank.mood = 'loses the answer';
  const one = await refund();
  await eventually(() => expect(bank.requests).toEqual(['refund']));
  await world.sleep('2 seconds');
  await eventually(() => expect(bank.requests).toEqual(['refund', 'look up']));
  bank.mood = 'answers';
  await world.sleep('5 seconds');
  expect(await one.process.result()).toBe('COMPLETED');
  expect(bank.requests).toEqual(['refund', 'look up', 'look up']);
  expect(bank.sent).toEqual([`${one.refundId}:1`]);
});

test('nor is it when the provider could not be asked until a person retried', async () => {
  bank.mood = 'loses the answer';
  const one = await refund();
  await world.sleep('20 minutes');
  await parks(one.process);
  expect(await detailsOf(one.process)).toContain('Last error: The bank is not reached.');
  expect(bank.requests).toHaveLength(10);
  bank.mood = 'answers';
  await one.process.executeUpdate(retryStep, { args: [{ noteId: null }] });
  expect(await one.process.result()).toBe('COMPLETED');
  expect(bank.sent).toEqual([`${one.refundId}:1`]);
  await keepHistory(one.process, 'silent-then-found');
});

test('a bank that could not be reached sends it once it can', async () => {
  bank.mood = 'is not reached';
  const one = await refund();
  await world.sleep('3 seconds');
  bank.mood = 'answers';
  await world.sleep('1 minute');
  expect(await one.process.result()).toBe('COMPLETED');
  expect(bank.sent).toEqual([`${one.refundId}:1`]);
});

test('a refusal of the bank parks: the money waits, and goes when it is retried', async () => {
  bank.mood = 'refuses';
  const one = await refund();
  await parks(one.process);
  expect(await detailsOf(one.process)).toContain('The provider refuses the refund: the account is closed');
  await becomes(one, 'PAID', 'PROCESSING');
  bank.mood = 'answers';
  await one.process.executeUpdate(retryStep, { args: [{ noteId: null }] });
  expect(await one.process.result()).toBe('COMPLETED');
  await becomes(one, 'REFUNDED', 'COMPLETED');
  await keepHistory(one.process, 'refused-then-retried');
});

test('given up by an operator, the money stays owed', async () => {
  bank.mood = 'refuses';
  const one = await refund();
  await parks(one.process);
  await one.process.executeUpdate(abandonStep, { args: [{ noteId: null }] });
  expect(await one.process.result()).toBe('ABANDONED');
  await becomes(one, 'PAID', 'ABANDONED');
  expect(bank.sent).toEqual([]);
  await keepHistory(one.process, 'abandoned');
});

test('a refund that was started before stays as it is', async () => {
  const one = await refund();
  const again = { refundId: one.refundId, orderId: one.order.orderId };
  expect(await world.processes.start(paymentRefundProcess, again)).toBe('already started');
  expect(await one.process.result()).toBe('COMPLETED');
  await world.processes.start(paymentRefundProcess, again);
  expect(await patient(world).workflow.getHandle(one.process.workflowId).result()).toBe('COMPLETED');
  expect(bank.sent).toEqual([`${one.refundId}:1`]);
});

describe('a refund that a person settles', () => {
  const handleOf = (refundId: string): WorkflowHandle =>
    patient(world).workflow.getHandle(paymentRefundProcess.id({ refundId }));

  /** An administrator says that it is sent. */
  const settle = async (refund: { refundId: string; orderId: string }, reference = v7()): Promise<null> => {
    const noteId = await noteOf(world.db, (await make.admin(world.db)).id, reference);
    const { refundId, orderId } = refund;
    const how = { updateId: v7() };
    return world.processes.open(paymentRefundProcess, { refundId, orderId }, settleRefund, { noteId }, how);
  };

  const listed = ({ workflowId }: WorkflowHandle) =>
    firstRow<{ reason: string }>(world.db, 'SELECT reason FROM parked_processes WHERE workflow_id = $1', [
      workflowId,
    ]);
  const isListed = (process: WorkflowHandle): Promise<void> =>
    eventually(async () => expect((await listed(process))?.reason).toContain('waited too long'));

  /** The money of a bank transfer, which nobody has sent for days. */
  async function overdue() {
    const order = await given(world.db)
      .order({ method: 'BANK_TRANSFER', at: (await world.now()).toISOString() })
      .paid()
      .cancelled();
    await world.processes.start(paymentRefundProcess, order);
    const process = handleOf(order.refundId);
    await eventually(async () => expect(await detailsOf(process)).toMatch(/^Waits for a person/));
    expect(bank.requests).toEqual([]);
    await world.sleep('4 days');
    await isListed(process);
    return { order, process };
  }

  test('money of a transfer that nobody sends is on the operators’ list until it is said to be sent', async () => {
    const { order, process } = await overdue();
    await settle(order);
    expect(await process.result()).toBe('COMPLETED');
    expect(await listed(process)).toBeNull();
    expect((await orderState(world.db, order)).order).toBe('CANCELLED REFUNDED');
    await keepHistory(process, 'overdue-then-sent');
  });

  test('an operator who retries is reminded of it again after the same days', async () => {
    const { order, process } = await overdue();
    await process.executeUpdate(retryStep, { args: [{ noteId: null }] });
    await eventually(async () => expect(await listed(process)).toBeNull());
    await eventually(async () => expect(await detailsOf(process)).toMatch(/^Waits for a person/));
    await world.sleep('4 days');
    await isListed(process);
    await settle(order);
    expect(await process.result()).toBe('COMPLETED');
    await keepHistory(process, 'overdue-then-retried');
  });

  test('a settlement that is refused leaves it on the list', async () => {
    const { order, process } = await overdue();
    const sent = await given(world.db).order({ method: 'BANK_TRANSFER' }).paid().cancelled();
    await settle(sent, 'OUT-3');
    await expect(settle(order, 'OUT-3')).rejects.toMatchObject({ type: 'VALIDATION_ERROR' });
    await isListed(process);
    await settle(order, 'OUT-4');
    expect(await process.result()).toBe('COMPLETED');
    expect(await listed(process)).toBeNull();
  });

  test('a settlement that is refused leaves it waiting', async () => {
    const [first, second] = [
      await given(world.db).order({ method: 'BANK_TRANSFER' }).paid().cancelled(),
      await given(world.db).order({ method: 'BANK_TRANSFER' }).paid().cancelled(),
    ];
    await settle(first, 'OUT-1');
    await expect(settle(second, 'OUT-1')).rejects.toMatchObject({ type: 'VALIDATION_ERROR' });
    expect((await orderState(world.db, second)).refunds).toEqual(['CANCELLATION PROCESSING']);
    await settle(second, 'OUT-2');
    const process = handleOf(second.refundId);
    expect(await process.result()).toBe('COMPLETED');
    await keepHistory(process, 'sent-by-a-person');
  });

  test('one that was given up is settled by a run of its own, which looks it up and sends nothing', async () => {
    bank.mood = 'refuses';
    const order = await given(world.db)
      .order({ at: (await world.now()).toISOString(), provider: bank })
      .paid()
      .cancelled();
    await world.processes.start(paymentRefundProcess, order);
    const process = handleOf(order.refundId);
    await parks(process);
    await process.executeUpdate(abandonStep, { args: [{ noteId: null }] });
    expect(await process.result()).toBe('ABANDONED');
    bank.mood = 'answers';
    await settle(order);
    expect(await handleOf(order.refundId).result()).toBe('COMPLETED');
    expect(bank.requests).toEqual(['refund', 'look up', 'look up']);
    expect(bank.sent).toEqual([]);
    expect((await orderState(world.db, order)).order).toBe('CANCELLED REFUNDED');
  });

  test('settled before the transfer was requested: it ends without waiting', async () => {
    const order = await given(world.db).order({ method: 'BANK_TRANSFER' }).paid().cancelled();
    let settled = (): void => undefined;
    const whenSettled = new Promise<void>((resolve) => {
      settled = resolve;
    });
    beforeSending = () => whenSettled;
    await world.processes.start(paymentRefundProcess, order);
    await settle(order);
    settled();
    expect(await handleOf(order.refundId).result()).toBe('COMPLETED');
    expect((await orderState(world.db, order)).order).toBe('CANCELLED REFUNDED');
  });

  test('settled while it is parked: it ends without an operator', async () => {
    const order = await given(world.db).order({ method: 'BANK_TRANSFER' }).paid().cancelled();
    beforeSending = () => Promise.reject(ApplicationFailure.nonRetryable('No worker.', 'RefundRefused'));
    await world.processes.start(paymentRefundProcess, order);
    const process = handleOf(order.refundId);
    await parks(process);
    beforeSending = () => Promise.resolve();
    await settle(order);
    expect(await process.result()).toBe('COMPLETED');
  });
});

// Their refunds may be started by the process of a report, which ends first; see `patient`.
describe('a refund of a payment that the buyer disputes', () => {
  type Order = MadeOrder & { refundId: string };

  /** The provider reports what the buyer's bank did with all the money of an order; answers the process that applied it. */
  async function reported(order: Order, type: ChargebackReportType): Promise<WorkflowHandle> {
    const change = { chargebackId: 'one', provider: bank.code };
    const webhookEventId = await stored(world.db, type, order, change);
    const event = await firstRow<{ externalEventId: string }>(
      world.db,
      'SELECT external_event_id FROM webhook_events WHERE id = $1',
      [webhookEventId],
    );
    const input = { provider: bank.code, webhookEventId, externalEventId: event!.externalEventId };
    await world.processes.start(paymentEventProcess, input);
    const process = patient(world).workflow.getHandle(paymentEventProcess.id(input));
    expect(await process.result()).toBe('PROCESSED');
    return process;
  }

  const senderOf = ({ refundId }: Order): WorkflowHandle =>
    patient(world).workflow.getHandle(paymentRefundProcess.id({ refundId }));

  const toRefund = async (): Promise<Order> =>
    given(world.db)
      .order({ at: (await world.now()).toISOString(), provider: bank })
      .paid()
      .cancelled();

  /** A refund that cannot be sent, since the buyer's bank has taken the money. */
  async function disputed(): Promise<Order> {
    const order = await toRefund();
    await reported(order, 'payment.charged_back');
    await world.processes.start(paymentRefundProcess, order);
    await parks(senderOf(order));
    return order;
  }

  test('a refund that waits for a dispute ends when it is lost, without an operator', async () => {
    const order = await disputed();
    const report = await reported(order, 'payment.chargeback_lost');
    expect(await senderOf(order).result()).toBe('CHARGED_BACK');
    expect((await orderState(world.db, order)).order).toBe('CANCELLED REFUNDED');
    expect(bank.sent).toEqual([]);
    await keepHistory(senderOf(order), 'charged-back');
    await keepHistory(report, 'chargeback-lost');
  });

  test('and is sent when it is won', async () => {
    const order = await disputed();
    await reported(order, 'payment.chargeback_returned');
    expect(await senderOf(order).result()).toBe('COMPLETED');
    expect(bank.sent).toEqual([`${order.refundId}:1`]);
  });

  test('what was lost, then returned, is sent by a run of its own', async () => {
    const order = await disputed();
    await reported(order, 'payment.chargeback_lost');
    expect(await senderOf(order).result()).toBe('CHARGED_BACK');
    await reported(order, 'payment.chargeback_returned');
    expect(await senderOf(order).result()).toBe('COMPLETED');
    expect(bank.sent).toEqual([`${order.refundId}:1`]);
    expect((await orderState(world.db, order)).order).toBe('CANCELLED REFUNDED');
  });

  test('one that was given up after its provider was asked is looked up before it ends', async () => {
    const order = await toRefund();
    bank.mood = 'refuses';
    await world.processes.start(paymentRefundProcess, order);
    await parks(senderOf(order));
    await senderOf(order).executeUpdate(abandonStep, { args: [{ noteId: null }] });
    expect(await senderOf(order).result()).toBe('ABANDONED');
    await reported(order, 'payment.charged_back');
    await reported(order, 'payment.chargeback_lost');
    expect(await senderOf(order).result()).toBe('CHARGED_BACK');
    expect(bank.requests).toEqual(['refund', 'look up', 'look up']);
    expect((await orderState(world.db, order)).order).toBe('CANCELLED REFUNDED');
  });

  test('one that was given up ends with the report', async () => {
    const order = await disputed();
    await senderOf(order).executeUpdate(abandonStep, { args: [{ noteId: null }] });
    expect(await senderOf(order).result()).toBe('ABANDONED');
    await reported(order, 'payment.chargeback_lost');
    expect(await senderOf(order).result()).toBe('CHARGED_BACK');
    expect((await orderState(world.db, order)).order).toBe('CANCELLED REFUNDED');
  });
});
