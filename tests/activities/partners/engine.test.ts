import { applyDue } from '../../../activities/administration/domain-event/apply-events';
import { lockNext } from '../../../db/administration/domain-event/event-delivery.transitions';
import { policyFrom } from '../../../db/policy/config';
import { execute, firstRow, rows } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { make } from '../../support/builders/make';
import { people, soldOrder, soldOrderRefund } from '../../support/builders/partnering/sold-orders';
import { queueEvents } from '../../support/builders/make/partners/partner-sales';
import { consumerDeps, takeAllEvents, takeEvent } from '../../support/checks/take-events';
import { violations } from '../../support/checks/violations';
import { ownDatabase } from '../../support/servers/database';

const own = ownDatabase();
const policy = policyFrom({});
const LINES = [{ goodsMinor: 1_000_00, commissionBp: 1_000 }];

/** An engine that notes what it did. */
function engine() {
  const result = { applied: 0, failed: 0, parked: 0, dead: 0 };
  return { result, batch: () => applyDue(consumerDeps(own.db, policy), 'commissions', result) };
}

/** A partner with a customer. */
async function sponsored(depth = 1): Promise<{ partnerIds: string[]; buyerId: string }> {
  const partnerIds: string[] = [];
  for (let level = 0; level < depth; level++)
    partnerIds.unshift((await make.partner(own.db, { sponsorId: partnerIds[0] ?? null })).id);
  const [buyerId] = await people(own.db, [partnerIds[0]!]);
  await takeAllEvents(own.db);
  return { partnerIds, buyerId: buyerId! };
}

const eventOf = async (reference: string): Promise<string> => {
  const event = await firstRow<{ id: string }>(own.db, 'SELECT id FROM domain_events WHERE reference = $1', [
    reference,
  ]);
  return event!.id;
};
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

/** Two tries at the same moment, each with a connection of its own. */
const both = (id: string, other = id) =>
  Promise.all([takeEvent(own.db, policy, id), takeEvent(own.db, policy, other)]);

test('a sale of thirty levels is counted in at most 16 statements, as many as one of three', async () => {
  const counts: number[] = [];
  for (const depth of [3, 30]) {
    const { partnerIds, buyerId } = await sponsored(depth);
    await execute(
      own.db,
      'UPDATE partner_standings SET rank_level = 5, highest_rank_level = 5, network_rank_level = 5 WHERE partner_id = $1',
      [partnerIds.at(-1)],
    );
    const { id } = await soldOrder(own.db, { buyerId, lines: LINES });
    const statements: string[] = [];
    const watch = <T>(statement: string, run: () => Promise<T>): Promise<T> => {
      statements.push(statement);
      return run();
    };
    await takeEvent({ ...own.db, watch }, policy, await eventOf(`order.paid:${id}`));
    expect(await typesOf(id)).toEqual([1, 2]);
    counts.push(statements.filter((statement) => statement !== 'TRANSACTION').length);
  }
  expect(counts[1]).toBe(counts[0]);
  expect(counts[1]).toBeLessThanOrEqual(16);
});

test('a refund is counted in as few statements, whatever the depth', async () => {
  const { buyerId } = await sponsored(30);
  const order = await soldOrder(own.db, { buyerId, lines: LINES });
  await takeAllEvents(own.db);
  const id = await soldOrderRefund(own.db, { order, buyerId, goodsMinor: 100_00 });
  let statements = 0;
  const watch = <T>(_: string, run: () => Promise<T>): Promise<T> => {
    statements++;
    return run();
  };
  await takeEvent({ ...own.db, watch }, policy, await eventOf(`refund.completed:${id}`));
  expect(statements).toBeLessThanOrEqual(17);
});

test('of two first orders paid and counted at once one is the first, and the other a repeat', async () => {
  for (let round = 0; round < 10; round++) {
    const { buyerId } = await sponsored();
    const sell = () => soldOrder(own.db, { buyerId, lines: LINES });
    const orders = await Promise.all([sell(), sell()]);
    const events = await Promise.all(orders.map(({ id }) => eventOf(`order.paid:${id}`)));
    expect(await both(events[0]!, events[1])).toEqual([true, true]);
    const types = await Promise.all(orders.map(({ id }) => typesOf(id)));
    expect(types.flat().sort()).toEqual([1, 3]);
  }
});

test('an event is taken once, however many take it at once', async () => {
  const { partnerIds, buyerId } = await sponsored(2);
  const { id } = await soldOrder(own.db, { buyerId, lines: LINES });
  const event = await eventOf(`order.paid:${id}`);
  const outcomes = await Promise.all(Array.from({ length: 10 }, () => takeEvent(own.db, policy, event)));
  expect(outcomes.filter(Boolean)).toHaveLength(1);
  expect(await takeEvent(own.db, policy, event)).toBe(false);
  expect(await commissionsOf(id)).toHaveLength(1);
  const standing = await firstRow(
    own.db,
    'SELECT earned_minor FROM partner_standings WHERE partner_id = $1',
    [partnerIds[0]],
  );
  expect(standing).toEqual({ earnedMinor: 50_00 });
});

