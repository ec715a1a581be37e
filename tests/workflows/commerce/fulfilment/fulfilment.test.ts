import { ApplicationFailure } from '@temporalio/common';
import { v7 } from 'uuid';
import { execute, rows } from '../../../../db/sql/query';
import { PROVIDER_QUEUES } from '../../../../workers/queues';
import {
  fulfilmentProcess,
  moveOrder,
  type MoveOrder,
} from '../../../../workflows/commerce/fulfilment/fulfilment.contract';
import { cancelOrder, orderStatus, orderMoved } from '../../../../workflows/commerce/order/order.contract';
import { abandonStep, retryStep } from '../../../../workflows/kit/parking.contract';
import { violations } from '../../../support/checks/violations';
import { eventually } from '../../../support/checks/eventually';
import { keepHistory } from '../../../support/checks/histories';
import { noteOf, orderState, PRICE_MINOR, TWO_SOLD } from '../../../support/builders/ordering';
import { startSkippingWorld, type SkippingWorld } from '../../../support/worlds/skipping-world';
import { make } from '../../../support/builders/make';
import { stateOf, cancel, patient, placed, type Sale } from '../sales';
import { given } from '../../../support/builders/given';

type Step = 'cancelOrder' | 'moveOrder' | 'orderState' | 'refundsDue';

let world: SkippingWorld;
/** Errors before an order is taken up. */
let trouble: Error | undefined;
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
    queues: ['interactive', ...PROVIDER_QUEUES],
    fakes: (real) => ({
      beginProcessing: async (order) => {
        if (trouble) throw trouble;
        return real.beginProcessing(order);
      },
      cancelOrder: troubled('cancelOrder', real.cancelOrder),
      moveOrder: troubled('moveOrder', real.moveOrder),
      orderState: troubled('orderState', real.orderState),
      refundsDue: troubled('refundsDue', real.refundsDue),
    }),
  });
});
afterAll(async () => {
  expect(await violations(world.db)).toEqual([]);
  await world.teardown();
});
beforeEach(() => {
  trouble = undefined;
  before = {};
  after = {};
});

/** Retries would not help. */
const broken = (): Error => ApplicationFailure.nonRetryable('the disk is full', 'DiskFull');
const handleOf = (order: { orderId: string; userId: string }): Sale['fulfilment'] =>
  patient(world).workflow.getHandle(fulfilmentProcess.id(order));
const becomes = (sold: { fulfilment: Sale['fulfilment'] }, status: string): Promise<void> =>
  eventually(async () => expect(await sold.fulfilment.query(orderStatus)).toBe(status));

/** An order that was paid by card before its fulfilment begins. */
async function paid() {
  const order = await given(world.db).order().paid();
  return { ...order, fulfilment: handleOf(order), checkout: handleOf(order) };
}

test('a paid order is taken up at once', async () => {
  const sold = await paid();
  await world.processes.start(fulfilmentProcess, sold);
  await becomes(sold, 'PROCESSING');
  expect(await stateOf(world, sold)).toMatchObject({ order: 'PROCESSING PAID', ...TWO_SOLD });
});

test('cancelled before it left, an order paid by card is refunded through its provider', async () => {
  const sold = await paid();
  await world.processes.start(fulfilmentProcess, sold);
  await becomes(sold, 'PROCESSING');
  const cancelled = await cancel(world, sold, 'fulfilment');
  expect(cancelled).toMatchObject({ refundStatus: 'PROCESSING', refundAmountMinor: PRICE_MINOR });
  expect(await sold.fulfilment.result()).toBe('CANCELLED');
  await eventually(async () =>
    expect(await stateOf(world, sold)).toMatchObject({
      order: 'CANCELLED REFUNDED',
      stock: '10 + 0',
      refunds: ['CANCELLATION COMPLETED'],
    }),
  );
  await keepHistory(sold.fulfilment, 'cancelled');
});

test('cancelled before it left, an order paid from the balance is refunded at once', async () => {
  const sold = await placed(world, { method: 'BALANCE', walletMinor: PRICE_MINOR });
  await sold.checkout.result();
  expect(await cancel(world, sold, 'fulfilment')).toMatchObject({ refundStatus: 'COMPLETED' });
  expect(await sold.fulfilment.result()).toBe('CANCELLED');
  expect(await stateOf(world, sold)).toMatchObject({ order: 'CANCELLED REFUNDED', walletMinor: PRICE_MINOR });
});

test('a cancellation may be what starts it', async () => {
  const sold = await paid();
  const noteId = await noteOf(world.db, sold.userId, 'At the last moment.');
  const options = { updateId: v7() };
  const cancelled = await world.processes.open(fulfilmentProcess, sold, cancelOrder, { noteId }, options);
  expect(cancelled.refundStatus).toBe('PROCESSING');
  expect(await sold.fulfilment.result()).toBe('CANCELLED');
  expect((await stateOf(world, sold)).order).toMatch(/^CANCELLED/);
  await keepHistory(sold.fulfilment, 'cancelled-from-the-start');
});

