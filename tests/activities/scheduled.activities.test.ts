import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MockActivityEnvironment } from '@temporalio/testing';
import { v7 } from 'uuid';
import type { CheckProcesses } from '../../activities/administration/operations/check-invariants';
import { invariantCheckActivities } from '../../activities/administration/operations/invariant-check.activities';
import { popularityActivities } from '../../activities/catalog/popularity/popularity.activities';
import { ledgerReconciliationActivities } from '../../activities/ledger/ledger-reconciliation.activities';
import {
  latestInvariantRun,
  type ProcessCheckScope,
} from '../../db/administration/operations/invariant-run.reads';
import { diskBlobs } from '../../db/blobs/disk';
import { countSales } from '../../db/catalog/popularity/sales.transitions';
import type { Broken } from '../../db/invariants/invariant';
import { postTransfer } from '../../db/ledger/ledger.transitions';
import { platformBalances } from '../../db/ledger/platform-balance.reads';
import { policyFrom } from '../../db/policy/config';
import { execute, firstRow, rows } from '../../db/sql/query';
import { inTransaction } from '../../db/sql/transaction';
import type { LedgerFindings } from '../../workflows/ledger/ledger-reconciliation.contract';
import { addUser, at, paidIn } from '../db/ledger/ledger.world';
import { make } from '../support/builders/make';
import { eventually } from '../support/checks/eventually';
import { ownDatabase } from '../support/servers/database';

const own = ownDatabase();

