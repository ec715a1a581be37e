import { v7 } from 'uuid';
import {
  applyEvent,
  type ConsumerDeps,
} from '../../../../activities/administration/domain-event/apply-event';
import { applyDue } from '../../../../activities/administration/domain-event/apply-events';
import type { Effect, Effects } from '../../../../activities/administration/domain-event/effect';
import { announce } from '../../../../db/administration/domain-event/domain-event.writes';
import {
  abandonDelivery,
  retryDelivery,
} from '../../../../db/administration/domain-event/event-delivery.transitions';
import { reviveDelivery } from '../../../../db/administration/domain-event/event-delivery.writes';
import { execute, firstRow, rows, type Db, type Tx } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import {
  CONSUMERS,
  type Consumer,
  type EventType,
} from '../../../../workflows/administration/domain-event/consumers.rules';
import { eventually } from '../../../support/checks/eventually';
import { ownDatabase } from '../../../support/servers/database';

const TESTS = 'tests' as Consumer;
/** A second consumer, which has an event in common with the first, and one of its own. */
beforeAll(() => {
  const types: readonly EventType[] = ['partner.ranked', 'kyc.approved'];
  Object.assign(CONSUMERS, { [TESTS]: types });
});
afterAll(() => {
  Reflect.deleteProperty(CONSUMERS, TESTS);
});

const own = ownDatabase();
const BAD = 'it cannot be applied';

beforeAll(async () => {
  await execute(own.owner, 'CREATE TABLE entities (id uuid PRIMARY KEY)');
  await execute(
    own.owner,
    'CREATE TABLE applied (number bigint GENERATED ALWAYS AS IDENTITY, consumer text, position bigint, entity_id uuid)',
  );
});
beforeEach(async () => {
  await execute(own.owner, 'DELETE FROM domain_events');
  await execute(own.owner, 'DELETE FROM applied');
});

/** Writes what it applied; fails for the events of `bad`. */
const writing =
  (consumer: Consumer, bad: ReadonlySet<number> = new Set()): Effect =>
  async (tx, { position, entityId }) => {
    await execute(tx, 'INSERT INTO applied (consumer, position, entity_id) VALUES ($1, $2, $3)', [
      ...[consumer, position, entityId],
    ]);
    if (bad.has(position)) throw new Error(BAD);
    return null;
  };
const depsWith = (effects: Partial<Record<string, Effect>>): ConsumerDeps => ({
  db: own.db,
  start: () => Promise.resolve('started' as const),
  effects: effects as unknown as Effects,
});
const both = (bad?: ReadonlySet<number>): ConsumerDeps =>
  depsWith({ commissions: writing('commissions', bad), tests: writing(TESTS, bad) });
const counts = () => ({ applied: 0, failed: 0, parked: 0, dead: 0 });
const applyAll = (deps: ConsumerDeps, consumer: Consumer = 'commissions') =>
  applyDue(deps, consumer, counts());

/** Announces under the lock of the entity, as everything does that announces. */
async function happens(
  db: Db,
  entityId: string,
  type: 'activated' | 'ranked' = 'activated',
): Promise<number> {
  return inTransaction(db, async (tx) => {
    await execute(tx, 'SELECT 1 FROM entities WHERE id = $1 FOR UPDATE', [entityId]);
    const of = { partnerId: entityId, userId: v7() };
    const id = v7();
    const event =
      type === 'ranked'
        ? ({ type: 'partner.ranked', ...of, rankingId: id } as const)
        : ({ type: 'partner.activated', ...of, activationId: id } as const);
    await announce(tx, event, new Date().toISOString());
    const [found] = await rows<{ position: number }>(
      tx,
      'SELECT max(position)::bigint AS position FROM domain_events WHERE entity_id = $1',
      [entityId],
    );
    return found!.position;
  });
}

async function entities(count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => v7());
  await execute(own.owner, 'INSERT INTO entities SELECT unnest($1::uuid[])', [ids]);
  return ids;
}

const appliedTo = async (consumer: Consumer, entityId?: string): Promise<number[]> =>
  (
    await rows<{ position: number }>(
      own.db,
      `SELECT position FROM applied WHERE consumer = $1 AND ($2::uuid IS NULL OR entity_id = $2) ORDER BY number`,
      [consumer, entityId ?? null],
    )
  ).map(({ position }) => position);
