import type { WorkflowHandle } from '@temporalio/client';
import { v7 } from 'uuid';
import { storeWebhookEvent } from '../../../../db/administration/webhook/webhook-event.writes';
import { firstRow } from '../../../../db/sql/query';
import { paymentEventProcess } from '../../../../workflows/commerce/payment-event/payment-event.contract';
import {
  factsOfReport,
  type RefundReportType,
} from '../../../../workflows/commerce/payment/payment-report.rules';
import {
  paymentRefundProcess,
  settleRefund,
} from '../../../../workflows/commerce/refund/payment-refund.contract';
import { abandonStep, retryStep } from '../../../../workflows/kit/parking.contract';
import { PROVIDER_QUEUES } from '../../../../workers/queues';
import { given } from '../../../support/builders/given';
import { make } from '../../../support/builders/make';
import type { OrderToPlace } from '../../../support/builders/given/steps';
import { noteOf, orderState, orderSteps, PRICE_MINOR } from '../../../support/builders/ordering';
import { eventually } from '../../../support/checks/eventually';
import { keepHistory } from '../../../support/checks/histories';
import { violations } from '../../../support/checks/violations';
import { FakeBank } from '../../../support/fakes/fake-bank';
import { startSkippingWorld, type SkippingWorld } from '../../../support/worlds/skipping-world';
import { patient } from '../sales';
import { detailsOf, parks } from './refund-processes';

let world: SkippingWorld;
let bank: FakeBank;

beforeAll(async () => {
  world = await startSkippingWorld({
    queues: ['interactive', 'ingest', ...PROVIDER_QUEUES],
    fakes: (real) => ({
      // No queue is named after the bank of these tests.
      async refundProvider(refund) {
        const code = await real.refundProvider(refund);
        return code === bank.code ? 'sandbox' : code;
      },
      sendRefund: (refund) => orderSteps(world.db, bank).sendRefund(refund),
      settleRefund: (settlement) => orderSteps(world.db, bank).settleRefund(settlement),
      abandonRefund: (refund) => orderSteps(world.db, bank).abandonRefund(refund),
    }),
  });
});
afterAll(async () => {
  expect(await violations(world.db)).toEqual([]);
  await world.teardown();
});

interface Refund {
  order: OrderToPlace;
  refundId: string;
  process: WorkflowHandle;
}

