import { setTimeout as pause } from 'node:timers/promises';
import { v7 } from 'uuid';
import { rows } from '../../../../db/sql/query';
import { PROVIDER_QUEUES } from '../../../../workers/queues';
import {
  fulfilmentProcess,
  moveOrder,
  type MovedOrder,
  type MoveOrder,
} from '../../../../workflows/commerce/fulfilment/fulfilment.contract';
import { cancelOrder, orderMoved, orderStatus } from '../../../../workflows/commerce/order/order.contract';
import { retryStep } from '../../../../workflows/kit/parking.contract';
import { violations } from '../../../support/checks/violations';
import { eventually } from '../../../support/checks/eventually';
import { keepHistory } from '../../../support/checks/histories';
import { make } from '../../../support/builders/make';
import { noteOf, orderSteps, PRICE_MINOR, TWO_SOLD } from '../../../support/builders/ordering';
import { startSkippingWorld, type SkippingWorld } from '../../../support/worlds/skipping-world';
import { stateOf, cancel, patient, placed, type Sale } from '../sales';
import { given } from '../../../support/builders/given';

/** Moves in flight, and the most there were at once. */
let inFlight = 0;
let mostInFlight = 0;
let shippingTakesMs: number;
let world: SkippingWorld;
beforeAll(async () => {
  world = await startSkippingWorld({
    queues: ['interactive', ...PROVIDER_QUEUES],
    variables: { POLICY_DELIVERED_AFTER_DAYS: '20', POLICY_PROCESSING_DAYS: '3' },
    fakes: (real) => ({
      async moveOrder(move) {
        mostInFlight = Math.max(mostInFlight, ++inFlight);
        try {
          if (move.to === 'SHIPPED') await pause(shippingTakesMs);
          return await real.moveOrder(move);
        } finally {
          inFlight--;
        }
      },
    }),
  });
});
afterAll(async () => {
  expect(await violations(world.db)).toEqual([]);
  await world.teardown();
});
beforeEach(() => {
  shippingTakesMs = 0;
});