const delivery = (position: number, consumer: Consumer = 'commissions') => ({ consumer, position });
const deliveryOf = (position: number, consumer: Consumer = 'commissions') =>
  firstRow<{ state: string; attempts: number; lastError: string | null }>(
    own.db,
    'SELECT state, attempts, last_error FROM event_deliveries WHERE consumer = $1 AND position = $2',
    [consumer, position],
  );
const inTx = <Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> => inTransaction(own.db, work);

test('two workers, many entities and a long transaction: each event once, and those of an entity in order', async () => {
  const ids = await entities(8);
  const [slow = '', ...quick] = ids;
  const deps = both();
  let announcing = true;
  const worker = async (): Promise<void> => {
    while (announcing || (await deliveries()) > 0) await applyAll(deps);
  };
  const deliveries = async (): Promise<number> =>
    (await firstRow<{ open: number }>(own.db, 'SELECT count(*)::int AS open FROM event_deliveries'))!.open;
  const workers = [worker(), worker()];

  await inTransaction(own.db, async (long) => {
    // The lowest position of all, which nobody sees before the end.
    const first = await happens(long, slow);
    const later = Array.from({ length: 3 }, () => happens(own.db, slow));
    const others = (
      await Promise.all(
        quick.map(async (id) => {
          const positions: number[] = [];
          for (let n = 0; n < 10; n++) positions.push(await happens(own.db, id));
          return positions;
        }),
      )
    ).flat();
    await eventually(async () => expect(await appliedTo('commissions')).toHaveLength(others.length));
    expect(Math.min(...others)).toBeGreaterThan(first);
    void Promise.all(later).then(() => (announcing = false));
  });
  await Promise.all(workers);

  const announced = await rows<{ position: number; entityId: string }>(
    own.db,
    'SELECT position, entity_id FROM domain_events ORDER BY position',
  );
  expect(announced).toHaveLength(74);
  for (const id of ids) {
    const inOrder = announced.filter(({ entityId }) => entityId === id).map(({ position }) => position);
    expect(await appliedTo('commissions', id)).toEqual(inOrder);
  }
  expect((await appliedTo('commissions')).length).toBe(74);
});