/** The money of a cancelled order, which the provider takes and does not send yet, unless it is in another mood. */
async function refund(mood: FakeBank['mood'] = 'keeps it pending'): Promise<Refund> {
  bank = new FakeBank();
  bank.mood = mood;
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

describe('a refund that the provider has pending', () => {
  const isPending = async ({ process }: Refund): Promise<void> =>
    eventually(async () =>
      expect(await detailsOf(process)).toMatch(/^The provider has the refund and has not/),
    );

  /** Stores and applies what the provider says of it. */
  async function reports({ order, refundId }: Refund, type: RefundReportType): Promise<WorkflowHandle> {
    const payment = await firstRow<{ paymentId: string }>(
      world.db,
      'SELECT provider_payment_id AS payment_id FROM payment_captures WHERE order_id = $1',
      [order.orderId],
    );
    const [webhookEventId, externalEventId] = [v7(), v7()];
    const data = {
      ...payment,
      key: `${refundId}:1`,
      refundId: 're_1',
      amountMinor: PRICE_MINOR,
      currency: 'USD',
    };
    const body = JSON.stringify({ type, timestamp: new Date().toISOString(), data });
    const event = {
      provider: bank.code,
      externalEventId,
      type,
      body,
      bodyHash: '',
      known: true,
      ...factsOfReport(type, { data }),
    };
    await storeWebhookEvent(world.db, { id: webhookEventId, at: new Date(), ...event });
    const input = { provider: bank.code, externalEventId, webhookEventId };
    await world.processes.start(paymentEventProcess, input);
    return patient(world).workflow.getHandle(paymentEventProcess.id(input));
  }

  test('waits, is not parked, and is completed when the provider reports it', async () => {
    const one = await refund();
    await isPending(one);
    await world.sleep('20 minutes');
    await isPending(one);
    expect(bank.requests).toEqual(['refund', 'look up']);
    expect(
      await firstRow(world.db, 'SELECT 1 FROM parked_processes WHERE workflow_id = $1', [
        one.process.workflowId,
      ]),
    ).toBeNull();
    bank.mood = 'answers';
    bank.carriesOut(`${one.refundId}:1`, PRICE_MINOR);
    const report = await reports(one, 'refund.completed');
    expect(await one.process.result()).toBe('COMPLETED');
    await becomes(one, 'REFUNDED', 'COMPLETED');
    expect(bank.sent).toEqual([`${one.refundId}:1`]);
    expect(await report.result()).toBe('PROCESSED');
    await keepHistory(one.process, 'pending-then-reported');
    await keepHistory(report, 'of-a-refund');
  });

  test('that fails is parked, and is sent again by a person only, whatever its provider repeats', async () => {
    const one = await refund();
    await isPending(one);
    bank.mood = 'answers';
    bank.fails(`${one.refundId}:1`);
    await (await reports(one, 'refund.failed')).result();
    await parks(one.process);
    await (await reports(one, 'refund.failed')).result();
    await world.sleep('20 minutes');
    await parks(one.process);
    expect(bank.keys).toEqual([`${one.refundId}:1`]);
    await eventually(() => one.process.executeUpdate(retryStep, { args: [{ noteId: null }] }));
    expect(await one.process.result()).toBe('COMPLETED');
    expect(bank.sent).toEqual([`${one.refundId}:2`]);
  });

  test('is looked up again without a report, and shown to operators after days', async () => {
    const one = await refund();
    await isPending(one);
    await world.sleep('5 days');
    await parks(one.process);
    expect(await detailsOf(one.process)).toContain('Do not send it by hand');
    bank.mood = 'answers';
    bank.carriesOut(`${one.refundId}:1`, PRICE_MINOR);
    await one.process.executeUpdate(retryStep, { args: [{ noteId: null }] });
    expect(await one.process.result()).toBe('COMPLETED');
    await becomes(one, 'REFUNDED', 'COMPLETED');
    await keepHistory(one.process, 'pending-for-days');
  });
});

describe('a refund that is given up while its provider cannot say whether it has sent it', () => {
  const decides = ({ process }: Refund, decision: typeof abandonStep): Promise<unknown> =>
    process.executeUpdate(decision, { args: [{ noteId: null }] });

  async function givenUp(mood: 'is not reached' | 'loses the answer'): Promise<Refund> {
    const one = await refund(mood);
    await world.sleep('20 minutes');
    await parks(one.process);
    await decides(one, abandonStep);
    await eventually(async () =>
      expect(await detailsOf(one.process)).toContain(
        'cannot say now whether it has already sent this refund',
      ),
    );
    await becomes(one, 'PAID', 'PROCESSING');
    bank.mood = 'answers';
    return one;
  }

  test('stays with it, and is completed when it is given up again and had been sent', async () => {
    const one = await givenUp('loses the answer');
    await decides(one, abandonStep);
    expect(await one.process.result()).toBe('COMPLETED');
    await becomes(one, 'REFUNDED', 'COMPLETED');
    expect(bank.sent).toEqual([`${one.refundId}:1`]);
    await keepHistory(one.process, 'kept-then-found-sent');
  });

  test('is completed by the word of a person whose money was not needed, and its process ends', async () => {
    const one = await givenUp('loses the answer');
    const noteId = await noteOf(world.db, (await make.admin(world.db)).id, 'OUT 77');
    await expect(
      world.processes.ask(one.process.workflowId, settleRefund, { noteId }, { updateId: v7() }),
    ).rejects.toMatchObject({ type: 'ALREADY_SETTLED' });
    expect(await one.process.result()).toBe('COMPLETED');
    await becomes(one, 'REFUNDED', 'COMPLETED');
    await keepHistory(one.process, 'kept-then-settled-by-its-provider');
  });

  test('stays with it, and is sent when it is retried', async () => {
    const one = await givenUp('is not reached');
    await decides(one, retryStep);
    expect(await one.process.result()).toBe('COMPLETED');
    expect(bank.sent).toEqual([`${one.refundId}:1`]);
    await keepHistory(one.process, 'kept-then-sent');
  });
});
