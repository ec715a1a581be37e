import { takeEvent } from '../../../../activities/partners/commission/take-event';
import { salesUncounted } from '../../../../db/partners/pool/pool-sales.reads';
import { policyFrom } from '../../../../db/policy/config';
import { execute, firstRow, rows } from '../../../../db/sql/query';
import { abandonStep, retryStep } from '../../../../workflows/kit/parking.contract';
import { commissionEventProcess } from '../../../../workflows/partners/commission/commission-event.contract';
import { startProcesses } from '../../../../workers/start';
import { make } from '../../../support/builders/make';
import { people, soldOrder, soldOrderRefund } from '../../../support/builders/partnering/sold-orders';
import { eventually } from '../../../support/checks/eventually';
import { keepHistory } from '../../../support/checks/histories';
import { ownSkippingWorld } from '../../../support/worlds/skipping-world';

const world = ownSkippingWorld();

/** A sale that cannot be counted, parked by the engine; answers its order and its event. */
async function parkedSale(): Promise<{ orderId: string; eventId: string }> {
  const { id: sponsorId } = await make.partner(world.db);
  const [buyerId] = await people(world.db, [sponsorId]);
  const { id: orderId } = await soldOrder(world.db, { buyerId: buyerId!, lines: [{ goodsMinor: 100_00 }] });
  const event = await firstRow<{ id: string }>(
    world.db,
    `UPDATE domain_events SET occurred_at = '2019-01-01', parked_at = now(), attempts = 5
     WHERE reference = 'order.paid:' || $1 RETURNING id`,
    [orderId],
  );
  return { orderId, eventId: event!.id };
}

const repair = (eventId: string) =>
  execute(world.db, 'UPDATE domain_events SET occurred_at = now() WHERE id = $1', [eventId]);
const counted = (orderId: string) =>
  rows(world.db, 'SELECT type FROM partner_commissions WHERE source_id = $1', [orderId]);
const isParked = (workflowId: string) =>
  eventually(async () =>
    expect(
      await rows(world.db, 'SELECT * FROM parked_processes WHERE workflow_id = $1', [workflowId]),
    ).toHaveLength(1),
  );

async function started(eventId: string) {
  await startProcesses(world.temporal)(commissionEventProcess, { eventId });
  return world.temporal.workflow.getHandle(commissionEventProcess.id({ eventId }));
}

test('is counted as soon as its cause is gone', async () => {
  const { orderId, eventId } = await parkedSale();
  await repair(eventId);
  const process = await started(eventId);
  expect(await process.result()).toBe('TAKEN');
  expect(await counted(orderId)).toEqual([{ type: 1 }]);
  await keepHistory(process, 'counted');
});

test('waits for a person who lets it be tried again', async () => {
  const { orderId, eventId } = await parkedSale();
  const process = await started(eventId);
  await world.sleep('10 minutes');
  await isParked(process.workflowId);
  expect(await counted(orderId)).toEqual([]);
  await repair(eventId);
  await process.executeUpdate(retryStep, { args: [{ noteId: null }] });
  expect(await process.result()).toBe('TAKEN');
  expect(await counted(orderId)).toEqual([{ type: 1 }]);
  await keepHistory(process, 'retried');
});

test('that a person gives up is not counted', async () => {
  const { orderId, eventId } = await parkedSale();
  const process = await started(eventId);
  await world.sleep('10 minutes');
  await isParked(process.workflowId);
  await process.executeUpdate(abandonStep, { args: [{ noteId: null }] });
  expect(await process.result()).toBe('GIVEN_UP');
  expect(await counted(orderId)).toEqual([]);
  await keepHistory(process, 'given-up');
  const [buyer] = await rows<{ id: string }>(world.db, 'SELECT user_id AS id FROM orders WHERE id = $1', [
    orderId,
  ]);
  const refundId = await soldOrderRefund(world.db, {
    ...{ order: { id: orderId, lineIds: [] }, buyerId: buyer!.id, goodsMinor: 100_00 },
  });
  const [refund] = await rows<{ id: string }>(world.db, 'SELECT id FROM domain_events WHERE reference = $1', [
    `refund.completed:${refundId}`,
  ]);
  expect(await (await started(refund!.id)).result()).toBe('GIVEN_UP');
  await repair(eventId);
  expect(await takeEvent(world.db, policyFrom({}), eventId)).toBe(false);
  expect(await salesUncounted(world.db, new Date(Date.now() + 60_000))).toBe(false);
});

test('is tried again every hour without a person, and only so often', async () => {
  const { orderId, eventId } = await parkedSale();
  const { orderId: lostOrder, eventId: lostEvent } = await parkedSale();
  const [process, lost] = [await started(eventId), await started(lostEvent)];
  await world.sleep('2 hours');
  await isParked(process.workflowId);
  await repair(eventId);
  expect(await process.result()).toBe('TAKEN');
  expect(await counted(orderId)).toEqual([{ type: 1 }]);
  await keepHistory(process, 'tried-again');

  await world.sleep('40 hours');
  const failures = async () => {
    const { events } = await lost.fetchHistory();
    return events!.filter(({ activityTaskFailedEventAttributes: failed }) => failed).length;
  };
  expect(await failures()).toBe(25);
  await isParked(lost.workflowId);
  await repair(lostEvent);
  await lost.executeUpdate(retryStep, { args: [{ noteId: null }] });
  expect(await lost.result()).toBe('TAKEN');
  expect(await counted(lostOrder)).toEqual([{ type: 1 }]);
});