describe('an event that cannot be applied', () => {
  /** An event that cannot be applied, a later one of the same entity, and one of another. */
  async function refused() {
    const [id = '', other = ''] = await entities(2);
    const [bad, after] = [await happens(own.db, id), await happens(own.db, id)];
    const elsewhere = await happens(own.db, other);
    const refusing = new Set([bad]);
    return { bad, after, elsewhere, refusing, deps: both(refusing) };
  }
  const failFiveTimes = async (deps: ConsumerDeps): Promise<void> => {
    for (let tries = 0; tries < 5; tries++) {
      await applyAll(deps);
      await execute(own.db, `UPDATE event_deliveries SET due_at = now() WHERE state = 'DUE'`);
    }
  };

  test('is tried later and later and then parked; later events of its entity wait, and others go on', async () => {
    const { bad, after, elsewhere, deps } = await refused();
    await applyAll(deps);
    expect(await appliedTo('commissions')).toEqual([elsewhere]);
    expect(await deliveryOf(bad)).toEqual({ state: 'DUE', attempts: 1, lastError: BAD });
    expect(await applyAll(deps)).toBe(0);
    const started: unknown[] = [];
    await failFiveTimes({
      ...deps,
      start: (process, input) => {
        started.push(process.id(input));
        return Promise.resolve('started' as const);
      },
    });
    expect(await deliveryOf(bad)).toEqual({ state: 'PARKED', attempts: 5, lastError: BAD });
    expect(await deliveryOf(after)).toEqual({ state: 'DUE', attempts: 0, lastError: null });
    expect(started).toEqual([`event-failure:commissions:${String(bad)}`]);
    expect(await appliedTo('commissions')).toEqual([elsewhere]);
  });

  test('is retried: it comes before the later ones of its entity', async () => {
    const { bad, after, elsewhere, refusing, deps } = await refused();
    await failFiveTimes(deps);
    refusing.clear();
    expect(await inTx((tx) => retryDelivery(tx, delivery(bad)))).toBe('DUE');
    await applyAll(deps);
    expect(await appliedTo('commissions')).toEqual([elsewhere, bad, after]);
    expect(await inTx((tx) => retryDelivery(tx, delivery(bad)))).toBe('APPLIED');
  });

  test('is abandoned: its entity goes on without it, and it can be made due again', async () => {
    const { bad, after, elsewhere, refusing, deps } = await refused();
    expect(await inTx((tx) => abandonDelivery(tx, delivery(bad)))).toBe('DUE');
    await failFiveTimes(deps);
    expect(await inTx((tx) => abandonDelivery(tx, delivery(bad)))).toBe('DEAD');
    await applyAll(deps);
    expect(await appliedTo('commissions')).toEqual([elsewhere, after]);
    expect(await inTx((tx) => retryDelivery(tx, delivery(bad)))).toBe('DEAD');
    refusing.clear();
    expect(await inTx((tx) => reviveDelivery(tx, delivery(bad)))).toBe(true);
    await applyAll(deps);
    expect(await appliedTo('commissions')).toEqual([elsewhere, after, bad]);
    expect(await inTx((tx) => reviveDelivery(tx, delivery(bad)))).toBe(false);
  });

  test('made due again while a later one of its entity is being applied waits for that', async () => {
    const { bad, after, refusing, deps } = await refused();
    await failFiveTimes(deps);
    await inTx((tx) => abandonDelivery(tx, delivery(bad)));
    refusing.clear();
    const revived: Promise<boolean>[] = [];
    const waiting = depsWith({
      commissions: async (tx, event, at) => {
        revived.push(inTx((other) => reviveDelivery(other, delivery(bad))));
        await eventually(async () =>
          expect(
            await rows(
              own.owner,
              `SELECT 1 AS one FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
            ),
          ).not.toEqual([]),
        );
        return writing('commissions')(tx, event, at);
      },
    });
    await applyEvent(waiting, 'commissions');
    expect(await Promise.all(revived)).toEqual([true]);
    await applyAll(deps);
    expect((await appliedTo('commissions')).slice(-2)).toEqual([after, bad]);
  });
});

test('a second consumer has events of its own, fails by itself, and gets the old ones by a migration', async () => {
  const [id = '', kyc = ''] = await entities(2);
  const old = [await happens(own.db, id, 'ranked'), await happens(own.db, id, 'ranked')];
  // From before it was added.
  await execute(own.owner, 'DELETE FROM event_deliveries WHERE consumer = $1', [TESTS]);
  await happens(own.db, id);
  const latest = await happens(own.db, id, 'ranked');
  await inTx((tx) =>
    announce(
      tx,
      { type: 'kyc.approved', kycId: kyc, userId: v7(), level: 'BASIC' },
      new Date().toISOString(),
    ),
  );
  expect(await applyAll(both())).toBe(4);
  expect(await deliveryOf(latest, TESTS)).not.toBeNull();

  await execute(
    own.owner,
    `INSERT INTO event_deliveries (consumer, position, entity_id, type, occurred_at)
     SELECT 'tests', position, entity_id, type, occurred_at FROM domain_events WHERE type IN ('partner.ranked', 'kyc.approved')
     ON CONFLICT DO NOTHING`,
  );
  const refusing = new Set([old[0]!]);
  const deps = both(refusing);
  await applyAll(deps, TESTS);
  expect(await appliedTo(TESTS, id)).toEqual([]);
  expect(await appliedTo(TESTS, kyc)).toHaveLength(1);
  refusing.clear();
  await execute(own.db, 'UPDATE event_deliveries SET due_at = now()');
  await applyAll(deps, TESTS);
  expect(await appliedTo(TESTS, id)).toEqual([...old, latest]);
  expect(await appliedTo('commissions')).toHaveLength(4);
  expect(await rows(own.db, 'SELECT 1 AS one FROM event_deliveries')).toEqual([]);
});

test('killed between the effect and the commit: applied once, and not counted as a failure', async () => {
  const [id = ''] = await entities(1);
  const position = await happens(own.db, id);
  const killed = depsWith({
    commissions: async (tx, event, at) => {
      await writing('commissions')(tx, event, at);
      const [backend] = await rows<{ pid: number }>(tx, 'SELECT pg_backend_pid() AS pid');
      await execute(own.owner, 'SELECT pg_terminate_backend($1, 5000)', [backend!.pid]);
      return null;
    },
  });
  await expect(applyEvent(killed, 'commissions')).rejects.toThrow();
  expect(await appliedTo('commissions')).toEqual([]);
  expect(await deliveryOf(position)).toEqual({ state: 'DUE', attempts: 0, lastError: null });
  expect(await applyAll(both())).toBe(1);
  expect(await applyAll(both())).toBe(0);
  expect(await appliedTo('commissions')).toEqual([position]);
});
