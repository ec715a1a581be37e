import type { WorkflowHandle } from '@temporalio/client';
import { defaultPayloadConverter, type SignalDefinition } from '@temporalio/common';
import { v7 } from 'uuid';
import { Processes } from '../../../../api/http/temporal/temporal';
import { execute, rows } from '../../../../db/sql/query';
import { resolveTemporalCli } from '../../../../local/toolchain/temporal-cli';
import { startTemporal } from '../../../../local/temporal-server/temporal';
import {
  checkoutProcess,
  payOrder,
  placeOrder,
  type CheckoutInput,
  type OfferedPayment,
} from '../../../../workflows/commerce/checkout/checkout.contract';
import {
  orderMoved,
  orderStatus,
  paymentReported,
} from '../../../../workflows/commerce/order/order.contract';
import {
  refundRequestProcess,
  refundSettled,
  rejectRefund,
  requestRefund,
} from '../../../../workflows/commerce/refund/refund-request.contract';
import { fulfilmentProcess } from '../../../../workflows/commerce/fulfilment/fulfilment.contract';
import { retryStep } from '../../../../workflows/kit/parking.contract';
import { PROVIDER_QUEUES } from '../../../../workers/queues';
import { violations } from '../../../support/checks/violations';
import { createDatabase } from '../../../support/servers/database';
import { Cleanup } from '../../../support/run/cleanup';
import { eventually } from '../../../support/checks/eventually';
import { keepHistory } from '../../../support/checks/histories';
import { make } from '../../../support/builders/make';
import { deliveredOrder } from '../../../support/builders/refunding';
import {
  noteOf,
  NOTHING_HELD,
  orderSteps,
  storedReport,
  TWO_RESERVED,
} from '../../../support/builders/ordering';
import { connectTemporal } from '../../../support/servers/temporal';
import { testVariables } from '../../../support/worlds/variables';
import { startWork } from '../../../support/worlds/work';
import { given } from '../../../support/builders/given';
import { stateOf, cancel, patient, payAgain, placed, report, sale, type Sale } from '../sales';

/** Checkouts on a server that suggests to continue as new after this many events. */
const SUGGESTED_AT = 60;
const SIGNALS_AT_ONCE = 10;
const cleanup = new Cleanup();
let world: Parameters<typeof placed>[0];
/** Holds up a new attempt after it is written. */
let paying: () => Promise<unknown>;
let readings = 0;
/** Pages of payments that are opened by a call; undefined: payments have none to open. */
let pages: { requested: number; held: Promise<void> } | undefined;
/** The times since which operators have been asked, as processes count them when they look for their deadlines. */
let asked: (string | null)[];

beforeAll(() =>
  cleanup.guard(async () => {
    const quiet = (): void => undefined;
    const settings = { 'limit.historyCount.suggestContinueAsNew': SUGGESTED_AT };
    const server = await startTemporal({ cli: await resolveTemporalCli(quiet), log: quiet, settings });
    cleanup.add(server.stop);
    const { client, nativeConnection: connection, close } = await connectTemporal(server.address);
    cleanup.add(close);
    const { db, url: databaseUrl, drop } = await createDatabase();
    cleanup.add(drop);
    const fakes: Parameters<typeof startWork>[0]['fakes'] = (real) => ({
      async orderState(order) {
        const standing = await real.orderState(order);
        readings++;
        return standing;
      },
      async openPayment(order) {
        const offered = await real.openPayment(order);
        await paying();
        if (!pages) return offered;
        const pageToOpen = { attemptId: order.attemptId, provider: 'sandbox' };
        return { ...offered, payment: { ...offered.payment, pageToOpen } };
      },
      refundRequestState(request) {
        asked.push(request.askedAt);
        return real.refundRequestState(request);
      },
      fulfilmentDeadline(order) {
        asked.push(order.askedAt);
        return real.fulfilmentDeadline(order);
      },
      async openPage() {
        pages!.requested++;
        await pages!.held;
        return { paymentUrl: null };
      },
    });
    const queues = ['interactive', 'ingest', ...PROVIDER_QUEUES] as const;
    const variables = testVariables;
    cleanup.add(await startWork({ db, databaseUrl, client, connection, variables, fakes, queues }));
    world = { db, temporal: client, processes: new Processes(client) };
  }),
);
afterAll(async () => {
  expect(await violations(world.db)).toEqual([]);
  await cleanup.run();
});
beforeEach(() => {
  paying = () => Promise.resolve();
  pages = undefined;
  asked = [];
});

