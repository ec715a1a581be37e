import { ApplicationFailure } from '@temporalio/common';
import {
  webhookSweepActivities,
  type StartProcess,
} from '../../../../activities/commerce/webhook/webhook-sweep.activities';
import { enterSandboxPayments } from '../../../../api/sandbox/enter-payments.command';
import { firstRow } from '../../../../db/sql/query';
import { startProcesses } from '../../../../workers/start';
import { PROVIDER_QUEUES } from '../../../../workers/queues';
import { orderStatus, paymentReported } from '../../../../workflows/commerce/order/order.contract';
import { abandonStep, retryStep } from '../../../../workflows/kit/parking.contract';
import { violations } from '../../../support/checks/violations';
import { eventually } from '../../../support/checks/eventually';
import { keepHistory } from '../../../support/checks/histories';
import {
  NOTHING_HELD,
  orderSteps,
  PRICE_MINOR,
  storedReport,
  TWO_RESERVED,
  TWO_SOLD,
} from '../../../support/builders/ordering';
import { startSkippingWorld, type SkippingWorld } from '../../../support/worlds/skipping-world';
import { stateOf, cancel, patient, payAgain, placed, report, type Sale, place, sale } from '../sales';

type Step = 'placeOrder' | 'orderState' | 'expireOrder';

let world: SkippingWorld;
let providerIsSilent = false;
let lookUps = 0;
/** The providers that the order's attempts went through, where that is not what the database says. */
let providers: string[] | undefined;
/** A failure before a step's work, or after it: done, with its answer lost. */
let before: Partial<Record<Step, Error>>;
let after: Partial<Record<Step, Error>>;

beforeAll(async () => {
  const troubled =
    <Input, Answer>(step: Step, work: (input: Input) => Promise<Answer>) =>
    async (input: Input): Promise<Answer> => {
      if (before[step]) throw before[step];
      const answer = await work(input);
      if (after[step]) throw after[step];
      return answer;
    };
  world = await startSkippingWorld({
    queues: ['interactive', 'ingest', ...PROVIDER_QUEUES],
    fakes: (real) => ({
      placeOrder: troubled('placeOrder', real.placeOrder),
      orderState: troubled('orderState', real.orderState),
      expireOrder: troubled('expireOrder', real.expireOrder),
      providersToAsk: (order) => (providers ? Promise.resolve(providers) : real.providersToAsk(order)),
      lookUpPayments: (order) => {
        lookUps++;
        if (providerIsSilent || order.provider === 'stripe')
          throw ApplicationFailure.retryable('The provider does not answer.');
        return real.lookUpPayments(order);
      },
    }),
  });
});
afterAll(async () => {
  expect(await violations(world.db)).toEqual([]);
  await world.teardown();
});
beforeEach(() => {
  before = {};
  after = {};
  providerIsSilent = false;
  lookUps = 0;
  providers = undefined;
});

