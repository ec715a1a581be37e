import { MockActivityEnvironment } from '@temporalio/testing';
import type { CheckProcesses } from '../../../../activities/administration/operations/check-invariants';
import { invariantCheckActivities } from '../../../../activities/administration/operations/invariant-check.activities';
import {
  latestInvariantRun,
  type ProcessCheckScope,
} from '../../../../db/administration/operations/invariant-run.reads';
import type { Broken } from '../../../../db/invariants/invariant';
import { execute, firstRow } from '../../../../db/sql/query';
import { ownDatabase } from '../../../support/servers/database';
import { make } from '../../../support/builders/make';

const own = ownDatabase();
let amiss: Broken[] = [];
let scopes: ProcessCheckScope[] = [];
const check = (at: string) => {
  const checkProcesses: CheckProcesses = async ({ since, recheck }) => {
    scopes.push({ since, recheck });
    return amiss;
  };
  const { checkInvariants } = invariantCheckActivities({ db: own.db, longDb: own.db, checkProcesses });
  return new MockActivityEnvironment().run(checkInvariants, { at });
};
beforeEach(() => {
  scopes = [];
});
const count = async () =>
  (await firstRow<{ n: number }>(own.db, 'SELECT count(*)::int AS n FROM invariant_runs'))?.n;

test('keeps the newest result, once a run, and forgets what is a month old', async () => {
  expect(await latestInvariantRun(own.db)).toBeNull();
  expect(await check('2026-01-01T00:00:00.000Z')).toEqual({ broken: 0, invariants: [] });
  expect(await latestInvariantRun(own.db)).toEqual({
    checkedAt: new Date('2026-01-01T00:00:00Z'),
    broken: [],
  });

  const { code } = await make.coupon(own.db);
  await execute(own.db, 'UPDATE coupons SET used_count = 1');
  const process = { invariant: 'processes.parked-are-listed', entity: 'checkout:x', detail: 'does not run' };
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
