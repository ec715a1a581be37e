import type { WorkflowHandle } from '@temporalio/client';
import { paymentEventProcess } from '../../../../workflows/commerce/payment/payment-event.contract';
import { paymentRefundProcess } from '../../../../workflows/commerce/refund/payment-refund.contract';
import type { ChargebackReportType } from '../../../../workflows/commerce/payment/payment-report.rules';
import { abandonStep } from '../../../../workflows/kit/parking.contract';
import { firstRow } from '../../../../db/sql/query';
import { stored } from '../../../activities/commerce/chargeback/chargebacks';
import { violations } from '../../../support/checks/violations';
import { FakeBank } from '../../../support/fakes/fake-bank';
import { keepHistory } from '../../../support/checks/histories';
import { orderStep, orderSteps, orderToRefund } from '../../../support/builders/ordering';
import { startSkippingWorld, type SkippingWorld } from '../../../support/worlds/skipping-world';
import { parks } from './refund-processes';
import { patient } from '../sales';

let world: SkippingWorld;
let bank: FakeBank;
beforeAll(async () => {
  world = await startSkippingWorld({
    fakes: () => ({
      refundProvider: () => Promise.resolve('sandbox'),
      sendRefund: (refund) => orderSteps(world.db, bank).sendRefund(refund),
    }),
  });
});
afterAll(async () => {
  expect(await violations(world.db)).toEqual([]);
  await world.teardown();
});
beforeEach(() => {
  bank = new FakeBank();
});

type Order = Awaited<ReturnType<typeof orderToRefund>>;

/** The provider reports what the buyer's bank did with all the money of an order; ends when the report was applied. */
async function reported(order: Order, type: ChargebackReportType): Promise<void> {
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
}

const senderOf = ({ refundId }: Order): WorkflowHandle =>
  patient(world).workflow.getHandle(paymentRefundProcess.id({ refundId }));

const toRefund = async (): Promise<Order> =>
  orderToRefund(world.db, { at: (await world.now()).toISOString(), provider: bank });

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
  await reported(order, 'payment.chargeback_lost');
  expect(await senderOf(order).result()).toBe('CHARGED_BACK');
  expect((await orderStep(world.db, order)).order).toBe('CANCELLED REFUNDED');
  expect(bank.sent).toEqual([]);
  await keepHistory(senderOf(order), 'charged-back');
});

test('and is sent when it is won', async () => {
  const order = await disputed();
  await reported(order, 'payment.chargeback_returned');
  expect(await senderOf(order).result()).toBe('COMPLETED');
  expect(bank.sent).toEqual([order.refundId]);
});

test('what was lost, then returned, is sent by a run of its own', async () => {
  const order = await disputed();
  await reported(order, 'payment.chargeback_lost');
  expect(await senderOf(order).result()).toBe('CHARGED_BACK');
  await reported(order, 'payment.chargeback_returned');
  expect(await senderOf(order).result()).toBe('COMPLETED');
  expect(bank.sent).toEqual([order.refundId]);
  expect((await orderStep(world.db, order)).order).toBe('CANCELLED REFUNDED');
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
  expect(bank.requests).toEqual(['refund', 'look up']);
  expect((await orderStep(world.db, order)).order).toBe('CANCELLED REFUNDED');
});

test('one that was given up ends with the report', async () => {
  const order = await disputed();
  await senderOf(order).executeUpdate(abandonStep, { args: [{ noteId: null }] });
  expect(await senderOf(order).result()).toBe('ABANDONED');
  await reported(order, 'payment.chargeback_lost');
  expect(await senderOf(order).result()).toBe('CHARGED_BACK');
  expect((await orderStep(world.db, order)).order).toBe('CANCELLED REFUNDED');
});
