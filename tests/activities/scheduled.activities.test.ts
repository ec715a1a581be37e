import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cancellationSignal } from '@temporalio/activity';
import { v7 } from 'uuid';
import {
  checkInvariants,
  type CheckProcesses,
  type InvariantFindings,
} from '../../activities/administration/operations/check-invariants';
import { popularityWork } from '../../activities/catalog/popularity/recount-popularity';
import {
  latestInvariantRun,
  type ProcessCheckScope,
} from '../../db/administration/operations/invariant-run.reads';
import { diskBlobs } from '../../db/blobs/disk';
import { countSales } from '../../db/catalog/popularity/sales.transitions';
import type { Broken } from '../../db/invariants/invariant';
import { policyFrom } from '../../db/policy/config';
import { execute, firstRow, rows } from '../../db/sql/query';
import { inTransaction } from '../../db/sql/transaction';
import { make } from '../support/builders/make';
import { ownDatabase } from '../support/servers/database';
import { asActivity } from '../support/servers/run-activity';
import { takeTurn } from './administration/job/take-turn';

describe('popularity', () => {
  const own = ownDatabase();
  const at = '2026-06-30T12:00:00.000Z';
  const recount = async (turn: Parameters<typeof takeTurn>[2] = {}) => {
    const { done, isDone } = await takeTurn(own.db, popularityWork(policyFrom({})), { at, ...turn });
    return { changed: done, isDone };
  };
  const sold = (productId: string, day: string, units: number) =>
    execute(own.db, 'INSERT INTO product_daily_sales VALUES ($1, $2, $3)', [productId, day, units]);

  async function popularityOf(id: string): Promise<number | undefined> {
    const found = await rows<{ units: number }>(
      own.db,
      'SELECT units_sold_90d AS units FROM products WHERE id = $1',
      [id],
    );
    return found[0]?.units;
  }

  beforeEach(async () => {
    await execute(own.owner, 'TRUNCATE products CASCADE');
  });

  test('counts the units of ninety days, the current day included', async () => {
    const steady = await make.product(own.db, { unitsSold90d: 500 });
    await sold(steady.id, '2026-04-01', 100); // the ninety-first day
    await sold(steady.id, '2026-04-02', 20);
    await sold(steady.id, '2026-06-30', 3);
    const fallen = await make.product(own.db, { unitsSold90d: 7 });
    await sold(fallen.id, '2026-03-31', 7);
    const right = await make.product(own.db, { unitsSold90d: 4 });
    await sold(right.id, '2026-05-01', 4);
    const givenBack = await make.product(own.db, { unitsSold90d: 1 });
    await sold(givenBack.id, '2026-05-01', -2);

    expect(await recount()).toEqual({ changed: 3, isDone: true });
    expect(await Promise.all([steady, fallen, right, givenBack].map(({ id }) => popularityOf(id)))).toEqual([
      23, 0, 4, 0,
    ]);
    expect(await recount()).toEqual({ changed: 0, isDone: true });
  });

  test('works in batches', async () => {
    await execute(
      own.db,
      `INSERT INTO products (id, name, slug, sku, description, price_minor, status, commission_bp, career_points_bp,
       units_sold_90d, created_at, updated_at)
     SELECT gen_random_uuid(), 'n', n, n, 'd', 1, 'ACTIVE', 0, 0, 1, now(), now() FROM generate_series(1, 2500) n`,
    );
    expect(await recount({ due: 'one run', turnMs: 0 })).toEqual({ changed: 2_000, isDone: false });
    expect(await recount({ due: 'one run', turnMs: 0 })).toEqual({ changed: 2_500, isDone: true });
    expect(await recount()).toEqual({ changed: 0, isDone: true });
  });

  test('a sale that is being written meanwhile is not lost', async () => {
    const { id } = await make.product(own.db, { unitsSold90d: 50 });
    await sold(id, '2026-06-29', 10);
    let recounted: Promise<unknown> = Promise.resolve();
    await inTransaction(own.db, async (tx) => {
      await countSales(tx, [{ productId: id, quantity: 5 }], at, 1);
      recounted = recount();
      await untilSomeoneWaits();
    });
    await recounted;
    expect(await popularityOf(id)).toBe(15);
  });

  /** Resolves as soon as a statement waits for a lock of another transaction. */
  async function untilSomeoneWaits(): Promise<void> {
    const waiting = `SELECT 1 AS one FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    const deadline = Date.now() + 20_000;
    while ((await rows(own.db, waiting)).length === 0)
      if (Date.now() > deadline) throw new Error('Nobody waits, so nothing was locked.');
  }
});

describe('invariant check', () => {
  const own = ownDatabase();
  let amiss: Broken[] = [];
  let scopes: ProcessCheckScope[] = [];
  const noFolder = join(tmpdir(), v7());
  const check = (at: string) => {
    const checkProcesses: CheckProcesses = async ({ since, recheck }) => {
      scopes.push({ since, recheck });
      return amiss;
    };
    const deps = {
      ...{ longDb: own.db, blobs: diskBlobs(noFolder), checkProcesses },
      policy: policyFrom({ POLICY_EVENT_PATIENCE_DAYS: '7' }),
    };
    return asActivity((moment: Date): Promise<InvariantFindings> =>
      checkInvariants(deps, moment, cancellationSignal()),
    )(new Date(at));
  };
  beforeEach(() => {
    scopes = [];
  });
  const count = async () =>
    (await firstRow<{ n: number }>(own.db, 'SELECT count(*)::int AS n FROM invariant_runs'))?.n;

  test('a report that waits as long as the policy says breaks nothing', async () => {
    const wait = (days: number) =>
      execute(
        own.db,
        `INSERT INTO webhook_events (id, kind, provider, external_event_id, type, body, body_hash, status, received_at,
           started_at) VALUES ($1, 'INVESTMENT', 'alpha', $2, 'profit.distributed', '{}', '', 'WAITING',
           now() - make_interval(days => $3), now() - make_interval(days => $3))`,
        [v7(), `waits-${days}`, days],
      );
    await wait(6);
    expect(await check('2025-01-01T00:00:00.000Z')).toEqual({ broken: 0, invariants: [] });
    await wait(8);
    expect(await check('2025-01-02T00:00:00.000Z')).toEqual({
      broken: 1,
      invariants: ['webhooks.are-dealt-with'],
    });
    await execute(
      own.db,
      `INSERT INTO parked_processes SELECT concat_ws(':', 'webhook', provider, id), 'providerEvent', id, 'waits', 'none', now(), 'run'
         FROM webhook_events WHERE external_event_id = 'waits-8'`,
    );
    expect(await check('2025-01-03T00:00:00.000Z')).toEqual({ broken: 0, invariants: [] });
    for (const table of ['webhook_events', 'parked_processes', 'invariant_runs'])
      await execute(own.db, `DELETE FROM ${table}`);
  });

  test('keeps the newest result, once a run, and forgets what is a month old', async () => {
    expect(await latestInvariantRun(own.db)).toBeNull();
    expect(await check('2026-01-01T00:00:00.000Z')).toEqual({ broken: 0, invariants: [] });
    expect(await latestInvariantRun(own.db)).toEqual({
      checkedAt: new Date('2026-01-01T00:00:00Z'),
      broken: [],
    });

    const { code } = await make.coupon(own.db);
    await execute(own.db, 'UPDATE coupons SET used_count = 1');
    const process = {
      invariant: 'processes.parked-are-listed',
      entity: 'checkout:x',
      detail: 'does not run',
    };
    amiss = [process, { ...process, entity: 'checkout:y' }];
    const found = { broken: 3, invariants: ['coupons.uses-are-counted', 'processes.parked-are-listed'] };
    expect(await check('2026-01-20T00:00:00.000Z')).toEqual(found);
    const coupon = {
      invariant: 'coupons.uses-are-counted',
      entity: code,
      detail: 'counted 1 times, used by 0 orders',
    };
    const kept = { checkedAt: new Date('2026-01-20T00:00:00Z'), broken: [coupon, ...amiss] };
    expect(await latestInvariantRun(own.db)).toEqual(kept);

    amiss = [];
    await check('2026-01-20T00:00:00.000Z');
    expect([await latestInvariantRun(own.db), await count()]).toEqual([kept, 2]);
    await check('2026-02-10T00:00:00.000Z');
    expect(await count()).toBe(2);
  });

  test('looks at all processes once a week, else at what changed lately and what was broken', async () => {
    await execute(own.db, 'DELETE FROM invariant_runs');
    await check('2026-03-01T00:17:00.000Z');
    amiss = [{ invariant: 'processes.drive-open-rows', entity: 'x', detail: 'alone' }];
    await check('2026-03-01T01:17:00.000Z');
    amiss = [];
    await check('2026-03-01T02:17:00.000Z');
    await check('2026-03-01T09:17:00.000Z'); // No check was made for hours.
    await check('2026-03-08T00:17:00.000Z');
    expect(scopes).toEqual([
      { since: null, recheck: [] },
      { since: new Date('2026-02-28T22:17:00Z'), recheck: [] },
      { since: new Date('2026-02-28T23:17:00Z'), recheck: ['x'] },
      { since: new Date('2026-03-01T00:17:00Z'), recheck: [] },
      { since: null, recheck: [] },
    ]);
  });
});