// First, because they let time pass: it no longer does once a fulfilment has ended after its checkout; see `patient`.
describe('the deadlines of an order on its way', () => {
  /** Paid by card and picked up, at the world's own time. */
  async function processing(): Promise<Sale> {
    const order = await given(world.db)
      .order({ at: (await world.now()).toISOString() })
      .paid();
    const fulfilment = patient(world).workflow.getHandle(fulfilmentProcess.id(order));
    await world.processes.start(fulfilmentProcess, order);
    await eventually(async () => expect(await fulfilment.query(orderStatus)).toBe('PROCESSING'));
    return { ...order, fulfilment, checkout: fulfilment };
  }

  async function move({ fulfilment }: Sale, to: MoveOrder['to']) {
    const { id } = await make.admin(world.db);
    const command = { to, noteId: await noteOf(world.db, id, null), notifyCustomer: false };
    const options = { updateId: v7() };
    return world.processes.ask(fulfilment.workflowId, moveOrder, command, options);
  }

  const parkedReasons = ({ fulfilment }: Sale) =>
    rows<{ reason: string }>(world.db, 'SELECT reason FROM parked_processes WHERE workflow_id = $1', [
      fulfilment.workflowId,
    ]);
  const parks = (sold: Sale) =>
    eventually(async () => expect((await parkedReasons(sold))[0]?.reason).toContain('for too long'));
  const isNotParked = (sold: Sale) => eventually(async () => expect(await parkedReasons(sold)).toEqual([]));

  test('an unreported parcel counts as delivered after its days, and the process ends', async () => {
    const sold = await processing();
    await move(sold, 'SHIPPED');
    await world.sleep('19 days');
    expect((await stateOf(world, sold)).order).toBe('SHIPPED PAID');
    await world.sleep('25 hours');
    expect(await sold.fulfilment.result()).toBe('DELIVERED');
    expect((await stateOf(world, sold)).order).toBe('DELIVERED PAID');
    const history = await rows(
      world.db,
      `SELECT c.note, c.changed_by AS "by", s.delivered_at = c.changed_at AS parcel,
       (SELECT count(*)::int FROM tracking_events WHERE order_id = $1 AND status = 'DELIVERED') AS events
     FROM order_status_changes c JOIN shipments s USING (order_id)
     WHERE order_id = $1 AND status = 'DELIVERED'`,
      [sold.orderId],
    );
    const note = 'counted as delivered 20 days after it was shipped';
    expect(history).toEqual([{ note, by: null, parcel: true, events: 1 }]);
    await keepHistory(sold.fulfilment, 'delivered-in-time');
  });

  test('a move before the deadline is kept', async () => {
    const sold = await processing();
    await move(sold, 'SHIPPED');
    await world.sleep('19 days');
    await move(sold, 'DELIVERED');
    expect(await sold.fulfilment.result()).toBe('DELIVERED');
  });

  test('an order that is in preparation for too long parks, and again after a retry', async () => {
    const sold = await processing();
    await world.sleep('2 days');
    expect(await parkedReasons(sold)).toEqual([]);
    await world.sleep('25 hours');
    await parks(sold);
    await sold.fulfilment.executeUpdate(retryStep, { args: [{ noteId: null }] });
    await isNotParked(sold);
    await world.sleep('2 days');
    expect(await parkedReasons(sold)).toEqual([]);
    await world.sleep('25 hours');
    await parks(sold);
    await move(sold, 'SHIPPED'); // That settles it, without a decision of an operator.
    await isNotParked(sold);
    const decisions = await rows(world.db, 'SELECT action FROM audit_records WHERE entity_id = $1', [
      sold.fulfilment.workflowId,
    ]);
    expect(decisions).toEqual([{ action: 'operation.retry' }]);
    await move(sold, 'DELIVERED');
    expect(await sold.fulfilment.result()).toBe('DELIVERED');
    await keepHistory(sold.fulfilment, 'reminded');
  });

  test('an order that was moved without a signal to its process is found when an operator retries', async () => {
    const sold = await processing();
    await world.sleep('73 hours');
    await parks(sold);
    const { id } = await make.admin(world.db);
    for (const to of ['SHIPPED', 'DELIVERED'] as const) {
      const noteId = await noteOf(world.db, id, null);
      const at = (await world.now()).toISOString();
      await orderSteps(world.db).moveOrder({ orderId: sold.orderId, to, noteId, notifyCustomer: false, at });
    }
    await sold.fulfilment.executeUpdate(retryStep, { args: [{ noteId: null }] });
    expect(await sold.fulfilment.result()).toBe('DELIVERED');
  });

  test('while it is parked, the buyer can still cancel', async () => {
    const sold = await processing();
    await world.sleep('73 hours');
    await parks(sold);
    await cancel(world, sold, 'fulfilment');
    await eventually(async () => expect((await stateOf(world, sold)).order).toMatch(/^CANCELLED/));
    await isNotParked(sold);
  });

  test('two moves at once are carried out one after the other, in the order in which they came', async () => {
    const sold = await processing();
    mostInFlight = 0;
    shippingTakesMs = 500;
    const shipping = move(sold, 'SHIPPED');
    await eventually(() => expect(inFlight).toBe(1));
    const delivering = move(sold, 'DELIVERED');
    expect((await shipping).status).toBe('SHIPPED');
    expect((await delivering).status).toBe('DELIVERED');
    expect(mostInFlight).toBe(1);
    expect(await sold.fulfilment.result()).toBe('DELIVERED');
  });
});

const becomes = ({ fulfilment }: Pick<Sale, 'fulfilment'>, status: string): Promise<void> =>
  eventually(async () => expect(await fulfilment.query(orderStatus)).toBe(status));

/** Paid from the balance, and picked up. */
async function processing(): Promise<Sale> {
  const sold = await placed(world, { method: 'BALANCE', walletMinor: PRICE_MINOR });
  await sold.checkout.result();
  await becomes(sold, 'PROCESSING');
  return sold;
}

