import { commissionEffect } from '../../../../activities/partners/event/commission-effect';
import { applyEvent } from '../../../../activities/administration/domain-event/apply-event';
import { policyFrom } from '../../../../db/policy/config';
import { salesUncounted } from '../../../../db/partners/pool/pool-sales.reads';
import { execute, firstRow, rows } from '../../../../db/sql/query';
import { abandonStep, retryStep } from '../../../../workflows/kit/parking.contract';
import {
  eventFailureProcess,
  type DeliveryRef,
} from '../../../../workflows/administration/domain-event/event-failure.contract';
import { startProcesses } from '../../../../workers/start';
import { make } from '../../../support/builders/make';
import { people, soldOrder, soldOrderRefund } from '../../../support/builders/partnering/sold-orders';
import { eventually } from '../../../support/checks/eventually';
import { keepHistory } from '../../../support/checks/histories';
import { ownSkippingWorld } from '../../../support/worlds/skipping-world';

/** Without its consumer, whose activity would keep the clock of this server from running ahead: the tests apply what is due. */
const world = ownSkippingWorld();

/** A sale that cannot be counted, parked by the engine; answers its order and its delivery. */
async function parkedSale(): Promise<{ orderId: string; delivery: DeliveryRef }> {
  const { id: sponsorId } = await make.partner(world.db);
  await execute(world.db, 'DELETE FROM event_deliveries WHERE attempts = 0');
  const [buyerId] = await people(world.db, [sponsorId]);
  const { id: orderId } = await soldOrder(world.db, { buyerId: buyerId!, lines: [{ goodsMinor: 100_00 }] });
  const event = await firstRow<{ position: number }>(
    world.db,
    `UPDATE domain_events SET occurred_at = '2019-01-01' WHERE reference = 'order.paid:' || $1 RETURNING position`,
    [orderId],
  );
  const delivery = { consumer: 'commissions' as const, position: event!.position };
  await execute(world.db, 'UPDATE event_deliveries SET attempts = 4 WHERE position = $1', [
    delivery.position,
  ]);
  expect(await consume()).toBe('parked');
  return { orderId, delivery };
}

/** Applies the event that is due, as its consumer does. */
const consume = () =>
  applyEvent(
    {
      db: world.db,
      start: startProcesses(world.temporal),
      effects: { commissions: commissionEffect(policyFrom({})) },
    },
    'commissions',
  );
const repair = ({ position }: DeliveryRef) =>
  execute(world.db, 'UPDATE domain_events SET occurred_at = now() WHERE position = $1', [position]);
const counted = (orderId: string) =>
  rows(world.db, 'SELECT type FROM partner_commissions WHERE source_id = $1', [orderId]);
const isParked = (workflowId: string) =>
  eventually(async () =>
    expect(
      await rows(world.db, 'SELECT reason, last_error FROM parked_processes WHERE workflow_id = $1', [
        workflowId,
      ]),
    ).toEqual([{ reason: 'Could not apply the event.', lastError: expect.stringContaining('No version') }]),
  );
const processOf = (delivery: DeliveryRef) =>
  world.temporal.workflow.getHandle(eventFailureProcess.id(delivery));

test('waits for a person who lets it be tried again; a try that fails parks it anew', async () => {
  const { orderId, delivery } = await parkedSale();
  const process = processOf(delivery);
  await isParked(process.workflowId);
  await process.executeUpdate(retryStep, { args: [{ noteId: null }] });
  expect(await process.result()).toBe('DUE');
  expect(await consume()).toBe('parked');
  await isParked(process.workflowId);
  expect(await counted(orderId)).toEqual([]);
  await repair(delivery);
  const again = processOf(delivery);
  await again.executeUpdate(retryStep, { args: [{ noteId: null }] });
  expect(await again.result()).toBe('DUE');
  expect(await consume()).toBe('applied');
  expect(await counted(orderId)).toEqual([{ type: 1 }]);
  await keepHistory(again, 'retried');

  await startProcesses(world.temporal)(eventFailureProcess, delivery);
  expect(await processOf(delivery).result()).toBe('APPLIED');
  await keepHistory(processOf(delivery), 'applied');
});

test('that a person gives up is not counted', async () => {
  const { orderId, delivery } = await parkedSale();
  const process = processOf(delivery);
  await isParked(process.workflowId);
  await process.executeUpdate(abandonStep, { args: [{ noteId: null }] });
  expect(await process.result()).toBe('DEAD');
  await keepHistory(process, 'given-up');
  const [buyer] = await rows<{ id: string }>(world.db, 'SELECT user_id AS id FROM orders WHERE id = $1', [
    orderId,
  ]);
  await soldOrderRefund(world.db, {
    ...{ order: { id: orderId, lineIds: [] }, buyerId: buyer!.id, goodsMinor: 100_00 },
  });
  expect(await consume()).toBe('dead');
  await repair(delivery);
  expect(await consume()).toBeNull();
  expect(await counted(orderId)).toEqual([]);
  expect(await salesUncounted(world.db, new Date(Date.now() + 60_000))).toBe(false);
});

test('is tried again every hour without a person, and only so often', async () => {
  const { orderId, delivery } = await parkedSale();
  const process = processOf(delivery);
  await isParked(process.workflowId);
  expect(await process.result()).toBe('DUE');
  await keepHistory(process, 'tried-again');
  await repair(delivery);
  expect(await consume()).toBe('applied');
  expect(await counted(orderId)).toEqual([{ type: 1 }]);

  const { orderId: lostOrder, delivery: lost } = await parkedSale();
  let tries = 0;
  while ((await lostState(lost)).attempts < 29) {
    expect(await processOf(lost).result()).toBe('DUE');
    expect(await consume()).toBe('parked');
    tries++;
  }
  expect(tries).toBe(24);
  await world.sleep('40 hours');
  expect(await lostState(lost)).toEqual({ state: 'PARKED', attempts: 29 });
  await isParked(processOf(lost).workflowId);
  await repair(lost);
  await processOf(lost).executeUpdate(retryStep, { args: [{ noteId: null }] });
  expect(await processOf(lost).result()).toBe('DUE');
  expect(await consume()).toBe('applied');
  expect(await counted(lostOrder)).toEqual([{ type: 1 }]);
});

const lostState = async ({ position }: DeliveryRef) =>
  (await firstRow<{ state: string; attempts: number }>(
    world.db,
    'SELECT state, attempts FROM event_deliveries WHERE position = $1',
    [position],
  ))!;