describe('while steps fail', () => {
  const broken = (): Error => ApplicationFailure.nonRetryable('the disk is full', 'DiskFull');
  /** The database is away; steps are repeated by timers, which the clock runs ahead to. */
  const away = (): Error =>
    ApplicationFailure.create({ message: 'the database is away', nextRetryDelay: '2 minutes' });

  const parkedEntry = (sold: Sale): Promise<{ type: string; entityId: string; lastError: string } | null> =>
    firstRow(world.db, `SELECT type, entity_id, last_error FROM parked_processes WHERE workflow_id = $1`, [
      sold.checkout.workflowId,
    ]);
  const parks = (sold: Sale): Promise<void> =>
    eventually(async () =>
      expect(await parkedEntry(sold)).toEqual({
        type: 'checkout',
        entityId: sold.orderId,
        lastError: 'the disk is full',
      }),
    );

  test('while the database is away an order waits to be placed, also beyond the timeout of a request', async () => {
    const sold = await sale(world);
    before.placeOrder = away();
    const placing = place(world, sold);
    await eventually(async () => expect(await sold.checkout.query(orderStatus)).toBe('PLACING'));
    await world.sleep('15 minutes');
    expect(await sold.checkout.query(orderStatus)).toBe('PLACING');
    before = {};
    await world.sleep('3 minutes');
    expect((await placing).standing.status).toBe('PENDING_PAYMENT');
    await world.sleep('10 minutes');
    expect(await stateOf(world, sold)).toMatchObject({ order: 'PENDING_PAYMENT PENDING', ...TWO_RESERVED });
    await world.sleep('3 minutes'); // The window began with the request.
    expect(await sold.checkout.result()).toBe('CANCELLED');
  });

  test('an order whose answer was lost is still cancelled at its deadline', async () => {
    const sold = await sale(world);
    after.placeOrder = broken();
    await expect(place(world, sold)).rejects.toThrow();
    expect(await stateOf(world, sold)).toMatchObject({ order: 'PENDING_PAYMENT PENDING', ...TWO_RESERVED });
    await eventually(async () => expect(await sold.checkout.query(orderStatus)).toBe('PENDING_PAYMENT'));
    await world.sleep('31 minutes');
    expect(await sold.checkout.result()).toBe('CANCELLED');
    await keepHistory(sold.checkout, 'placed-unheard');
    expect(await stateOf(world, sold)).toMatchObject({ order: 'CANCELLED FAILED', ...NOTHING_HELD });
  });

  test('a request that failed before anything was placed ends its process', async () => {
    const sold = await sale(world);
    before.placeOrder = broken();
    await expect(place(world, sold)).rejects.toThrow();
    expect(await sold.checkout.result()).toBe('REFUSED');
  });

  test('a step that cannot be done waits for a person, who has it tried again', async () => {
    const sold = await placed(world);
    before.orderState = broken();
    await sold.checkout.signal(paymentReported);
    await parks(sold);
    before = {};
    await sold.checkout.executeUpdate(retryStep, { args: [{ noteId: null }] });
    await eventually(async () => expect(await parkedEntry(sold)).toBeNull());
    await cancel(world, sold);
    expect(await sold.checkout.result()).toBe('CANCELLED');
    await keepHistory(sold.checkout, 'parked-then-retried');
  });

  test('an order that could not be cancelled is cancelled after the cause is gone', async () => {
    const sold = await placed(world);
    before.expireOrder = broken();
    await world.sleep('31 minutes');
    await parks(sold);
    expect(await stateOf(world, sold)).toMatchObject({ order: 'PENDING_PAYMENT PENDING', ...TWO_RESERVED });
    before = {};
    await sold.checkout.executeUpdate(retryStep, { args: [{ noteId: null }] });
    expect(await sold.checkout.result()).toBe('CANCELLED');
    expect(await stateOf(world, sold)).toMatchObject({ order: 'CANCELLED FAILED', ...NOTHING_HELD });
  });

  test('a parked process that an operator abandons ends, and leaves the order as it is', async () => {
    const sold = await placed(world);
    before.expireOrder = broken();
    await world.sleep('31 minutes');
    await parks(sold);
    await sold.checkout.executeUpdate(abandonStep, { args: [{ noteId: null }] });
    expect(await sold.checkout.result()).toBe('ABANDONED');
    expect(await parkedEntry(sold)).toBeNull();
    expect(await stateOf(world, sold)).toMatchObject({ order: 'PENDING_PAYMENT PENDING', ...TWO_RESERVED });
    await keepHistory(sold.checkout, 'parked-then-abandoned');
  });

  test('one that was abandoned is followed again when it is long overdue, so that it holds no goods for ever', async () => {
    const sold = await placed(world);
    before.expireOrder = broken();
    await world.sleep('31 minutes');
    await parks(sold);
    // Orders of other tests stay as they are.
    const start: StartProcess = (process, input) =>
      process.id(input) === sold.checkout.workflowId
        ? startProcesses(patient(world))(process, input)
        : Promise.resolve('already started');
    const { startForgottenCheckouts } = webhookSweepActivities({ db: world.db, start });
    const sweep = async () => startForgottenCheckouts({ at: (await world.now()).toISOString() });
    await world.sleep('10 minutes');
    expect(await sweep()).toEqual({ started: 0 }); // It waits for the operator.
    await sold.checkout.executeUpdate(abandonStep, { args: [{ noteId: null }] });
    expect(await sold.checkout.result()).toBe('ABANDONED');
    before = {};
    expect(await sweep()).toEqual({ started: 1 });
    expect(await sold.checkout.result()).toBe('CANCELLED');
    expect(await stateOf(world, sold)).toMatchObject({ order: 'CANCELLED FAILED', ...NOTHING_HELD });
    expect(await sweep()).toEqual({ started: 0 });
    await keepHistory(sold.checkout, 'followed-again');
  });
});