test('started twice it runs once; started again after its end it ends at once', async () => {
  const sold = await paid();
  expect(await world.processes.start(fulfilmentProcess, sold)).toBe('started');
  expect(await world.processes.start(fulfilmentProcess, sold)).toBe('already started');
  await cancel(world, sold, 'fulfilment');
  await sold.fulfilment.result();
  expect(await world.processes.start(fulfilmentProcess, sold)).toBe('started');
  expect(await sold.fulfilment.result()).toBe('CANCELLED');
  await expect(cancel(world, sold, 'fulfilment')).rejects.toMatchObject({ type: 'CANNOT_CANCEL' });
  expect((await stateOf(world, sold)).refunds).toHaveLength(1);
});

test('terminated by mistake, it goes on with the next command', async () => {
  const sold = await paid();
  await world.processes.start(fulfilmentProcess, sold);
  await becomes(sold, 'PROCESSING');
  await sold.fulfilment.terminate('by mistake');
  const noteId = await noteOf(world.db, sold.userId, 'It took too long.');
  const options = { updateId: v7() };
  const cancelled = await world.processes.open(fulfilmentProcess, sold, cancelOrder, { noteId }, options);
  expect(cancelled.refundStatus).toBe('PROCESSING');
  expect(await sold.fulfilment.result()).toBe('CANCELLED');
});

test('two cancellations at once: one refund', async () => {
  const sold = await paid();
  await world.processes.start(fulfilmentProcess, sold);
  await becomes(sold, 'PROCESSING');
  const outcomes = await Promise.allSettled([
    cancel(world, sold, 'fulfilment'),
    cancel(world, sold, 'fulfilment'),
  ]);
  expect(outcomes.map(({ status }) => status)).toContain('fulfilled');
  expect((await stateOf(world, sold)).refunds).toHaveLength(1);
});

test('started for an order that was cancelled meanwhile, it ends', async () => {
  const order = await given(world.db).order().paid().cancelled();
  await world.processes.start(fulfilmentProcess, order);
  expect(await handleOf(order).result()).toBe('CANCELLED');
  expect((await orderState(world.db, order)).refunds).toHaveLength(1);
});

describe('an order that cannot be taken up waits for a person', () => {
  const needsAttention = (sold: Sale): Promise<void> =>
    eventually(async () => {
      const { currentDetails } = await sold.fulfilment.query<{ currentDetails: string }>(
        '__temporal_workflow_metadata',
      );
      expect(currentDetails).toContain('Could not begin processing the order');
    });

  test('who has it tried again', async () => {
    const sold = await paid();
    trouble = broken();
    await world.processes.start(fulfilmentProcess, sold);
    await needsAttention(sold);
    trouble = undefined;
    await sold.fulfilment.executeUpdate(retryStep, { args: [{ noteId: null }] });
    await becomes(sold, 'PROCESSING');
    await keepHistory(sold.fulfilment, 'parked-then-retried');
  });

  test('abandoned: the buyer can still cancel', async () => {
    const sold = await paid();
    trouble = broken();
    await world.processes.start(fulfilmentProcess, sold);
    await needsAttention(sold);
    await sold.fulfilment.executeUpdate(abandonStep, { args: [{ noteId: null }] });
    expect((await stateOf(world, sold)).order).toBe('PAID PAID');
    await cancel(world, sold, 'fulfilment');
    expect(await sold.fulfilment.result()).toBe('CANCELLED');
    await keepHistory(sold.fulfilment, 'parked-then-abandoned');
  });

  test('while it waits, the buyer can cancel; the person then finds nothing left to do', async () => {
    const sold = await paid();
    trouble = broken();
    await world.processes.start(fulfilmentProcess, sold);
    await needsAttention(sold);
    await cancel(world, sold, 'fulfilment');
    trouble = undefined;
    await sold.fulfilment.executeUpdate(retryStep, { args: [{ noteId: null }] });
    expect(await sold.fulfilment.result()).toBe('CANCELLED');
  });
});

describe('while steps fail', () => {
  /** The worker died, or its connection: the step is begun again at once. */
  const lost = (): Error =>
    ApplicationFailure.create({ message: 'the answer was lost', nextRetryDelay: '1 millisecond' });

  /** Paid by card and picked up. */
  async function processing(): Promise<Sale> {
    const order = await given(world.db).order().paid();
    const fulfilment = patient(world).workflow.getHandle(fulfilmentProcess.id(order));
    await world.processes.start(fulfilmentProcess, order);
    await eventually(async () => expect(await fulfilment.query(orderStatus)).toBe('PROCESSING'));
    return { ...order, fulfilment, checkout: fulfilment };
  }

  async function move({ fulfilment }: Sale, to: MoveOrder['to']) {
    const { id } = await make.admin(world.db);
    const command = { to, noteId: await noteOf(world.db, id, null), notifyCustomer: true };
    const options = { updateId: v7() };
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
      expect(await stateOf(world, sold)).toMatchObject({
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
    expect((await stateOf(world, sold)).order).toBe('SHIPPED PAID');
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
    before.orderState = [broken()];
    await expect(cancel(world, sold, 'fulfilment')).rejects.toThrow();
    expect(await stateOf(world, sold)).toMatchObject({
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
    expect((await stateOf(world, sold)).order).toBe('SHIPPED PAID');
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
    before.orderState = [broken()];
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
});
