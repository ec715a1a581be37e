import type { ConsumerDeps } from '../../../activities/administration/domain-event/apply-event';
import { applyDue } from '../../../activities/administration/domain-event/apply-events';
import { eventConsumerActivities } from '../../../activities/administration/domain-event/event-consumer.activities';
import { startFailures } from '../../../activities/administration/domain-event/start-forgotten';
import { eventFigures } from '../../../db/administration/domain-event/event-figures.reads';
import { lockNext } from '../../../db/administration/domain-event/event-delivery.transitions';
import { reviveDelivery } from '../../../db/administration/domain-event/event-delivery.writes';
import { salesUncounted } from '../../../db/partners/pool/pool-sales.reads';
import { policyFrom } from '../../../db/policy/config';
import { execute, firstRow, rows } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { make } from '../../support/builders/make';
import { people, soldOrder, soldOrderRefund } from '../../support/builders/partnering/sold-orders';
import { consumerDeps, takeAllEvents } from '../../support/checks/take-events';
import { violations } from '../../support/checks/violations';
import { ownDatabase } from '../../support/servers/database';
import { asActivity } from '../../support/servers/run-activity';

const own = ownDatabase();
const policy = policyFrom({});
const LINES = [{ goodsMinor: 1_000_00, commissionBp: 1_000 }];

/** An engine whose starts of processes are noted. */
function engine(of: Partial<ConsumerDeps> = {}) {
  const started: string[] = [];
  const deps: ConsumerDeps = {
    ...consumerDeps(own.db, policy),
    start: (process, input) => {
      started.push(process.id(input));
      return Promise.resolve('started' as const);
    },
    ...of,
  };
  const result = { applied: 0, failed: 0, parked: 0, dead: 0 };
  const batch = () => applyDue(deps, 'commissions', result);
  const { applyEvents, retryDelivery, abandonDelivery } = eventConsumerActivities({
    ...deps,
    concurrency: 1,
  });
  return { deps, started, result, batch, applyEvents, retryDelivery, abandonDelivery };
}

/** A customer of a partner. */
async function customer(): Promise<string> {
  const { id } = await make.partner(own.db);
  const [buyerId] = await people(own.db, [id]);
  await takeAllEvents(own.db);
  return buyerId!;
}

const eventOf = async (reference: string): Promise<string> => {
  const event = await firstRow<{ id: string }>(own.db, 'SELECT id FROM domain_events WHERE reference = $1', [
    reference,
  ]);
  return event!.id;
};
const deliveryOf = async (reference: string) => {
  const event = await firstRow<{ position: number }>(
    own.db,
    'SELECT position FROM domain_events WHERE reference = $1',
    [reference],
  );
  return { consumer: 'commissions' as const, position: event!.position };
};
const stateOf = ({ position }: { position: number }) =>
  firstRow<{ state: string; attempts: number; lastError: string | null }>(
    own.db,
    'SELECT state, attempts, last_error FROM event_deliveries WHERE position = $1',
    [position],
  );
const change = ({ position }: { position: number }, change: string) =>
  execute(own.db, `UPDATE event_deliveries SET ${change} WHERE position = $1`, [position]);
const occurs = ({ position }: { position: number }, at: string) =>
  execute(own.db, `UPDATE domain_events SET occurred_at = $2 WHERE position = $1`, [position, at]);
const commissionsOf = (sourceId: string) =>
  rows<{ type: number; netMinor: number; status: string; partnerId: string; reversalOf: string | null }>(
    own.db,
    'SELECT type, net_minor, status, partner_id, reversal_of FROM partner_commissions WHERE source_id = $1 ORDER BY id',
    [sourceId],
  );
const typesOf = async (sourceId: string) => (await commissionsOf(sourceId)).map(({ type }) => type);

/** Orders and refunds of these tests are no more than the programme needs, so only its own rules hold. */
const violationsOfSales = async () =>
  (await violations(own.db)).filter((line) => /^partner-(sales|commissions|standings)/.test(line));

