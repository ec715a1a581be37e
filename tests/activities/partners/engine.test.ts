import { partnerSweepActivities } from '../../../activities/partners/sweep/partner-sweep.activities';
import { commissionActivities } from '../../../activities/partners/commission/commission.activities';
import { takeEvent } from '../../../activities/partners/commission/take-event';
import { takeBatch, type EngineDeps } from '../../../activities/partners/commission/take-events';
import { dueEvents } from '../../../db/partners/event/commission-event.transitions';
import { commissionFigures } from '../../../db/partners/event/commission-figures.reads';
import { salesUncounted } from '../../../db/partners/pool/pool-sales.reads';
import { policyFrom } from '../../../db/policy/config';
import { execute, firstRow, rows } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { make } from '../../support/builders/make';
import { people, soldOrder, soldOrderRefund } from '../../support/builders/partnering/sold-orders';
import { takeAllEvents } from '../../support/checks/take-events';
import { violations } from '../../support/checks/violations';
import { ownDatabase } from '../../support/servers/database';
import { asActivity } from '../../support/servers/run-activity';

const own = ownDatabase();
const policy = policyFrom({});
const LINES = [{ goodsMinor: 1_000_00, commissionBp: 1_000 }];

/** An engine whose starts of processes are noted. */
function engine(of: Partial<EngineDeps> = {}) {
  const started: string[] = [];
  const deps: EngineDeps = {
    ...{ db: own.db, policy },
    start: (process, input) => {
      started.push(process.id(input));
      return Promise.resolve('started' as const);
    },
    ...of,
  };
  const result = { taken: 0, failed: 0, parked: 0, isRetired: false };
  const batch = () => takeBatch(deps, { engines: 1, engine: 0 }, result);
  return { deps, started, result, batch };
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

test('a refund that comes before its payment takes that first, and each is counted once', async () => {
  const { buyerId } = await sponsored();
  const order = await soldOrder(own.db, { buyerId, lines: LINES });
  const id = await soldOrderRefund(own.db, { order, buyerId, goodsMinor: 500_00 });
  const [paid, refund] = [await eventOf(`order.paid:${order.id}`), await eventOf(`refund.completed:${id}`)];
  expect(await takeEvent(own.db, policy, refund)).toBe(true);
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
  await execute(own.db, 'UPDATE domain_events SET taken_at = NULL WHERE reference = $1', [
    `refund.completed:${id}`,
  ]);
  await expect(takeEvent(own.db, policy, await eventOf(`refund.completed:${id}`))).rejects.toThrow();
  expect((await commissionsOf(order.id)).map(({ netMinor }) => netMinor)).toEqual([50_00, -12_50]);
  await execute(own.db, 'UPDATE domain_events SET taken_at = now() WHERE reference = $1', [
    `refund.completed:${id}`,
  ]);
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

describe('an event that cannot be counted', () => {
  test('holds up no other, is tried again, and gets a process of its own after the fifth try', async () => {
    const { buyerId } = await sponsored();
    const { id } = await soldOrder(own.db, { buyerId, lines: LINES });
    const bad = await eventOf(`order.paid:${id}`);
    await execute(own.db, 'UPDATE domain_events SET occurred_at = $2 WHERE id = $1', [bad, '2019-01-01']);
    const other = await soldOrder(own.db, { buyerId, lines: LINES });
    const { batch, result, started } = engine();
    await batch();
    expect(result).toMatchObject({ taken: 1, failed: 1, parked: 0 });
    expect(await typesOf(other.id)).toEqual([3]);
    expect(await batch()).toBe(0);
    for (let tries = 2; tries <= 5; tries++) {
      await execute(own.db, 'UPDATE domain_events SET next_attempt_at = now() WHERE id = $1', [bad]);
      await batch();
    }
    expect(result).toMatchObject({ taken: 1, failed: 4, parked: 1 });
    expect(started).toEqual([`commission-event:${bad}`]);
    const row = await firstRow<{ attempts: number; lastError: string; parkedAt: Date }>(
      own.db,
      'SELECT attempts, last_error, parked_at FROM domain_events WHERE id = $1',
      [bad],
    );
    expect(row).toEqual({
      attempts: 5,
      lastError: expect.stringContaining('No version'),
      parkedAt: expect.any(Date),
    });
    expect(await batch()).toBe(0);

    await execute(own.db, 'UPDATE domain_events SET occurred_at = now() WHERE id = $1', [bad]);
    const { takeParkedEvent } = commissionActivities(engine().deps);
    for (let times = 0; times < 2; times++) expect(await takeParkedEvent({ eventId: bad })).toBe('TAKEN');
    expect(await typesOf(id)).toEqual([1]);
  });

  test('that is given up is not counted, nor are the refunds of its order, and no pool waits for them', async () => {
    const { buyerId } = await sponsored();
    const order = await soldOrder(own.db, { buyerId, lines: LINES });
    const refunds = [];
    for (let n = 0; n < 2; n++)
      refunds.push(await soldOrderRefund(own.db, { order, buyerId, goodsMinor: 100_00 }));
    const [paid, first, second] = [
      await eventOf(`order.paid:${order.id}`),
      await eventOf(`refund.completed:${refunds[0]}`),
      await eventOf(`refund.completed:${refunds[1]}`),
    ];
    await execute(own.db, 'UPDATE domain_events SET parked_at = now() WHERE id = ANY($1::uuid[])', [
      [paid, first],
    ]);
    const later = new Date(Date.now() + 60_000);
    expect(await salesUncounted(own.db, later)).toBe(true);
    expect((await inTransaction(own.db, commissionFigures)).parked).toBe(2);
    const { giveUpEvent, takeParkedEvent } = commissionActivities(engine().deps);
    for (let times = 0; times < 2; times++) expect(await giveUpEvent({ eventId: paid })).toBe('GIVEN_UP');
    expect(await salesUncounted(own.db, later)).toBe(false);
    const none = { oldestWaitingSeconds: 0, nothingTakenSeconds: 0, waiting: 0, parked: 0 };
    expect(await inTransaction(own.db, commissionFigures)).toMatchObject(none);
    expect(await takeParkedEvent({ eventId: first })).toBe('GIVEN_UP');
    expect(await both(paid, second)).toEqual([false, false]);
    expect(await engine().batch()).toBe(0);
    expect(await commissionsOf(order.id)).toEqual([]);

    const id = await soldOrderRefund(own.db, { order, buyerId, goodsMinor: 800_00 });
    expect(await salesUncounted(own.db, later)).toBe(true);
    await engine().batch();
    expect(await salesUncounted(own.db, later)).toBe(false);
    const refund = await firstRow(
      own.db,
      'SELECT taken_at, given_up_at FROM domain_events WHERE reference = $1',
      [`refund.completed:${id}`],
    );
    expect(refund).toEqual({ takenAt: null, givenUpAt: expect.any(Date) });
    expect(await violationsOfSales()).toEqual([]);
  });

  test('that was taken meanwhile is not given up', async () => {
    const { buyerId } = await sponsored();
    const { id } = await soldOrder(own.db, { buyerId, lines: LINES });
    const event = await eventOf(`order.paid:${id}`);
    await takeEvent(own.db, policy, event);
    const { giveUpEvent } = commissionActivities(engine().deps);
    expect(await giveUpEvent({ eventId: event })).toBe('TAKEN');
  });

  test('that another transaction is taking is tried again, as that one may fail', async () => {
    const { buyerId } = await sponsored();
    const { id } = await soldOrder(own.db, { buyerId, lines: LINES });
    const eventId = await eventOf(`order.paid:${id}`);
    const { takeParkedEvent } = commissionActivities(engine().deps);
    await inTransaction(own.db, async (tx) => {
      await execute(tx, 'SELECT 1 FROM domain_events WHERE id = $1 FOR UPDATE', [eventId]);
      await expect(takeParkedEvent({ eventId })).rejects.toThrow('being taken');
    });
    expect(await takeParkedEvent({ eventId })).toBe('TAKEN');
  });

  test('is given up by the process of a refund whose payment was given up', async () => {
    const { buyerId } = await sponsored();
    const order = await soldOrder(own.db, { buyerId, lines: LINES });
    const { giveUpEvent, takeParkedEvent } = commissionActivities(engine().deps);
    expect(await giveUpEvent({ eventId: await eventOf(`order.paid:${order.id}`) })).toBe('GIVEN_UP');
    const refund = await soldOrderRefund(own.db, { order, buyerId, goodsMinor: 100_00 });
    expect(await takeParkedEvent({ eventId: await eventOf(`refund.completed:${refund}`) })).toBe('GIVEN_UP');
    expect(await commissionsOf(order.id)).toEqual([]);
  });

  test('whose process could not be started is started by each sweep until it is counted', async () => {
    const { buyerId } = await sponsored();
    const { id } = await soldOrder(own.db, { buyerId, lines: LINES });
    const bad = await eventOf(`order.paid:${id}`);
    await execute(own.db, `UPDATE domain_events SET attempts = 4, occurred_at = '2019-01-01' WHERE id = $1`, [
      bad,
    ]);
    const away = engine({ start: () => Promise.reject(new Error('Temporal is away.')) });
    await away.batch();
    expect(away.result.parked).toBe(1);
    const { deps, started } = engine();
    const sweep = partnerSweepActivities(deps);
    expect(await sweep.startParkedEvents({ at: new Date().toISOString() })).toBe(0);
    const later = new Date(Date.now() + 60_000).toISOString();
    expect(await sweep.startParkedEvents({ at: later })).toBe(1);
    // Lost meanwhile, or else the start finds it running.
    expect(await sweep.startParkedEvents({ at: later })).toBe(1);
    expect(started).toEqual([`commission-event:${bad}`, `commission-event:${bad}`]);
    await execute(own.db, 'UPDATE domain_events SET occurred_at = now() WHERE id = $1', [bad]);
    await takeEvent(own.db, policy, bad);
    expect(await sweep.startParkedEvents({ at: later })).toBe(0);
  });
});

test('some of the newest events are due with the oldest, so that a backlog holds up no new sale', async () => {
  const { buyerId } = await sponsored();
  const paid: string[] = [];
  for (const days of [5, 4, 3, 2, 1]) {
    const paidAt = new Date(Date.now() - days * 86_400_000);
    const { id } = await soldOrder(own.db, { buyerId, lines: LINES, paidAt });
    paid.push(await eventOf(`order.paid:${id}`));
  }
  const due = await dueEvents(own.db, { engines: 1, engine: 0 }, { oldest: 2, newest: 1 });
  expect(due).toEqual([paid[0], paid[1], paid[4]]);
  await takeAllEvents(own.db);
});

test('a stretch takes what is there and what comes, and ends; an engine too many retires', async () => {
  const { buyerId } = await sponsored();
  const first = await soldOrder(own.db, { buyerId, lines: LINES });
  const { takeCommissionEvents } = commissionActivities(engine().deps);
  const stretch = asActivity(takeCommissionEvents)({ engine: 0, forMs: 1_500 });
  await new Promise((resolve) => setTimeout(resolve, 500));
  const second = await soldOrder(own.db, { buyerId, lines: LINES });
  expect(await stretch).toEqual({ taken: 2, failed: 0, parked: 0, isRetired: false });
  expect([await typesOf(first.id), await typesOf(second.id)]).toEqual([[1], [3]]);
  expect(await asActivity(takeCommissionEvents)({ engine: 1, forMs: 1_500 })).toMatchObject({
    isRetired: true,
  });
});