test('two engines at once on many events of one tree count each once, and neither waits for ever', async () => {
  const { partnerIds, buyerId } = await sponsored(6);
  const others = await people(own.db, partnerIds);
  const orders = [];
  for (const buyer of [buyerId, ...others, ...others, buyerId])
    orders.push({ buyer, order: await soldOrder(own.db, { buyerId: buyer, lines: LINES }) });
  for (const { buyer, order } of orders.slice(0, 6))
    await soldOrderRefund(own.db, { order, buyerId: buyer, goodsMinor: 400_00 });
  const [a, b] = [engine(), engine()];
  const drain = async ({ batch }: ReturnType<typeof engine>) => {
    while ((await batch()) > 0);
  };
  await Promise.all([drain(a), drain(b), drain(engine())]);
  await takeAllEvents(own.db);
  expect([a.result.failed, b.result.failed]).toEqual([0, 0]);
  const volume = await firstRow<{ groupVolumeMinor: number }>(
    own.db,
    'SELECT group_volume_minor FROM partner_standings WHERE partner_id = $1',
    [partnerIds.at(-1)],
  );
  expect(volume?.groupVolumeMinor).toBe(14 * 1_000_00 - 6 * 400_00);
});

test('a refund waits for its payment, and each is counted once', async () => {
  const { buyerId } = await sponsored();
  const order = await soldOrder(own.db, { buyerId, lines: LINES });
  const id = await soldOrderRefund(own.db, { order, buyerId, goodsMinor: 500_00 });
  const [paid, refund] = [await eventOf(`order.paid:${order.id}`), await eventOf(`refund.completed:${id}`)];
  await expect(takeEvent(own.db, policy, refund)).rejects.toThrow('waits for event');
  const due = await inTransaction(own.db, (tx) => lockNext(tx, 'commissions', 'last'));
  expect(due?.id).toBe(paid);
  await takeAllEvents(own.db);
  expect(await both(paid, refund)).toEqual([false, false]);
  expect((await commissionsOf(order.id)).map(({ netMinor }) => netMinor)).toEqual([50_00, -25_00]);
});

test('refunds are in the order in which they were counted, whatever the clocks of the workers say', async () => {
  const counted: unknown[] = [];
  for (const minutes of [0, -30]) {
    const { buyerId } = await sponsored();
    const order = await soldOrder(own.db, {
      buyerId,
      lines: [
        { goodsMinor: 1_000_00, commissionBp: 1_000 },
        { goodsMinor: 1_000_00, commissionBp: 3_000 },
      ],
    });
    await takeAllEvents(own.db);
    for (const [index, refund] of [
      { goodsMinor: 800_00 },
      { goodsMinor: 900_00, parts: [{ line: 0, goodsMinor: 900_00 }] },
      { goodsMinor: 100_00 },
    ].entries()) {
      const id = await soldOrderRefund(own.db, { order, buyerId, ...refund });
      const at = new Date(Date.now() + index * minutes * 60_000);
      await takeEvent(own.db, policy, await eventOf(`refund.completed:${id}`), at);
    }
    counted.push(
      await rows(
        own.db,
        `SELECT base_minor, commission_weight FROM partner_sales WHERE source_id = $1 ORDER BY number`,
        [order.id],
      ),
    );
  }
  expect(counted[1]).toEqual(counted[0]);
  expect(await violationsOfSales()).toEqual([]);
});

test('a refund that is reported twice is taken back once', async () => {
  const { buyerId } = await sponsored();
  const order = await soldOrder(own.db, { buyerId, lines: LINES });
  const id = await soldOrderRefund(own.db, { order, buyerId, goodsMinor: 250_00 });
  await takeAllEvents(own.db);
  await queueEvents(own.db, 'reference = $1', [`refund.completed:${id}`]);
  await expect(takeEvent(own.db, policy, await eventOf(`refund.completed:${id}`))).rejects.toThrow();
  expect((await commissionsOf(order.id)).map(({ netMinor }) => netMinor)).toEqual([50_00, -12_50]);
  await execute(own.db, 'DELETE FROM event_deliveries');
});

test('a profit is counted before its investment', async () => {
  const { partnerIds, buyerId } = await sponsored(1);
  const { id: participationId } = await make.participation(own.db, {
    userId: buyerId,
    status: 'ACTIVE',
    profits: [{ amountMinor: 100_00 }],
  });
  const events = await rows<{ id: string; type: string }>(
    own.db,
    `SELECT id, type FROM domain_events WHERE entity_id = $1 ORDER BY type DESC`,
    [participationId],
  );
  expect(events.map(({ type }) => type)).toEqual(['profit.distributed', 'investment.created']);
  for (const { id } of events) expect(await takeEvent(own.db, policy, id)).toBe(true);
  const types = await rows<{ type: number }>(
    own.db,
    'SELECT type FROM partner_commissions WHERE partner_id = $1 ORDER BY type',
    [partnerIds[0]],
  );
  expect(types.map(({ type }) => type)).toContain(5);
});