describe('ledger reconciliation', () => {
  const reconcile = (day: string, minute = 0): Promise<LedgerFindings> =>
    new MockActivityEnvironment().run(ledgerReconciliationActivities({ longDb: own.db }).reconcileLedger, {
      at: new Date(Date.parse(`2026-03-${day}T00:00:00Z`) + minute * 60_000).toISOString(),
    });
  /** Reconciles until all entries are settled: transactions of other databases of the cluster delay that. */
  async function reconcileUntilSettled(day: string): Promise<void> {
    let minute = 0;
    await eventually(async () => {
      expect(await reconcile(day, minute++)).toEqual({ drifts: 0, unbalancedTransfers: 0 });
      const settled = `SELECT max(settled_entry_id) = (SELECT max(id) FROM ledger_entries) AS all FROM ledger_reconciliations`;
      expect(await firstRow(own.db, settled)).toEqual({ all: true });
    });
  }
  const drifts = () =>
    rows(
      own.db,
      `SELECT user_id, account, currency, balance_minor, entries_minor
       FROM ledger_drifts ORDER BY entries_minor, balance_minor`,
    );
  /** Writes past every trigger and constraint, as only a superuser can. */
  const tamper = (statement: string, bind: unknown[]) =>
    inTransaction(own.owner, async (tx) => {
      await execute(tx, 'SET LOCAL session_replication_role = replica');
      expect(await execute(tx, statement, bind)).toBe(1);
    });

  test('names every balance that is not the sum of its entries, once a run; the whole ledger once a week', async () => {
    const people = await Promise.all([1, 2, 3, 4].map(() => addUser(own.db)));
    for (const person of people) {
      const entries = [...paidIn(person, 1_000), ...paidIn(person, 70, 'EUR')];
      await inTransaction(own.db, (tx) => postTransfer(tx, { reference: `top-up:${person}`, entries, at }));
    }
    expect(await reconcile('01')).toEqual({ drifts: 0, unbalancedTransfers: 0 });
    await reconcileUntilSettled('02');
    expect(await drifts()).toEqual([]);

    const [raised, lost, invented] = people;
    await tamper(`UPDATE ledger_balances SET balance_minor = 1001 WHERE user_id = $1 AND currency = 'USD'`, [
      raised,
    ]);
    await tamper(`DELETE FROM ledger_balances WHERE user_id = $1 AND currency = 'EUR'`, [lost]);
    await tamper(`INSERT INTO ledger_balances VALUES ($1, 'payout_hold', 'USD', 5, now())`, [invented]);

    const expected = [
      { userId: invented, account: 'payout_hold', currency: 'USD', balanceMinor: 5, entriesMinor: 0 },
      { userId: lost, account: 'wallet', currency: 'EUR', balanceMinor: 0, entriesMinor: 70 },
      { userId: raised, account: 'wallet', currency: 'USD', balanceMinor: 1001, entriesMinor: 1000 },
    ];
    expect(await reconcile('03')).toEqual({ drifts: 0, unbalancedTransfers: 0 });
    expect(await reconcile('08')).toEqual({ drifts: 3, unbalancedTransfers: 0 });
    expect(await reconcile('08')).toEqual({ drifts: 3, unbalancedTransfers: 0 });
    expect(await drifts()).toEqual(expected);
    await inTransaction(own.db, (tx) =>
      postTransfer(tx, { reference: `top-up again:${raised}`, entries: paidIn(raised!, 1), at }),
    );
    expect(await reconcile('09')).toEqual({ drifts: 1, unbalancedTransfers: 0 });
    expect(await drifts()).toHaveLength(4);
  });

  test('an entry that was not committed at a comparison is seen by the next, although later ones were', async () => {
    const late = await addUser(own.db);
    const early = await addUser(own.db);
    const transaction = await own.owner.sequelize.transaction();
    const tx = { ...own.owner, transaction };
    await postTransfer(tx, { reference: `late:${late}`, entries: paidIn(late, 10), at });
    await inTransaction(own.db, (other) =>
      postTransfer(other, { reference: `early:${early}`, entries: paidIn(early, 10), at }),
    );
    await reconcile('10');
    await reconcile('11'); // The highest entry that was seen is above one that nobody has seen.
    await execute(tx, 'SET LOCAL session_replication_role = replica');
    await execute(tx, 'UPDATE ledger_balances SET balance_minor = 11 WHERE user_id = $1', [late]);
    await transaction.commit();
    const before = (await drifts()).length;
    expect((await reconcile('12')).drifts).toBeGreaterThan(0);
    expect((await drifts()).slice(-before - 1)).toContainEqual(
      expect.objectContaining({ userId: late, balanceMinor: 11, entriesMinor: 10 }),
    );
    for (const day of ['13', '14']) await reconcile(day); // Seen, and settled: it is not read again.
    expect((await reconcile('15')).drifts).toBeGreaterThan(0); // The whole again.
  });

  interface Balance {
    account: string;
    currency: string;
    minor: number;
  }
  const paid = () =>
    rows<Balance>(own.db, `SELECT * FROM (${platformBalances("'payments'")}) AS balances ORDER BY currency`);
  const summed = () =>
    rows<Balance>(
      own.db,
      `SELECT account, currency, sum(amount_minor)::bigint AS minor FROM ledger_entries
        WHERE account = 'payments' GROUP BY 1, 2 ORDER BY currency`,
    );

  test('the balances of the platform reach an entry below which nothing is missing, and what comes later is in them', async () => {
    const paid = () =>
      rows<{ account: string; currency: string; minor: number }>(
        own.db,
        `SELECT * FROM (${platformBalances("'payments'")}) AS balances ORDER BY currency`,
      );
    const slow = (await rows(
      own.db,
      `SELECT account, currency, sum(amount_minor)::bigint AS minor FROM ledger_entries
          WHERE account = 'payments' GROUP BY 1, 2 ORDER BY currency`,
    )) as Awaited<ReturnType<typeof paid>>;
    expect(slow.length).toBeGreaterThan(1);
    expect(await paid()).toEqual(slow);

    const [early, late] = await Promise.all([1, 2].map(() => addUser(own.db)));
    const transaction = await own.owner.sequelize.transaction();
    const open = { ...own.owner, transaction };
    await postTransfer(open, { reference: `open:${late}`, entries: paidIn(late!, 10), at });
    await inTransaction(own.db, (tx) =>
      postTransfer(tx, { reference: `closed:${early}`, entries: paidIn(early!, 5), at }),
    );
    for (const minute of [1, 2, 3]) await reconcile('16', minute);
    const minorOf = async () => (await paid()).find(({ currency }) => currency === 'USD')!.minor;
    const before = slow.find(({ currency }) => currency === 'USD')!.minor;
    expect(await minorOf()).toBe(before - 5);
    await transaction.commit();
    expect(await minorOf()).toBe(before - 15);
    await reconcileUntilSettled('17');
    expect(await minorOf()).toBe(before - 15);
    expect(
      await firstRow(
        own.db,
        `SELECT balance_minor FROM ledger_checkpoints WHERE account = 'payments' AND currency = 'USD'`,
      ),
    ).toEqual({ balanceMinor: before - 15 });
  });

  test('an entry of a later transaction than that of a later entry is not lost below the checkpoint', async () => {
    const [slow, waiting] = await Promise.all([1, 2].map(() => addUser(own.db)));
    const open = async () => ({ ...own.owner, transaction: await own.owner.sequelize.transaction() });
    const [first, second] = [await open(), await open()];
    // Has its number first, and inserts its entries last.
    await execute(
      first,
      `INSERT INTO ledger_transfers (id, reference, created_at) VALUES (gen_random_uuid(), 'early', now())`,
    );
    await postTransfer(second, { reference: `waits:${waiting}`, entries: paidIn(waiting!, 3), at });
    await execute(
      first,
      `INSERT INTO ledger_entries (transfer_id, account, user_id, currency, amount_minor, created_at)
       SELECT t.id, l.account, l.user_id, 'USD', l.minor, now() FROM ledger_transfers t,
         (VALUES ('wallet', $1::uuid, 2), ('payments', NULL, -2)) AS l (account, user_id, minor) WHERE t.reference = 'early'`,
      [slow],
    );
    await first.transaction.commit();
    for (const minute of [10, 11, 12]) await reconcile('17', minute);
    await second.transaction.commit();
    await reconcileUntilSettled('18');
    expect(await paid()).toEqual(await summed());
  });

  test('a restore on a server whose transactions have lower numbers leaves the checkpoints where they are', async () => {
    const reached = () => firstRow(own.db, 'SELECT max(entry_id) AS entry FROM ledger_checkpoints');
    const [before, entry] = [await paid(), await reached()];
    await inTransaction(own.owner, (tx) =>
      execute(tx, 'UPDATE ledger_reconciliations SET transaction_id = transaction_id + 1000000000'),
    );
    expect((await reconcile('18', 500)).drifts).toBe(0);
    expect([await paid(), await reached()]).toEqual([before, entry]);
    await reconcileUntilSettled('19');
    expect(await paid()).toEqual(before);
  });

  test('a checkpoint that is gone is named and made again when the whole is compared', async () => {
    await tamper(`DELETE FROM ledger_checkpoints WHERE account = 'payments' AND currency = $1`, ['EUR']);
    const right = await summed();
    expect(await paid()).not.toEqual(right);
    const before = (await drifts()).length;
    await reconcile('22');
    expect((await drifts()).length).toBeGreaterThan(before);
    expect(await paid()).toEqual(right);
  });

  test('a wrong balance of the platform is named and corrected when the whole is compared', async () => {
    const sum = `SELECT sum(amount_minor)::bigint AS minor FROM ledger_entries WHERE account = 'payments' AND currency = 'USD'`;
    const { minor } = (await firstRow<{ minor: number }>(own.db, sum))!;
    await tamper(
      `UPDATE ledger_checkpoints SET balance_minor = balance_minor + 1 WHERE account = 'payments' AND currency = $1`,
      ['USD'],
    );
    const before = (await drifts()).length;
    expect((await reconcile('23')).drifts).toBe(0);
    expect((await reconcile('29')).drifts).toBeGreaterThan(0);
    expect((await drifts()).length).toBeGreaterThan(before);
    expect(await drifts()).toContainEqual({
      userId: null,
      account: 'payments',
      currency: 'USD',
      balanceMinor: minor + 1,
      entriesMinor: minor,
    });
    expect(
      await firstRow(
        own.db,
        `SELECT balance_minor FROM ledger_checkpoints WHERE account = 'payments' AND currency = 'USD'`,
      ),
    ).toEqual({ balanceMinor: minor });
  });

  test('counts transfers that do not sum to zero', async () => {
    const id = v7();
    await tamper(`INSERT INTO ledger_transfers (id, reference, created_at) VALUES ($1, 'forged', now())`, [
      id,
    ]);
    await tamper(
      `INSERT INTO ledger_entries (transfer_id, account, currency, amount_minor, created_at) VALUES ($1, 'sales', 'USD', 9, now())`,
      [id],
    );
    expect(await reconcile('30')).toMatchObject({ unbalancedTransfers: 1 });
  });
});