/** The newest attempt to pay. */
const attemptOf = async ({ orderId }: Sale): Promise<{ id: string }> =>
  (await firstRow<{ id: string }>(
    world.db,
    'SELECT id FROM payment_attempts WHERE order_id = $1 ORDER BY sequence DESC LIMIT 1',
    [orderId],
  ))!;

/** Money arrives at the provider without a report. */
async function payUnreported(key: string): Promise<void> {
  const payment = { key, amountMinor: PRICE_MINOR, currency: 'USD', at: new Date() };
  await enterSandboxPayments(world.db, payment, () => [{ status: 'PAID', delayMs: 0 }]);
}

test('an unpaid order by card is cancelled after half an hour: stock and coupon are returned', async () => {
  const sold = await placed(world);
  await world.sleep('29 minutes');
  expect(await stateOf(world, sold)).toMatchObject({ order: 'PENDING_PAYMENT PENDING', ...TWO_RESERVED });
  await world.sleep('2 minutes');
  expect(await sold.checkout.result()).toBe('CANCELLED');
  expect(await stateOf(world, sold)).toMatchObject({ order: 'CANCELLED FAILED', ...NOTHING_HELD });
  await keepHistory(sold.checkout, 'expired');
});

test('an order by bank transfer is held for 72 hours', async () => {
  const sold = await placed(world, { method: 'BANK_TRANSFER' });
  await world.sleep('71 hours');
  expect(await stateOf(world, sold)).toMatchObject({ order: 'PENDING_PAYMENT PENDING', ...TWO_RESERVED });
  await world.sleep('61 minutes');
  expect(await sold.checkout.result()).toBe('CANCELLED');
  expect(await stateOf(world, sold)).toMatchObject({ order: 'CANCELLED FAILED', ...NOTHING_HELD });
  expect(lookUps).toBe(0); // No company can know of a transfer.
});

test('a page that is opened after a transfer does not shorten the window, and its end does not end the order', async () => {
  const sold = await placed(world, { method: 'BANK_TRANSFER' });
  const { standing, payment } = await payAgain(world, sold, 'CARD');
  expect(standing.payBy).toBe(sold.placed.standing.payBy);
  expect(payment.expiresAt < standing.payBy).toBe(true);
  const attemptId = (await attemptOf(sold)).id;
  await (await report(world, 'EXPIRED', { attemptId })).result();
  await world.sleep('71 hours');
  expect(await stateOf(world, sold)).toMatchObject({ order: 'PENDING_PAYMENT FAILED', ...TWO_RESERVED });
  await world.sleep('61 minutes');
  expect(await sold.checkout.result()).toBe('CANCELLED');
});

test('another attempt prolongs the window, and the first may still pay', async () => {
  const sold = await placed(world);
  await world.sleep('25 minutes');
  const offered = await payAgain(world, sold, 'EWALLET');
  expect(offered.payment.method).toBe('EWALLET');
  await world.sleep('25 minutes');
  expect(await stateOf(world, sold)).toMatchObject({ order: 'PENDING_PAYMENT PENDING', ...TWO_RESERVED });
  await report(world, 'PAID', sold);
  expect(await sold.checkout.result()).toBe('PAID');
});

test('however often the buyer tries again, goods are held no longer than 72 hours', async () => {
  const sold = await placed(world, { method: 'BANK_TRANSFER' });
  await world.sleep('71 hours');
  const { standing } = await payAgain(world, sold, 'BANK_TRANSFER');
  expect(standing.payBy).toBe(sold.placed.standing.payBy);
  await world.sleep('61 minutes');
  expect(await sold.checkout.result()).toBe('CANCELLED');
});

