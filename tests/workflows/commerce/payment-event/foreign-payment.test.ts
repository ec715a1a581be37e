import type { WorkflowHandle } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { v7 } from 'uuid';
import { storeWebhookEvent } from '../../../../db/administration/webhook/webhook-event.writes';
import {
  paymentEventProcess,
  type PaymentEventInput,
} from '../../../../workflows/commerce/payment-event/payment-event.contract';
import { factsOfReport } from '../../../../workflows/commerce/payment/payment-report.rules';
import { PROVIDER_QUEUES } from '../../../../workers/queues';
import { eventRow } from '../../../support/builders/ordering';
import { eventually } from '../../../support/checks/eventually';
import { keepHistory } from '../../../support/checks/histories';
import { ownCheckedSkippingWorld } from '../../../support/worlds/skipping-world';
import { patient } from '../sales';

/** Reports on payments that other systems have made in the account that we share with them. */
type Says = 'foreign' | 'ours' | 'nothing';
let says: Says;
let asked: string[];
const world = ownCheckedSkippingWorld({
  queues: ['interactive', 'ingest', ...PROVIDER_QUEUES],
  fakes: () => ({
    isForeignPayment({ paymentId }) {
      asked.push(paymentId);
      if (says === 'nothing') throw ApplicationFailure.nonRetryable('It is away.', 'Away');
      return Promise.resolve(says === 'foreign');
    },
  }),
});
beforeEach(() => {
  asked = [];
});

/** Starts the process of a report on a payment that is not recorded here. */
async function reported(
  type: string,
  change: object = {},
): Promise<{ event: PaymentEventInput; process: WorkflowHandle; paymentId: string }> {
  const [webhookEventId, externalEventId, paymentId] = [v7(), v7(), `p-${v7()}`];
  const data = { paymentId, refundId: 're_1', amountMinor: 100, currency: 'USD', ...change };
  const body = JSON.stringify({ type, timestamp: new Date().toISOString(), data });
  const stored = {
    provider: 'sandbox',
    externalEventId,
    type,
    body,
    bodyHash: '',
    known: true,
    ...factsOfReport(type, { data }),
  };
  await storeWebhookEvent(world.db, { id: webhookEventId, at: new Date(), ...stored });
  const event = { provider: 'sandbox', externalEventId, webhookEventId };
  await world.processes.start(paymentEventProcess, event);
  const process = patient(world).workflow.getHandle(paymentEventProcess.id(event));
  return { event, process, paymentId };
}

const IGNORED = {
  status: 'IGNORED',
  error: 'It is about a payment of another system that shares our account at the provider.',
};

test('a refund of another system is ignored at once, with the reason', async () => {
  says = 'foreign';
  const { event, process, paymentId } = await reported('refund.completed');
  expect(await process.result()).toBe('IGNORED');
  expect(await eventRow(world.db, event)).toMatchObject(IGNORED);
  expect(asked).toEqual([paymentId]);
  await keepHistory(process, 'of-another-system');
});

test('and so is a dispute', async () => {
  says = 'foreign';
  const dispute = { key: v7(), chargebackId: 'du_1' };
  const { event, process } = await reported('payment.charged_back', dispute);
  expect(await process.result()).toBe('IGNORED');
  expect(await eventRow(world.db, event)).toMatchObject(IGNORED);
});

test('one of ours that is not recorded yet waits, and the provider is not asked again', async () => {
  says = 'ours';
  const { event, process, paymentId } = await reported('refund.completed');
  await world.sleep('5 hours');
  expect(await eventRow(world.db, event)).toMatchObject({ status: 'WAITING', error: 'unknown payment' });
  expect(asked).toEqual([paymentId]);
  await world.sleep('4 days');
  expect(await process.result()).toBe('DEAD');
});

test('a provider that cannot say is asked again at the next try; until then the report waits', async () => {
  says = 'nothing';
  const { event, process } = await reported('refund.completed');
  await eventually(async () => expect(await eventRow(world.db, event)).toMatchObject({ status: 'WAITING' }));
  await world.sleep('1 hour');
  expect(asked.length).toBeGreaterThan(1);
  says = 'foreign';
  await world.sleep('2 hours');
  expect(await process.result()).toBe('IGNORED');
  expect(await eventRow(world.db, event)).toMatchObject(IGNORED);
});

test('a refund that carries an id of ours waits without a question', async () => {
  says = 'foreign';
  const { event, process } = await reported('refund.failed', { key: `${v7()}:1` });
  await world.sleep('2 hours');
  expect(await eventRow(world.db, event)).toMatchObject({ status: 'WAITING' });
  expect(asked).toEqual([]);
  await world.sleep('4 days');
  expect(await process.result()).toBe('DEAD');
});