describe('popularity', () => {
  const own = ownDatabase();
  const at = '2026-06-30T12:00:00.000Z';
  const recount = () =>
    popularityActivities({ db: own.db, policy: policyFrom({}) }).recountPopularity({ at });
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

    expect(await recount()).toEqual({ changed: 3, full: false });
    expect(await Promise.all([steady, fallen, right, givenBack].map(({ id }) => popularityOf(id)))).toEqual([
      23, 0, 4, 0,
    ]);
    expect(await recount()).toEqual({ changed: 0, full: false });
  });

  test('works in batches', async () => {
    await execute(
      own.db,
      `INSERT INTO products (id, name, slug, sku, description, price_minor, status, commission_bp, career_points_bp,
       units_sold_90d, created_at, updated_at)
     SELECT gen_random_uuid(), 'n', n, n, 'd', 1, 'ACTIVE', 0, 0, 1, now(), now() FROM generate_series(1, 2500) n`,
    );
    expect(await recount()).toEqual({ changed: 2_000, full: true });
    expect(await recount()).toEqual({ changed: 500, full: false });
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
    const { checkInvariants } = invariantCheckActivities({
      longDb: own.db,
      blobs: diskBlobs(noFolder),
      checkProcesses,
      policy: policyFrom({ POLICY_EVENT_PATIENCE_DAYS: '7' }),
    });
    return new MockActivityEnvironment().run(checkInvariants, { at });
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
      `INSERT INTO parked_processes SELECT concat_ws(':', 'webhook', provider, id), 'providerEvent', id, 'waits', 'none', now()
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
