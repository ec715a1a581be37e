import { v7 } from 'uuid';
import { rows } from '../../../../db/sql/query';
import {
  fulfilmentProcess,
  moveOrder,
  type MoveOrder,
} from '../../../../workflows/commerce/order/fulfilment.contract';
import { orderStatus } from '../../../../workflows/commerce/order/order.contract';
import { retryStep } from '../../../../workflows/kit/parking.contract';
import { violations } from '../../../support/checks/violations';
import { eventually } from '../../../support/checks/eventually';
import { keepHistory } from '../../../support/checks/histories';
import { make } from '../../../support/builders/make';
import { noteOf, orderSteps, paidOrder } from '../../../support/builders/ordering';
import { startSkippingWorld, type SkippingWorld } from '../../../support/worlds/skipping-world';
import { bookOf, cancel, patient, type Sale } from '../sales';

/** Moves in flight, and the most there were at once. */
let inFlight = 0;
let mostInFlight = 0;
let world: SkippingWorld;
beforeAll(async () => {
  world = await startSkippingWorld({
    variables: { POLICY_DELIVERED_AFTER_DAYS: '20', POLICY_PROCESSING_DAYS: '3' },
    fakes: (real) => ({
      async moveOrder(move) {
        mostInFlight = Math.max(mostInFlight, ++inFlight);
        try {
          if (move.to === 'SHIPPED') await new Promise((resolve) => setTimeout(resolve, 500));
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

/** Paid by card and picked up, at the world's own time. */
async function processing(): Promise<Sale> {
  const order = await paidOrder(world.db, { at: (await world.now()).toISOString() });
  const fulfilment = patient(world).workflow.getHandle(fulfilmentProcess.id(order));
  await world.processes.start(fulfilmentProcess, order);
  await eventually(async () => expect(await fulfilment.query(orderStatus)).toBe('PROCESSING'));
  return { ...order, fulfilment, checkout: fulfilment };
}

async function move({ fulfilment }: Sale, to: MoveOrder['to']) {
  const { id } = await make.admin(world.db);
  const command = { to, noteId: await noteOf(world.db, id, null), notifyCustomer: false };
  const options = { updateId: v7(), ifClosed: 'CANNOT_CANCEL' as const };
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
  expect((await bookOf(world, sold)).order).toBe('SHIPPED PAID');
  await world.sleep('25 hours');
  expect(await sold.fulfilment.result()).toBe('DELIVERED');
  expect((await bookOf(world, sold)).order).toBe('DELIVERED PAID');
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
  await eventually(async () => expect((await bookOf(world, sold)).order).toMatch(/^CANCELLED/));
  await isNotParked(sold);
});

test('two moves at once are carried out one after the other, in the order in which they came', async () => {
  const sold = await processing();
  mostInFlight = 0;
  const shipping = move(sold, 'SHIPPED');
  await eventually(() => expect(inFlight).toBe(1));
  const delivering = move(sold, 'DELIVERED');
  expect((await shipping).status).toBe('SHIPPED');
  expect((await delivering).status).toBe('DELIVERED');
  expect(mostInFlight).toBe(1);
  expect(await sold.fulfilment.result()).toBe('DELIVERED');
});
