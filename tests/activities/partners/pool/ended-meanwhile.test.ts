import { accountDeletionActivities } from '../../../../activities/identity/account-deletion/account-deletion.activities';
import { countPool } from '../../../../activities/partners/pool/count-pool';
import { diskBlobs } from '../../../../db/blobs/disk';
import { policyFrom } from '../../../../db/policy/config';
import { execute, rows, type Db } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import { partnerSale, takeEvents } from '../../../support/builders/make/partners/partner-sales';
import { openSession } from '../../../support/builders/sign-in';
import { eventually } from '../../../support/checks/eventually';
import { ownDatabase } from '../../../support/servers/database';
import { testVariables } from '../../../support/worlds/variables';
import { period, rankOf, runPool, sharesOfRun } from './pools';

const own = ownDatabase();
const never = new AbortController().signal;

/** A LEADER with two legs of sales in a week, who has a share of its pool. */
async function sharing(week: string) {
  const leader = await make.partner(own.db);
  const child = await make.partner(own.db, { sponsorId: leader.id });
  await rankOf(own.db, leader.id, 3);
  const { id: userId } = await make.user(own.db);
  const { startsAt } = period('WEEKLY', week);
  for (const partnerId of [leader.id, child.id])
    await partnerSale(own.db, { partnerId, baseMinor: 5_000_00, at: startsAt, userId });
  await takeEvents(own.db);
  return leader;
}

/** A database that does something before its first statement with this text. */
function before(text: string, act: () => Promise<unknown>): Db {
  let done = false;
  return {
    ...own.db,
    async watch(statement, run) {
      if (!done && statement.includes(text)) {
        done = true;
        await act();
      }
      return run();
    },
  };
}

test('a partner who is terminated during the count has no share: it is counted again', async () => {
  const week = '2025-W20';
  const { id } = await sharing(week);
  const terminate = () => execute(own.db, `UPDATE partners SET status = 'TERMINATED' WHERE id = $1`, [id]);
  expect(await countPool(before('FOR SHARE', terminate), never, period('WEEKLY', week))).toBeNull();
  expect(await rows(own.db, 'SELECT 1 FROM pool_runs WHERE period = $1', [week])).toEqual([]);
  expect((await sharesOfRun(own.db, await runPool(own.db, 'WEEKLY', week))).get(id)).toBeUndefined();
});

test('an account whose share is being fixed is not erased', async () => {
  const week = '2025-W30';
  const { id, userId } = await sharing(week);
  const steps = accountDeletionActivities({
    ...{ db: own.db, blobs: diskBlobs(testVariables['BLOB_DIR']!), policy: policyFrom({}) },
  });
  const { dueAt } = await steps.scheduleDeletion({
    ...{ userId, sessionId: await openSession(own.db, userId), at: new Date().toISOString() },
  });
  let erasing: Promise<unknown> | undefined;
  const erase = async () => {
    erasing = steps.eraseAccount({ userId, at: dueAt });
    await eventually(async () =>
      expect(
        await rows(
          own.db,
          `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        ),
      ).toHaveLength(1),
    );
  };
  const counted = await countPool(before('INSERT INTO pool_shares', erase), never, period('WEEKLY', week));
  expect((await sharesOfRun(own.db, counted!.runId)).get(id)).toMatchObject({ takesPart: true });
  expect(await erasing).toBe('WAITING');
  expect(await rows(own.db, 'SELECT status FROM partners WHERE id = $1', [id])).toEqual([
    { status: 'ACTIVE' },
  ]);
});