const runOf = async ({ checkout }: Sale): Promise<string> => (await checkout.describe()).runId;

const lengthOf = async ({ checkout }: Sale): Promise<number> => (await checkout.describe()).historyLength;

/** Signals for nothing. */
const signal = ({ checkout }: Sale, times: number) =>
  Promise.all(Array.from({ length: times }, () => checkout.signal(paymentReported)));

/** Signals until the history is as long as that, or another run follows. */
async function fillHistory(sold: Sale, events: number): Promise<void> {
  const { checkout } = sold;
  const { runId } = await checkout.describe();
  for (;;) {
    const { historyLength, runId: current } = await checkout.describe();
    if (current !== runId || historyLength >= events) return;
    await signal(sold, Math.min(SIGNALS_AT_ONCE, events - historyLength));
    await checkout.query(orderStatus);
  }
}

/** Signals a process until another run follows; answers the run before. */
async function followed(process: WorkflowHandle, signals: SignalDefinition): Promise<string> {
  const { runId } = await process.describe();
  await eventually(async () => {
    await Promise.all(Array.from({ length: SIGNALS_AT_ONCE }, () => process.signal(signals)));
    expect((await process.describe()).runId).not.toBe(runId);
  });
  return runId;
}

/** An operator has it wait for longer; answers since when it does. */
async function remindedAgain(process: WorkflowHandle): Promise<string> {
  await eventually(async () =>
    expect(
      await rows(world.db, 'SELECT 1 FROM parked_processes WHERE workflow_id = $1', [process.workflowId]),
    ).toHaveLength(1),
  );
  await process.executeUpdate(retryStep, { args: [{ noteId: null }] });
  await eventually(() => expect(asked.at(-1)).not.toBeNull());
  return asked.at(-1)!;
}

/** Fills the history of the current run until another follows; answers what that was started with. */
async function continued(sold: Sale): Promise<CheckoutInput> {
  const before = await runOf(sold);
  await fillHistory(sold, SUGGESTED_AT + 20);
  await eventually(async () => expect(await runOf(sold)).not.toBe(before));
  return inputAfter(sold, before);
}

/** The input of the next run. */
async function inputAfter({ checkout }: Sale, runId: string): Promise<CheckoutInput> {
  const { events } = await world.temporal.workflow.getHandle(checkout.workflowId, runId).fetchHistory();
  const { input } = events!.at(-1)!.workflowExecutionContinuedAsNewEventAttributes!;
  return defaultPayloadConverter.fromPayload<CheckoutInput>(input!.payloads![0]!);
}

const attemptsOf = ({ orderId }: Sale) =>
  rows(world.db, 'SELECT status FROM payment_attempts WHERE order_id = $1 ORDER BY sequence', [orderId]);

const pay = (
  { checkout }: Sale,
  paymentMethod: 'EWALLET' | 'BANK_TRANSFER',
  [attemptId, updateId]: [string, string],
): Promise<OfferedPayment> =>
  world.processes.ask(checkout.workflowId, payOrder, { attemptId, paymentMethod }, { updateId });

test('an order continues as it stood: its deadline and holdings, again and again, until it is cancelled', async () => {
  const sold = await placed(world);
  const { standing } = sold.placed;
  const firstRun = await runOf(sold);
  const { orderId, userId } = sold;
  for (let times = 0; times < 2; times++)
    expect(await continued(sold)).toEqual({ orderId, userId, standing });
  expect(await sold.checkout.query(orderStatus)).toBe('PENDING_PAYMENT');
  expect(await stateOf(world, sold)).toMatchObject({ order: 'PENDING_PAYMENT PENDING', ...TWO_RESERVED });
  await cancel(world, sold);
  expect(await sold.checkout.result()).toBe('CANCELLED');
  expect(await stateOf(world, sold)).toMatchObject({ order: 'CANCELLED FAILED', ...NOTHING_HELD });
  await keepHistory(sold.checkout, 'continued');
  await keepHistory(sold.checkout, 'continues', firstRun);
});