async function moveCommand(to: MoveOrder['to'], changes: Partial<MoveOrder> = {}): Promise<MoveOrder> {
  const { id } = await make.admin(world.db);
  return { to, noteId: await noteOf(world.db, id, 'By the book.'), notifyCustomer: true, ...changes };
}

const move = async (
  sold: Pick<Sale, 'fulfilment'>,
  to: MoveOrder['to'],
  changes?: Partial<MoveOrder>,
): Promise<MovedOrder> => {
  const options = { updateId: v7() };
  return world.processes.ask(sold.fulfilment.workflowId, moveOrder, await moveCommand(to, changes), options);
};

const detailsOf = async ({ fulfilment }: Pick<Sale, 'fulfilment'>): Promise<string> => {
  const metadata = await fulfilment.query<{ currentDetails: string }>('__temporal_workflow_metadata');
  return metadata.currentDetails;
};

/** Kept facts of each kind, of which a move makes one. */
async function traces({ orderId }: Sale): Promise<string[]> {
  const found = await rows<{ trace: string }>(
    world.db,
    `SELECT 'history ' || status AS trace, changed_at AS at FROM order_status_changes
       WHERE order_id = $1 AND status IN ('SHIPPED', 'DELIVERED')
     UNION ALL SELECT 'event ' || status, created_at FROM tracking_events WHERE order_id = $1
     UNION ALL SELECT 'audit ' || (next ->> 'status'), created_at FROM audit_records WHERE entity_id = $1::text
     UNION ALL SELECT 'mail ' || split_part(reference, ':', 3), created_at FROM outbox_messages
       WHERE reference LIKE 'order:' || $1 || ':%' AND reference NOT LIKE ALL (ARRAY['%:placed', '%:paid'])
     ORDER BY 1`,
    [orderId],
  );
  return found.map(({ trace }) => trace);
}

test('sent off and delivered, it ends; each move leaves its traces once', async () => {
  const sold = await processing();
  expect(await detailsOf(sold)).toContain('PROCESSING: the goods are being made ready');
  expect(await move(sold, 'SHIPPED', { trackingNumber: 'A1' })).toMatchObject({
    status: 'SHIPPED',
    trackingNumber: 'A1',
  });
  await becomes(sold, 'SHIPPED');
  expect(await detailsOf(sold)).toContain('SHIPPED: the parcel is on its way');
  expect(await move(sold, 'DELIVERED')).toMatchObject({ status: 'DELIVERED', trackingNumber: 'A1' });
  expect(await sold.fulfilment.result()).toBe('DELIVERED');
  expect(await detailsOf(sold)).toContain('DELIVERED: the buyer has the goods');
  expect(await stateOf(world, sold)).toMatchObject({ order: 'DELIVERED PAID', ...TWO_SOLD, refunds: [] });
  expect(await traces(sold)).toEqual(
    ['audit', 'event', 'history', 'mail'].flatMap((kind) => [
      `${kind} ${kind === 'mail' ? 'delivered' : 'DELIVERED'}`,
      `${kind} ${kind === 'mail' ? 'shipped' : 'SHIPPED'}`,
    ]),
  );
  await keepHistory(sold.fulfilment, 'delivered');
});

test('a move that the table does not have is refused, and the process goes on', async () => {
  const sold = await processing();
  await expect(move(sold, 'DELIVERED')).rejects.toMatchObject({
    type: 'VALIDATION_ERROR',
    details: [{ status: ['cannot follow PROCESSING'] }, 'STATUS_MOVE_NOT_ALLOWED'],
  });
  expect(await traces(sold)).toEqual([]);
  await move(sold, 'SHIPPED');
  await expect(move(sold, 'SHIPPED')).rejects.toMatchObject({ type: 'VALIDATION_ERROR' });
  await expect(cancel(world, sold, 'fulfilment')).rejects.toMatchObject({ type: 'CANNOT_CANCEL' });
  await move(sold, 'DELIVERED');
  expect(await sold.fulfilment.result()).toBe('DELIVERED');
});