test('while a provider does not answer, the window stays closed', async () => {
  const sold = await placed(world);
  providerIsSilent = true;
  await world.sleep('1805 seconds'); // Five tries take a quarter of a minute.
  await expect(payAgain(world, sold, 'CARD')).rejects.toMatchObject({ type: 'NOT_PAYABLE' });
  expect(await sold.checkout.query(orderStatus)).toBe('PENDING_PAYMENT');
  const { events } = await sold.checkout.fetchHistory();
  const accepted = events?.filter((event) => event.workflowExecutionUpdateAcceptedEventAttributes);
  expect(accepted).toHaveLength(1); // The order itself; what comes too late is refused before it is accepted.
  providerIsSilent = false;
  await world.sleep('3 minutes');
  expect(await sold.checkout.result()).toBe('CANCELLED');
});

test('money that the provider has but never reported is found before the order is cancelled', async () => {
  const sold = await placed(world);
  await payUnreported(sold.attemptId);
  await world.sleep('31 minutes');
  expect(await sold.checkout.result()).toBe('PAID');
  expect(lookUps).toBe(1);
  await eventually(async () =>
    expect(await stateOf(world, sold)).toMatchObject({ order: 'PROCESSING PAID', ...TWO_SOLD }),
  );
});

test('money that one provider reports pays the order, although another does not answer', async () => {
  const sold = await placed(world);
  await payUnreported(sold.attemptId);
  providers = ['sandbox', 'stripe'];
  await world.sleep('33 minutes');
  expect(await sold.checkout.result()).toBe('PAID');
});

test('an order cancelled in its window waits no longer; its provider is asked once, to close the page', async () => {
  const sold = await placed(world);
  await world.sleep('5 minutes');
  expect(await cancel(world, sold)).toEqual({ refundStatus: null, refundAmountMinor: null, refundsDue: [] });
  expect(await sold.checkout.result()).toBe('CANCELLED');
  expect(lookUps).toBe(1);
  expect(await stateOf(world, sold)).toMatchObject({ order: 'CANCELLED FAILED', ...NOTHING_HELD });
  await keepHistory(sold.checkout, 'cancel');
});

test('a provider that stays silent holds stock up for two minutes at most; money that comes later goes back', async () => {
  const sold = await placed(world);
  providerIsSilent = true;
  await world.sleep('33 minutes');
  expect(await sold.checkout.result()).toBe('CANCELLED');
  expect(lookUps).toBe(5);
  expect(await stateOf(world, sold)).toMatchObject({ order: 'CANCELLED FAILED', ...NOTHING_HELD });

  expect(await (await report(world, 'PAID', sold)).result()).toBe('PROCESSED');
  await eventually(async () =>
    expect(await stateOf(world, sold)).toMatchObject({
      order: 'CANCELLED REFUNDED',
      refunds: ['LATE_PAYMENT COMPLETED'],
      ...NOTHING_HELD,
    }),
  );
});

test('an order by bank transfer that is cancelled asks nobody', async () => {
  const sold = await placed(world, { method: 'BANK_TRANSFER' });
  await cancel(world, sold);
  expect(await sold.checkout.result()).toBe('CANCELLED');
  expect(lookUps).toBe(0);
});

test('money that was paid on the page of an order that is cancelled goes back at once', async () => {
  const sold = await placed(world);
  await payUnreported(sold.attemptId);
  await cancel(world, sold);
  await eventually(async () =>
    expect(await stateOf(world, sold)).toMatchObject({
      order: 'CANCELLED REFUNDED',
      refunds: ['LATE_PAYMENT COMPLETED'],
      ...NOTHING_HELD,
    }),
  );
  expect(await sold.checkout.result()).toBe('CANCELLED');
  await keepHistory(sold.checkout, 'cancelled-money-found');
});

test('an order that was paid without a signal to its process is cancelled: its refund is started', async () => {
  const sold = await placed(world);
  const { webhookEventId } = await storedReport(world.db, 'PAID', sold);
  await orderSteps(world.db).applyPaymentEvent({ webhookEventId, at: new Date().toISOString() });
  expect(await cancel(world, sold)).toMatchObject({ refundStatus: 'PROCESSING' });
  expect(await sold.checkout.result()).toBe('CANCELLED');
  await eventually(async () =>
    expect(await stateOf(world, sold)).toMatchObject({
      order: 'CANCELLED REFUNDED',
      refunds: ['CANCELLATION COMPLETED'],
    }),
  );
});