test('what was answered under a key is answered alike by the next run, and done once', async () => {
  const sold = await sale(world);
  const { orderId, userId, input } = sold;
  const placing = { updateId: v7() };
  const place = () => world.processes.open(checkoutProcess, { orderId, userId }, placeOrder, input, placing);
  const first = await place();
  await continued(sold);
  expect(await place()).toEqual(first);

  const ids: [string, string] = [v7(), v7()];
  const offered = await pay(sold, 'EWALLET', ids);
  await continued(sold);
  expect(await pay(sold, 'EWALLET', ids)).toEqual(offered);
  expect(await attemptsOf(sold)).toEqual([{ status: 'CANCELLED' }, { status: 'PENDING' }]);
  await cancel(world, sold);
  await expect(pay(sold, 'BANK_TRANSFER', [v7(), v7()])).rejects.toMatchObject({ type: 'NOT_PAYABLE' });
});

test('a request under way is answered before, and what it changed is carried over', async () => {
  const sold = await placed(world);
  const before = await runOf(sold);
  let letGo: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (letGo = resolve));
  let begun = 0;
  paying = () => {
    begun++;
    return held;
  };
  const payingAgain = pay(sold, 'BANK_TRANSFER', [v7(), v7()]);
  await eventually(() => expect(begun).toBe(1));
  await signal(sold, SUGGESTED_AT);
  await eventually(async () => expect(await lengthOf(sold)).toBeGreaterThan(SUGGESTED_AT));
  expect(await runOf(sold)).toBe(before);
  letGo();
  const offered = await payingAgain;
  expect(offered.standing.payBy > sold.placed.standing.payBy).toBe(true);
  await eventually(async () => expect(await runOf(sold)).not.toBe(before));
  expect((await inputAfter(sold, before)).standing).toEqual(offered.standing);
  await cancel(world, sold);
});

test('a checkout with a full history answers its update, continues as new and resumes its state', async () => {
  const sold = await placed(world);
  const { runId } = await sold.checkout.describe();
  let letGo: () => void = () => undefined;
  const opened = { requested: 0, held: new Promise<void>((resolve) => (letGo = resolve)) };
  pages = opened;
  const paying = payAgain(world, sold, 'EWALLET');
  await eventually(() => expect(opened.requested).toBe(1));
  await signal(sold, SUGGESTED_AT);
  const read = readings;
  await signal(sold, 1);
  await eventually(() => expect(readings).toBeGreaterThan(read));
  await sold.checkout.query(orderStatus);
  expect(await lengthOf(sold)).toBeGreaterThan(SUGGESTED_AT);
  expect(await runOf(sold)).toBe(runId);
  letGo();
  expect((await paying).standing.status).toBe('PENDING_PAYMENT');

  await eventually(async () => expect((await sold.checkout.describe()).runId).not.toBe(runId));
  expect(await lengthOf(sold)).toBeLessThan(SUGGESTED_AT);
  pages = { requested: 0, held: Promise.resolve() };
  expect((await payAgain(world, sold, 'CARD')).standing.status).toBe('PENDING_PAYMENT');
  await cancel(world, sold);
  expect(await sold.checkout.result()).toBe('CANCELLED');
});

test('the next run cancels the order at its deadline', async () => {
  const sold = await placed(world);
  await fillHistory(sold, SUGGESTED_AT - 20); // The rest has to fit into the window.
  const payBy = new Date(Date.now() + 5_000).toISOString();
  await execute(world.db, 'UPDATE orders SET payment_expires_at = $2 WHERE id = $1', [sold.orderId, payBy]);
  expect((await continued(sold)).standing).toMatchObject({ status: 'PENDING_PAYMENT', payBy });
  expect(await sold.checkout.result()).toBe('CANCELLED');
  expect(new Date().toISOString() >= payBy).toBe(true);
  expect(await stateOf(world, sold)).toMatchObject({ order: 'CANCELLED FAILED', ...NOTHING_HELD });
});

test('the next run hears of the payment, and fulfilment has the order', async () => {
  const sold = await placed(world);
  await continued(sold);
  await report(world, 'PAID', sold);
  expect(await sold.checkout.result()).toBe('PAID');
  await eventually(async () => expect(await sold.fulfilment.query(orderStatus)).toBe('PROCESSING'));
});