describe('an event that cannot be counted', () => {
  test('holds up no other, is tried again, and gets a process of its own after the fifth try', async () => {
    const buyerId = await customer();
    const { id } = await soldOrder(own.db, { buyerId, lines: LINES });
    const bad = await deliveryOf(`order.paid:${id}`);
    await occurs(bad, '2019-01-01');
    const other = await soldOrder(own.db, { buyerId, lines: LINES });
    const { batch, result, started, retryDelivery } = engine();
    await batch();
    expect(result).toMatchObject({ applied: 1, failed: 1, parked: 0 });
    expect(await typesOf(other.id)).toEqual([3]);
    expect(await batch()).toBe(0);
    for (let tries = 2; tries <= 5; tries++) {
      await change(bad, 'due_at = now()');
      await batch();
    }
    expect(result).toMatchObject({ applied: 1, failed: 4, parked: 1 });
    expect(started).toEqual([`event-failure:commissions:${bad.position}`]);
    expect(await stateOf(bad)).toEqual({
      state: 'PARKED',
      attempts: 5,
      lastError: expect.stringContaining('No version'),
    });
    expect(await batch()).toBe(0);

    // One more try parks it again.
    expect(await retryDelivery(bad)).toBe('DUE');
    await batch();
    expect(result).toMatchObject({ parked: 2 });
    await occurs(bad, 'now');
    for (let times = 0; times < 2; times++) expect(await retryDelivery(bad)).toBe('DUE');
    await batch();
    expect(await retryDelivery(bad)).toBe('APPLIED');
    expect(await typesOf(id)).toEqual([1]);
  });

  test('that is given up is not counted, nor are the refunds of its order, and no pool waits for them, until it is due again', async () => {
    const buyerId = await customer();
    const order = await soldOrder(own.db, { buyerId, lines: LINES });
    const refundIds: string[] = [];
    const refund = async (): Promise<void> => {
      const id = await soldOrderRefund(own.db, { order, buyerId, goodsMinor: 100_00 });
      refundIds.push(id!);
    };
    await refund();
    await refund();
    const paid = await deliveryOf(`order.paid:${order.id}`);
    await change(paid, `state = 'PARKED'`);
    const { batch, abandonDelivery, retryDelivery } = engine();
    const later = new Date(Date.now() + 60_000);
    const figures = () => inTransaction(own.db, eventFigures);
    expect(await batch()).toBe(0);
    expect(await salesUncounted(own.db, later)).toBe(true);
    expect(await figures()).toMatchObject([{ parked: 1, waiting: 2, oldestDueSeconds: 0 }]);

    for (let times = 0; times < 2; times++) expect(await abandonDelivery(paid)).toBe('DEAD');
    await batch();
    await refund();
    expect(await salesUncounted(own.db, later)).toBe(true);
    await batch();
    expect(await salesUncounted(own.db, later)).toBe(false);
    const none = { oldestDueSeconds: 0, oldestDuePosition: 0, waiting: 0, parked: 0 };
    expect(await figures()).toMatchObject([none]);
    expect(await retryDelivery(paid)).toBe('DEAD');
    expect(await commissionsOf(order.id)).toEqual([]);
    expect(await violationsOfSales()).toEqual([]);

    // A person had given this one up by itself.
    await change(await deliveryOf(`refund.completed:${refundIds[1]}`), 'dead_with = NULL');
    const revive = () => inTransaction(own.db, (tx) => reviveDelivery(tx, paid));
    expect([await revive(), await revive()]).toEqual([true, false]);
    expect(await salesUncounted(own.db, later)).toBe(true);
    await takeAllEvents(own.db);
    expect((await commissionsOf(order.id)).map(({ netMinor }) => netMinor)).toEqual([50_00, -5_00, -5_00]);
    expect(await violationsOfSales()).toEqual([]);
  });

  test('that was taken meanwhile is not given up', async () => {
    const buyerId = await customer();
    const { id } = await soldOrder(own.db, { buyerId, lines: LINES });
    const paid = await deliveryOf(`order.paid:${id}`);
    const { abandonDelivery } = engine();
    // Nor is one that its consumer tries by itself.
    expect(await abandonDelivery(paid)).toBe('DUE');
    await takeAllEvents(own.db);
    expect(await abandonDelivery(paid)).toBe('APPLIED');
  });

  test('that another transaction is taking is left to that one, which may fail', async () => {
    const buyerId = await customer();
    const { id } = await soldOrder(own.db, { buyerId, lines: LINES });
    const { batch } = engine();
    await inTransaction(own.db, async (tx) => {
      expect(await lockNext(tx, 'commissions', 'first')).not.toBeNull();
      expect(await batch()).toBe(0);
    });
    expect(await batch()).toBe(1);
    expect(await typesOf(id)).toEqual([1]);
  });

  test('whose process could not be started is started by each sweep until it is counted', async () => {
    const buyerId = await customer();
    const { id } = await soldOrder(own.db, { buyerId, lines: LINES });
    const bad = await deliveryOf(`order.paid:${id}`);
    await change(bad, 'attempts = 4');
    await occurs(bad, '2019-01-01');
    const away = engine({ start: () => Promise.reject(new Error('Temporal is away.')) });
    await away.batch();
    expect(away.result.parked).toBe(1);
    const { deps, started } = engine();
    expect(await startFailures(deps, new Date().toISOString())).toBe(0);
    const later = new Date(Date.now() + 60_000).toISOString();
    expect(await startFailures(deps, later)).toBe(1);
    // Lost meanwhile, or else the start finds it running.
    expect(await startFailures(deps, later)).toBe(1);
    const process = `event-failure:commissions:${bad.position}`;
    expect(started).toEqual([process, process]);
    await occurs(bad, 'now');
    await engine().retryDelivery(bad);
    await takeAllEvents(own.db);
    expect(await startFailures(deps, later)).toBe(0);
  });
});

