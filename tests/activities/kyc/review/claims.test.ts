import { execute, rows } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import { begunVerification, verificationState } from '../../../support/builders/kyc/verifying';
import { kycInvariants } from '../../../../db/invariants/kyc.invariants';
import { mailsTo } from '../../../support/checks/mail';
import { ownDatabase } from '../../../support/servers/database';
import { outcomeOf } from '../../../workflows/kyc/review/review-processes';
import { reviewing } from './reviewing';

const own = ownDatabase();
const LATE = new Date(Date.now() + 30 * 86_400_000);

const LEAVING = [
  [`demoted`, `roles = '{USER}'`],
  [`suspended`, `status = 'SUSPENDED', suspended_at = now()`],
  [`banned`, `status = 'BANNED'`],
] as const;

/** A verification that a reviewer has claimed, who then reviews no longer. */
async function claimedBy(standing: string) {
  const one = await begunVerification(own.db);
  const holder = await make.admin(own.db);
  const review = reviewing(own.db, one, holder.id);
  await review.submit();
  await review.claim();
  await execute(own.db, `UPDATE users SET ${standing} WHERE id = $1`, [holder.id]);
  const other = await make.admin(own.db);
  return { ...one, holder, other, review: reviewing(own.db, one, other.id) };
}

const brokenRules = async (kycId: string): Promise<string[]> => {
  const broken: string[] = [];
  for (const { id, sql } of kycInvariants)
    if ((await rows<{ entity: string }>(own.db, sql)).some(({ entity }) => entity === kycId)) broken.push(id);
  return broken;
};

describe.each(LEAVING)('a claim of a reviewer who is %s does not hold', (_, standing) => {
  test('another takes it over', async () => {
    const { kycId, other, review } = await claimedBy(standing);
    expect((await review.claim()).status).toBe('UNDER_REVIEW');
    expect((await verificationState(own.db, kycId)).assignedTo).toBe(other.id);
    expect(await brokenRules(kycId)).toEqual([]);
  });

  test.each(['release', 'requestInfo', 'approve', 'reject'] as const)('another may %s', async (verb) => {
    const { review } = await claimedBy(standing);
    expect(await outcomeOf(review[verb]())).toBe('done');
  });

  test('overdue, it is released, and the queue is told', async () => {
    const { kycId, holder, review } = await claimedBy(standing);
    // Due earlier than the claim lapses.
    await execute(own.db, 'UPDATE kyc_verifications SET claim_lapses_at = $2 WHERE id = $1', [
      kycId,
      new Date(LATE.getTime() + 86_400_000),
    ]);
    expect((await review.advance({ at: LATE })).status).toBe('SUBMITTED');
    expect(await verificationState(own.db, kycId)).toMatchObject({
      ...{ status: 'SUBMITTED', userStatus: 'SUBMITTED', assignedTo: null },
      history: ['SUBMITTED', 'CLAIMED', 'RELEASED', 'ESCALATED'],
    });
    expect(await mailsTo(own.db, holder.email)).toEqual([]);
    const queued = (await mailsTo(own.db, 'queue@example.com')).filter(({ text }) => text.includes(kycId));
    expect(queued).toHaveLength(1);
    expect(queued[0]!.text).toContain('Nobody has claimed it.');
    expect(await brokenRules(kycId)).toEqual([]);
  });
});

test('a claim lapses: the verification is in the queue again, and others may decide it', async () => {
  const one = await begunVerification(own.db);
  const [holder, other] = [await make.admin(own.db), await make.admin(own.db)];
  const review = reviewing(own.db, one, holder.id);
  await review.submit();
  const claimed = await review.claim();
  const lapse = new Date(claimed.dueAt!);
  const others = reviewing(own.db, one, other.id);
  expect(await outcomeOf(others.claim())).toBe('ALREADY_CLAIMED');
  expect(await review.advance({ at: new Date(lapse.getTime() - 1) })).toEqual(claimed);
  expect((await review.advance({ at: lapse })).status).toBe('SUBMITTED');
  expect(await verificationState(own.db, one.kycId)).toMatchObject({
    ...{ status: 'SUBMITTED', userStatus: 'SUBMITTED', assignedTo: null, priority: 'NORMAL' },
    history: ['SUBMITTED', 'CLAIMED', 'RELEASED'],
  });
  expect(await outcomeOf(others.approve({ at: lapse }))).toBe('done');
  expect(await brokenRules(one.kycId)).toEqual([]);
});

test('a claim that has lapsed holds nobody back, also before its process has seen it', async () => {
  const one = await begunVerification(own.db);
  const [holder, other] = [await make.admin(own.db), await make.admin(own.db)];
  const review = reviewing(own.db, one, holder.id);
  await review.submit();
  const lapse = new Date((await review.claim()).dueAt!);
  const again = await review.claim({ at: lapse });
  expect(new Date(again.dueAt!) > lapse).toBe(true);
  const others = reviewing(own.db, one, other.id);
  expect(await outcomeOf(others.claim({ at: lapse }))).toBe('ALREADY_CLAIMED');
  expect(await outcomeOf(others.claim({ at: new Date(again.dueAt!) }))).toBe('done');
  expect((await verificationState(own.db, one.kycId)).assignedTo).toBe(other.id);
});

test('a SUPER_ADMIN claims over, and the other no longer decides', async () => {
  const one = await begunVerification(own.db);
  const [holder, chief] = [await make.admin(own.db), await make.superAdmin(own.db)];
  const review = reviewing(own.db, one, holder.id);
  await review.submit();
  await review.claim();
  await reviewing(own.db, one, chief.id).claim();
  expect((await verificationState(own.db, one.kycId)).assignedTo).toBe(chief.id);
  for (const verb of ['claim', 'release', 'approve'] as const)
    expect(await outcomeOf(review[verb]())).toBe('ALREADY_CLAIMED');
});

test('submitted again after it escalated, it is urgent, in time, and escalates again', async () => {
  const one = await begunVerification(own.db);
  const review = reviewing(own.db, one, (await make.admin(own.db)).id);
  await review.submit();
  await review.advance({ at: LATE });
  await review.requestInfo({ documents: [], at: LATE });
  const again = await review.submit({ at: LATE });
  const figures = await rows(own.db, 'SELECT priority, escalated_at FROM kyc_verifications WHERE id = $1', [
    one.kycId,
  ]);
  expect(figures).toEqual([{ priority: 'HIGH', escalatedAt: null }]);
  await review.advance({ at: new Date(again.dueAt!) });
  expect((await verificationState(own.db, one.kycId)).history).toEqual([
    ...['SUBMITTED', 'ESCALATED', 'INFO_REQUESTED', 'SUBMITTED', 'ESCALATED'],
  ]);
});