test('a signal that comes before the first task of the next run is not missed', async () => {
  const sold = await placed(world);
  const { orderId, userId } = sold;
  await sold.checkout.terminate('another run takes its place');
  const { webhookEventId } = await storedReport(world.db, 'PAID', sold);
  await orderSteps(world.db).applyPaymentEvent({ webhookEventId, at: new Date().toISOString() });
  const next = await world.temporal.workflow.signalWithStart(checkoutProcess.type, {
    workflowId: checkoutProcess.id(sold),
    taskQueue: checkoutProcess.queue,
    args: [{ orderId, userId, standing: sold.placed.standing }],
    signal: paymentReported,
  });
  expect(await next.result()).toBe('PAID');
});

test('a fulfilment with a full history continues as new, and can still be cancelled', async () => {
  const order = await given(world.db).order().paid();
  const fulfilment = patient(world).workflow.getHandle(fulfilmentProcess.id(order));
  await world.processes.start(fulfilmentProcess, order);
  const runId = await followed(fulfilment, orderMoved);
  await keepHistory(fulfilment, 'continues', runId);
  await cancel(world, { ...order, fulfilment, checkout: fulfilment }, 'fulfilment');
  expect(await fulfilment.result()).toBe('CANCELLED');
});

test('a fulfilment that operators were reminded of counts on from then in the next run', async () => {
  const order = await given(world.db).order().paid();
  const fulfilment = patient(world).workflow.getHandle(fulfilmentProcess.id(order));
  await world.processes.start(fulfilmentProcess, order);
  await eventually(async () => expect(await fulfilment.query(orderStatus)).toBe('PROCESSING'));
  await execute(
    world.db,
    `UPDATE order_status_changes SET changed_at = changed_at - interval '60 days' WHERE order_id = $1`,
    [order.orderId],
  );
  await fulfilment.signal(orderMoved);
  const askedAt = await remindedAgain(fulfilment);
  await followed(fulfilment, orderMoved);
  asked = [];
  await fulfilment.signal(orderMoved);
  await eventually(() => expect(asked).toContain(askedAt));
  await cancel(world, { ...order, fulfilment, checkout: fulfilment }, 'fulfilment');
  expect(await fulfilment.result()).toBe('CANCELLED');
  expect(asked).not.toContain(null);
});

/** A buyer asks for the money of an order back. */
async function requested() {
  const { orderId, userId } = await deliveredOrder(world.db);
  const input = { refundRequestId: v7(), orderId, userId };
  const process = patient(world).workflow.getHandle(refundRequestProcess.id(input));
  const reasonNoteId = await noteOf(world.db, userId, 'It does not fit.');
  await world.processes.open(
    refundRequestProcess,
    input,
    requestRefund,
    { itemIds: null, items: null, reasonNoteId, descriptionNoteId: null },
    { updateId: v7() },
  );
  return { ...input, process };
}

test('a request that operators were reminded of counts on from then in the next run', async () => {
  const { refundRequestId, process } = await requested();
  await execute(
    world.db,
    `UPDATE refund_requests SET created_at = created_at - interval '60 days' WHERE id = $1`,
    [refundRequestId],
  );
  await process.signal(refundSettled);
  const askedAt = await remindedAgain(process);
  await followed(process, refundSettled);
  asked = [];
  await process.signal(refundSettled);
  await eventually(() => expect(asked).toContain(askedAt));
  const noteId = await noteOf(world.db, (await make.admin(world.db)).id, 'It was worn.');
  await process.executeUpdate(rejectRefund, { args: [{ noteId }] });
  expect(await process.result()).toBe('REJECTED');
  expect(asked).not.toContain(null);
});

test('a request for money back of an order continues as it stood, until it is decided', async () => {
  const { process } = await requested();
  const firstRun = await followed(process, refundSettled);
  const noteId = await noteOf(world.db, (await make.admin(world.db)).id, 'It was worn.');
  await process.executeUpdate(rejectRefund, { args: [{ noteId }] });
  expect(await process.result()).toBe('REJECTED');
  await keepHistory(process, 'continued');
  await keepHistory(process, 'continues', firstRun);
});
