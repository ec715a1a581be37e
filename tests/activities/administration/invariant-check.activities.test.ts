import { MockActivityEnvironment } from '@temporalio/testing';
import { invariantCheckActivities } from '../../../activities/administration/invariant-check.activities';
import { latestInvariantRun } from '../../../db/administration/invariant-run.reads';
import type { Broken } from '../../../db/invariants/invariant';
import { execute, firstRow } from '../../../db/sql';
import { ownDatabase } from '../../support/database';
import { make } from '../../support/make';

const own = ownDatabase();
let amiss: Broken[] = [];
const check = (at: string) =>
  new MockActivityEnvironment().run(
    invariantCheckActivities({ db: own.db, checkProcesses: async () => amiss }).checkInvariants,
    { at },
  );
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