test('the newest event is due with the oldest, so that a backlog holds up no new sale', async () => {
  const buyerId = await customer();
  const paid: string[] = [];
  for (const days of [5, 4, 3, 2, 1]) {
    const paidAt = new Date(Date.now() - days * 86_400_000);
    const { id } = await soldOrder(own.db, { buyerId, lines: LINES, paidAt });
    paid.push(await eventOf(`order.paid:${id}`));
  }
  const due = await Promise.all(
    (['first', 'last'] as const).map((end) =>
      inTransaction(own.db, (tx) => lockNext(tx, 'commissions', end)),
    ),
  );
  expect(due.map((event) => event?.id)).toEqual([paid[0], paid[4]]);
  const taken: string[] = [];
  const { effects } = consumerDeps(own.db, policy);
  const noted = engine({
    effects: {
      commissions: (tx, event, at) => {
        taken.push(event.id);
        return effects.commissions(tx, event, at);
      },
    },
  });
  for (const days of [7, 6]) {
    const paidAt = new Date(Date.now() - days * 86_400_000);
    const { id } = await soldOrder(own.db, { buyerId, lines: LINES, paidAt });
    paid.push(await eventOf(`order.paid:${id}`));
  }
  await noted.batch();
  expect(taken).toEqual([0, 1, 2, 3, 6, 4, 5].map((index) => paid[index]));
});

test('a stretch takes what is there and what comes, and ends', async () => {
  const buyerId = await customer();
  const first = await soldOrder(own.db, { buyerId, lines: LINES });
  const { applyEvents } = engine();
  const stretch = asActivity(applyEvents)({ consumer: 'commissions', forMs: 1_500 });
  await new Promise((resolve) => setTimeout(resolve, 500));
  const second = await soldOrder(own.db, { buyerId, lines: LINES });
  expect(await stretch).toEqual({ applied: 2, failed: 0, parked: 0, dead: 0 });
  expect([await typesOf(first.id), await typesOf(second.id)]).toEqual([[1], [3]]);
});
