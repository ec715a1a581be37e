import { tmpdir } from 'node:os';
import { eraseDueAccount } from '../../../../activities/identity/account-deletion/erase-account';
import { countPool } from '../../../../activities/partners/pool/count-pool';
import { payPool } from '../../../../activities/partners/pool/pay-pool';
import { diskBlobs } from '../../../../db/blobs/disk';
import { openMatters } from '../../../../db/identity/user/open-matters.reads';
import { execute } from '../../../../db/sql/query';
import { poolPeriodAt } from '../../../../workflows/partners/pool/pool-period.rules';
import { qualifiedLeader } from '../../../support/builders/make/partners/pool-runs';
import { held, waiting } from '../../../support/checks/held-locks';
import { ownDatabase } from '../../../support/servers/database';
import { sharesOfRun } from './pools';

const own = ownDatabase();
const never = new AbortController().signal;
let week = 0;
/** A week of its own for each test. */
const nextPeriod = () => poolPeriodAt('WEEKLY', new Date(Date.UTC(2025, 0, 8 + 7 * week++)));

/** A leader who takes part in a pool of 35.00 of a period, and whose account is due to be erased. */
async function leaving() {
  const period = nextPeriod();
  const leader = await qualifiedLeader(own.db, period);
  await execute(own.db, `UPDATE users SET deletion_due_at = now() - interval '1 hour' WHERE id = $1`, [
    leader.userId,
  ]);
  const erase = () =>
    eraseDueAccount(
      { db: own.db, blobs: diskBlobs(tmpdir()), policy: { refundWindowDays: 14 } },
      { userId: leader.userId, at: new Date().toISOString() },
    );
  return { ...leader, period, erase, count: () => countPool(own.db, never, period) };
}

test('nobody is erased before the share of a pool is paid, nor while the money lies there', async () => {
  const leader = await leaving();
  const { runId } = (await leader.count())!;
  const matters = () => openMatters(own.db, leader.userId, { at: new Date(), returnWindowDays: null });
  expect(await matters()).toEqual([
    `the share of the leadership pool of ${leader.period.period} is not paid yet`,
  ]);
  expect(await leader.erase()).toBe('WAITING');
  await payPool({ db: own.db, signal: never, batch: 10 }, runId);
  expect(await matters()).toEqual(['holds money in USD']);
  expect(await leader.erase()).toBe('WAITING');
});

test('an erasure that begins while a pool is counted waits for it, and then for the share', async () => {
  const leader = await leaving();
  const { release } = await held(own.owner, 'LOCK TABLE ledger_transfers IN SHARE MODE');
  const counted = leader.count();
  await waiting(own.db, 1);
  const erased = leader.erase();
  await waiting(own.db, 2);
  await release();
  expect([(await counted)!.participants, await erased]).toEqual([1, 'WAITING']);
});

test('a count that meets an erasure records nothing, and has no share for the account the next time', async () => {
  const leader = await leaving();
  const { release } = await held(
    own.owner,
    `UPDATE partners SET status = 'TERMINATED', status_changed_at = now() WHERE id = '${leader.id}'`,
  );
  const counted = leader.count();
  await waiting(own.db, 1);
  await release();
  expect(await counted).toBeNull();
  const { runId, participants } = (await leader.count())!;
  expect([participants, await sharesOfRun(own.db, runId)]).toEqual([0, new Map()]);
});
