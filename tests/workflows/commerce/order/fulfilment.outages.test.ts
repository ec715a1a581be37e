import { ApplicationFailure } from '@temporalio/common';
import { v7 } from 'uuid';
import { execute, rows } from '../../../../db/sql/query';
import {
  fulfilmentProcess,
  moveOrder,
  type MoveOrder,
} from '../../../../workflows/commerce/order/fulfilment.contract';
import { orderMoved, orderStatus } from '../../../../workflows/commerce/order/order.contract';
import { abandonStep, retryStep } from '../../../../workflows/kit/parking.contract';
import { violations } from '../../../support/checks/violations';
import { eventually } from '../../../support/checks/eventually';
import { keepHistory } from '../../../support/checks/histories';
import { make } from '../../../support/builders/make';
import { noteOf, paidOrder } from '../../../support/builders/ordering';
import { startSkippingWorld, type SkippingWorld } from '../../../support/worlds/skipping-world';
import { bookOf, cancel, patient, type Sale } from '../sales';

type Step = 'cancelOrder' | 'moveOrder' | 'orderStanding' | 'refundsDue';

let world: SkippingWorld;
/** A failure before a step's work, or after it: done, with its answer lost. */
let before: Partial<Record<Step, Error[]>>;
let after: Partial<Record<Step, Error[]>>;

