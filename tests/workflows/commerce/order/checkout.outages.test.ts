import { ApplicationFailure } from '@temporalio/common';
import { firstRow } from '../../../../db/sql/query';
import { orderStatus, paymentReported } from '../../../../workflows/commerce/order/order.contract';
import { abandonStep, retryStep } from '../../../../workflows/kit/parking.contract';
import { violations } from '../../../support/checks/violations';
import { eventually } from '../../../support/checks/eventually';
import { keepHistory } from '../../../support/checks/histories';
import { NOTHING_HELD, orderSteps, storedReport, TWO_RESERVED } from '../../../support/builders/ordering';
import { startSkippingWorld, type SkippingWorld } from '../../../support/worlds/skipping-world';
import { bookOf, cancel, place, placed, sale, type Sale } from '../sales';

type Step = 'placeOrder' | 'orderStanding' | 'expireOrder';

let world: SkippingWorld;
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
    fakes: (real) => ({
      placeOrder: troubled('placeOrder', real.placeOrder),
      orderStanding: troubled('orderStanding', real.orderStanding),
      expireOrder: troubled('expireOrder', real.expireOrder),
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
});

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
  expect(await bookOf(world, sold)).toMatchObject({ order: 'PENDING_PAYMENT PENDING', ...TWO_RESERVED });
  await world.sleep('3 minutes'); // The window began with the request.
  expect(await sold.checkout.result()).toBe('CANCELLED');
});

test('an order whose answer was lost is still cancelled at its deadline', async () => {
  const sold = await sale(world);
  after.placeOrder = broken();
  await expect(place(world, sold)).rejects.toThrow();
  expect(await bookOf(world, sold)).toMatchObject({ order: 'PENDING_PAYMENT PENDING', ...TWO_RESERVED });
  await eventually(async () => expect(await sold.checkout.query(orderStatus)).toBe('PENDING_PAYMENT'));
  await world.sleep('31 minutes');
  expect(await sold.checkout.result()).toBe('CANCELLED');
  await keepHistory(sold.checkout, 'placed-unheard');
  expect(await bookOf(world, sold)).toMatchObject({ order: 'CANCELLED FAILED', ...NOTHING_HELD });
});

test('a request that failed before anything was placed ends its process', async () => {
  const sold = await sale(world);
  before.placeOrder = broken();
  await expect(place(world, sold)).rejects.toThrow();
  expect(await sold.checkout.result()).toBe('REFUSED');
});

test('a step that cannot be done waits for a person, who has it tried again', async () => {
  const sold = await placed(world);
  before.orderStanding = broken();
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
  expect(await bookOf(world, sold)).toMatchObject({ order: 'PENDING_PAYMENT PENDING', ...TWO_RESERVED });
  before = {};
  await sold.checkout.executeUpdate(retryStep, { args: [{ noteId: null }] });
  expect(await sold.checkout.result()).toBe('CANCELLED');
  expect(await bookOf(world, sold)).toMatchObject({ order: 'CANCELLED FAILED', ...NOTHING_HELD });
});

test('a parked process that an operator abandons ends, and leaves the order as it is', async () => {
  const sold = await placed(world);
  before.expireOrder = broken();
  await world.sleep('31 minutes');
  await parks(sold);
  await sold.checkout.executeUpdate(abandonStep, { args: [{ noteId: null }] });
  expect(await sold.checkout.result()).toBe('ABANDONED');
  expect(await parkedEntry(sold)).toBeNull();
  expect(await bookOf(world, sold)).toMatchObject({ order: 'PENDING_PAYMENT PENDING', ...TWO_RESERVED });
  await keepHistory(sold.checkout, 'parked-then-abandoned');
});

test('an order that was paid without a signal to its process is cancelled: its refund is started', async () => {
  const sold = await placed(world);
  const { webhookEventId } = await storedReport(world.db, 'PAID', sold);
  await orderSteps(world.db).applyPaymentEvent({ webhookEventId, at: new Date().toISOString() });
  expect(await cancel(world, sold)).toMatchObject({ refundStatus: 'PROCESSING' });
  expect(await sold.checkout.result()).toBe('CANCELLED');
  await eventually(async () =>
    expect(await bookOf(world, sold)).toMatchObject({
      order: 'CANCELLED REFUNDED',
      refunds: ['CANCELLATION COMPLETED'],
    }),
  );
});