test('the same command gets the same answer, also after the process has closed; another finds it closed', async () => {
  const sold = await processing();
  await move(sold, 'SHIPPED');
  const options = { updateId: v7() };
  const delivering = await moveCommand('DELIVERED');
  const ask = () => world.processes.ask(sold.fulfilment.workflowId, moveOrder, delivering, options);
  const first = await ask();
  await sold.fulfilment.result();
  expect(await ask()).toEqual(first);
  await expect(move(sold, 'DELIVERED')).rejects.toMatchObject({ type: 'CANNOT_CANCEL' });
});

test('two administrators at once: one move, one refusal', async () => {
  const sold = await processing();
  const outcomes = await Promise.allSettled([move(sold, 'SHIPPED'), move(sold, 'SHIPPED')]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(await traces(sold)).toEqual(['audit SHIPPED', 'event SHIPPED', 'history SHIPPED', 'mail shipped']);
});

test('an administrator sends off what its buyer cancels: one of the two, whole', async () => {
  for (let round = 0; round < 5; round++) {
    const sold = await processing();
    const [sent, cancelled] = await Promise.allSettled([
      move(sold, 'SHIPPED'),
      cancel(world, sold, 'fulfilment'),
    ]);
    const book = await stateOf(world, sold);
    if (sent.status === 'fulfilled') {
      expect(cancelled).toMatchObject({ status: 'rejected', reason: { type: 'CANNOT_CANCEL' } });
      expect(book).toMatchObject({ order: 'SHIPPED PAID', walletMinor: 0, ...TWO_SOLD });
    } else {
      // The cancellation ends the process, which the move may find closed.
      expect(sent.reason).toMatchObject({
        type: expect.stringMatching(/^(VALIDATION_ERROR|CANNOT_CANCEL)$/) as string,
      });
      expect(cancelled.status).toBe('fulfilled');
      expect(book).toMatchObject({ order: 'CANCELLED REFUNDED', walletMinor: PRICE_MINOR });
      expect(await traces(sold)).toEqual([]);
    }
  }
});

test('an administrator cancels through the same process; found cancelled, there is nothing to decide', async () => {
  const sold = await processing();
  const decide = async () => {
    const { id } = await make.admin(world.db);
    const noteId = await noteOf(world.db, id, 'Out of print.');
    const options = { updateId: v7() };
    const decision = { noteId, byAdministrator: { notifyCustomer: true } };
    return world.processes.ask(sold.fulfilment.workflowId, cancelOrder, decision, options);
  };
  const outcomes = await Promise.allSettled([decide(), decide()]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(await sold.fulfilment.result()).toBe('CANCELLED');
  expect(await traces(sold)).toEqual(['audit CANCELLED', 'mail cancelled']);
});

test('after a signal the order is read again; without a change nothing happens', async () => {
  const sold = await processing();
  await move(sold, 'SHIPPED');
  await sold.fulfilment.signal(orderMoved);
  await sold.fulfilment.signal(orderMoved);
  await becomes(sold, 'SHIPPED');
  expect(await detailsOf(sold)).toContain('SHIPPED');
  await move(sold, 'DELIVERED');
  expect(await sold.fulfilment.result()).toBe('DELIVERED');
  await keepHistory(sold.fulfilment, 'told-in-vain');
});

test('an order paid at this very moment is moved by a process that the move itself starts', async () => {
  const order = await given(world.db)
    .order({ at: (await world.now()).toISOString() })
    .paid();
  const fulfilment = patient(world).workflow.getHandle(fulfilmentProcess.id(order));
  const options = { updateId: v7() };
  const open = async (to: MoveOrder['to']) =>
    world.processes.open(fulfilmentProcess, order, moveOrder, await moveCommand(to), options);
  const outcome = await open('SHIPPED').catch((error: unknown) => error);
  // Whichever comes first: the pick-up, or the move, which then comes too early.
  if (outcome instanceof Error) expect(outcome).toMatchObject({ type: 'VALIDATION_ERROR' });
  else expect(outcome).toMatchObject({ status: 'SHIPPED' });
  await eventually(async () => expect(await fulfilment.query(orderStatus)).toMatch(/PROCESSING|SHIPPED/));
});