beforeAll(async () => {
  const next = (errors: Error[] | undefined): Error | undefined => errors?.shift();
  const troubled =
    <Input, Answer>(step: Step, work: (input: Input) => Promise<Answer>) =>
    async (input: Input): Promise<Answer> => {
      const early = next(before[step]);
      if (early) throw early;
      const answer = await work(input);
      const late = next(after[step]);
      if (late) throw late;
      return answer;
    };
  world = await startSkippingWorld({
    fakes: (real) => ({
      cancelOrder: troubled('cancelOrder', real.cancelOrder),
      moveOrder: troubled('moveOrder', real.moveOrder),
      orderStanding: troubled('orderStanding', real.orderStanding),
      refundsDue: troubled('refundsDue', real.refundsDue),
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

/** Retries would not help. */
const broken = (): Error => ApplicationFailure.nonRetryable('the disk is full', 'DiskFull');
/** The worker died, or its connection: the step is begun again at once. */
const lost = (): Error =>
  ApplicationFailure.create({ message: 'the answer was lost', nextRetryDelay: '1 millisecond' });

/** Paid by card and picked up. */
async function processing(): Promise<Sale> {
  const order = await paidOrder(world.db);
  const fulfilment = patient(world).workflow.getHandle(fulfilmentProcess.id(order));
  await world.processes.start(fulfilmentProcess, order);
  await eventually(async () => expect(await fulfilment.query(orderStatus)).toBe('PROCESSING'));
  return { ...order, fulfilment, checkout: fulfilment };
}

async function move({ fulfilment }: Sale, to: MoveOrder['to']) {
  const { id } = await make.admin(world.db);
  const command = { to, noteId: await noteOf(world.db, id, null), notifyCustomer: true };
  const options = { updateId: v7(), ifClosed: 'CANNOT_CANCEL' as const };
  return world.processes.ask(fulfilment.workflowId, moveOrder, command, options);
}

const parks = (sold: Sale, doing: string): Promise<void> =>
  eventually(async () => {
    const parked = await rows<{ reason: string }>(
      world.db,
      'SELECT reason FROM parked_processes WHERE workflow_id = $1',
      [sold.fulfilment.workflowId],
    );
    expect(parked[0]?.reason).toContain(doing);
  });
const retry = (sold: Sale) => sold.fulfilment.executeUpdate(retryStep, { args: [{ noteId: null }] });

const refunded = (sold: Sale): Promise<void> =>
  eventually(async () =>
    expect(await bookOf(world, sold)).toMatchObject({
      order: 'CANCELLED REFUNDED',
      stock: '10 + 0',
      refunds: ['CANCELLATION COMPLETED'],
    }),
  );

test('a worker that dies after a move was written: another answers, and it is written once', async () => {
  const sold = await processing();
  after.moveOrder = [lost(), lost()];
  expect(await move(sold, 'SHIPPED')).toMatchObject({ status: 'SHIPPED' });
  const counted = await rows(
    world.db,
    `SELECT (SELECT count(*)::int FROM tracking_events WHERE order_id = $1) AS events,
       (SELECT count(*)::int FROM audit_records WHERE entity_id = $1::text) AS records,
       (SELECT count(*)::int FROM outbox_messages WHERE reference = 'order:' || $1 || ':shipped') AS mails`,
    [sold.orderId],
  );
  expect(counted).toEqual([{ events: 1, records: 1, mails: 1 }]);
});

test('one that dies before: nothing was written, and the next writes it', async () => {
  const sold = await processing();
  before.moveOrder = [lost(), lost()];
  expect(await move(sold, 'SHIPPED')).toMatchObject({ status: 'SHIPPED' });
  expect((await bookOf(world, sold)).order).toBe('SHIPPED PAID');
});

test('a move whose answer was lost is found in the database', async () => {
  const sold = await processing();
  await move(sold, 'SHIPPED');
  after.moveOrder = [broken()];
  await expect(move(sold, 'DELIVERED')).rejects.toThrow();
  expect(await sold.fulfilment.result()).toBe('DELIVERED');
  await keepHistory(sold.fulfilment, 'moved-unheard');
});

test('a cancellation whose answer was lost, while the database was away: the refund that is due is started', async () => {
  const sold = await processing();
  after.cancelOrder = [broken()];
  before.orderStanding = [broken()];
  await expect(cancel(world, sold, 'fulfilment')).rejects.toThrow();
  expect(await bookOf(world, sold)).toMatchObject({
    order: 'CANCELLED PAID',
    refunds: ['CANCELLATION PROCESSING'],
  });
  await parks(sold, 'read the order');
  await retry(sold);
  expect(await sold.fulfilment.result()).toBe('CANCELLED');
  await refunded(sold);
  await keepHistory(sold.fulfilment, 'cancelled-unheard');
});

test('a cancellation that failed before anything was done leaves the order where it is', async () => {
  const sold = await processing();
  before.cancelOrder = [broken()];
  await expect(cancel(world, sold, 'fulfilment')).rejects.toThrow();
  await move(sold, 'SHIPPED');
  expect((await bookOf(world, sold)).order).toBe('SHIPPED PAID');
});

test('refunds that cannot be found wait for a person', async () => {
  const sold = await processing();
  before.refundsDue = [broken()];
  await cancel(world, sold, 'fulfilment');
  await parks(sold, 'find money that is owed');
  await retry(sold);
  expect(await sold.fulfilment.result()).toBe('CANCELLED');
  await refunded(sold);
});

test('an operator abandons reading the order: it can still be moved', async () => {
  const sold = await processing();
  before.orderStanding = [broken()];
  await sold.fulfilment.signal(orderMoved);
  await parks(sold, 'read the order');
  await sold.fulfilment.executeUpdate(abandonStep, { args: [{ noteId: null }] });
  expect(await move(sold, 'SHIPPED')).toMatchObject({ status: 'SHIPPED' });
});

test('a full refund by another process ends it, once it is signalled', async () => {
  const sold = await processing();
  await move(sold, 'SHIPPED');
  // As a refund leaves it; what belongs to a refund is not this process's business, so it is taken back below.
  const set = (status: string, paymentStatus: string) =>
    execute(world.db, 'UPDATE orders SET status = $2, payment_status = $3 WHERE id = $1', [
      sold.orderId,
      status,
      paymentStatus,
    ]);
  await set('REFUNDED', 'REFUNDED');
  await sold.fulfilment.signal(orderMoved);
  expect(await sold.fulfilment.result()).toBe('REFUNDED');
  await set('SHIPPED', 'PAID');
  await keepHistory(sold.fulfilment, 'refunded');
});
