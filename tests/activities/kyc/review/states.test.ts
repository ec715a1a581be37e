import { v7 } from 'uuid';
import { execute } from '../../../../db/sql/query';
import type { KycVerificationStatus } from '../../../../workflows/kyc/review/kyc-review.states';
import { make } from '../../../support/builders/make';
import { begunVerification, verificationState } from '../../../support/builders/kyc/verifying';
import { noteOf } from '../../../support/builders/ordering';
import { ownDatabase } from '../../../support/servers/database';
import { outcomeOf } from '../../../workflows/kyc/review/review-processes';
import { reviewing, stepsOf, type Verb } from './reviewing';

const own = ownDatabase();

const VERBS = ['submit', 'claim', 'release', 'requestInfo', 'approve', 'reject'] as const;
const DECIDED = ['DOCUMENTS_MISSING', ...Array<string>(5).fill('NOT_REVIEWABLE')];

/** The new status, or the refusal, of each verb in each status. */
const TABLE: Record<KycVerificationStatus, readonly string[]> = {
  DOCUMENTS_PENDING: ['SUBMITTED', ...DECIDED.slice(1)],
  SUBMITTED: ['NOT_EDITABLE', 'UNDER_REVIEW', 'NOT_REVIEWABLE', 'NEEDS_INFO', 'APPROVED', 'REJECTED'],
  UNDER_REVIEW: ['NOT_EDITABLE', 'UNDER_REVIEW', 'SUBMITTED', 'NEEDS_INFO', 'APPROVED', 'REJECTED'],
  NEEDS_INFO: ['SUBMITTED', ...DECIDED.slice(1)],
  APPROVED: DECIDED,
  REJECTED: DECIDED,
  EXPIRED: DECIDED,
  SUPERSEDED: DECIDED,
  WITHDRAWN: DECIDED,
};
const statuses = Object.keys(TABLE) as KycVerificationStatus[];
const cases = statuses.flatMap((status) =>
  VERBS.map((verb, index) => [status, verb, TABLE[status][index]!] as const),
);

/** A verification in a status, of a reviewer who has claimed it if somebody has. */
async function verificationIn(status: KycVerificationStatus) {
  const reviewer = await make.admin(own.db);
  const { id: kycId, userId } = await make.verification(own.db, {
    status,
    decidedBy: reviewer.id,
    at: new Date(Date.now() - 48 * 3_600_000),
  });
  if (status === 'UNDER_REVIEW')
    await execute(own.db, 'UPDATE users SET kyc_status = $2 WHERE id = $1', [userId, status]);
  return {
    kycId,
    userId,
    reviewerId: reviewer.id,
    review: reviewing(own.db, { kycId, userId }, reviewer.id),
  };
}

test.each(cases)('%s: %s gives %s', async (status, verb, expected) => {
  const { kycId, review } = await verificationIn(status);
  const before = await verificationState(own.db, kycId);
  const outcome = await outcomeOf(review[verb]());
  const after = await verificationState(own.db, kycId);
  if (outcome === 'done') expect(after).toMatchObject({ status: expected, userStatus: expected });
  else expect([outcome, after]).toEqual([expected, before]);
});

test.each(statuses.filter((status) => !['SUBMITTED', 'UNDER_REVIEW', 'NEEDS_INFO'].includes(status)))(
  '%s: nothing is ever due',
  async (status) => {
    const { kycId, review } = await verificationIn(status);
    const before = await verificationState(own.db, kycId);
    expect(await review.advance({ at: new Date('2099-01-01') })).toEqual({ status, dueAt: null });
    expect(await verificationState(own.db, kycId)).toEqual(before);
  },
);

test.each<[Verb, KycVerificationStatus]>([
  ['submit', 'DOCUMENTS_PENDING'],
  ['submit', 'NEEDS_INFO'],
  ['claim', 'SUBMITTED'],
  ['release', 'UNDER_REVIEW'],
  ['requestInfo', 'UNDER_REVIEW'],
  ['approve', 'UNDER_REVIEW'],
  ['reject', 'SUBMITTED'],
])('%s, repeated, answers the same and changes nothing', async (verb, status) => {
  const { kycId, userId, reviewerId, review } = await verificationIn(status);
  await execute(own.db, `INSERT INTO kyc_document_tries VALUES ($1, 'SELFIE', 0, 1)`, [userId]);
  const id = verb === 'submit' ? v7() : await noteOf(own.db, reviewerId, 'Once.');
  const first = await review[verb]({ id });
  const after = await verificationState(own.db, kycId);
  expect(await review[verb]({ id })).toEqual(first);
  expect(await verificationState(own.db, kycId)).toEqual(after);
  expect(after.history).toHaveLength(1);
});

test('a late repetition of a claim, after a release, claims nothing', async () => {
  const { kycId, reviewerId, review } = await verificationIn('SUBMITTED');
  const id = await noteOf(own.db, reviewerId, null);
  await review.claim({ id });
  await review.release();
  const after = await verificationState(own.db, kycId);
  expect(await review.claim({ id })).toMatchObject({ status: 'SUBMITTED' });
  expect(await verificationState(own.db, kycId)).toEqual(after);
  expect(after.history).toEqual(['CLAIMED', 'RELEASED']);
});

test.each(['SUBMITTED', 'UNDER_REVIEW', 'NEEDS_INFO'] as const)(
  'what is due of one that is %s is done once, and not before',
  async (status) => {
    const { kycId, review } = await verificationIn(status);
    const asked = await execute(
      own.db,
      `INSERT INTO kyc_history (id, kyc_id, action, at)
       SELECT gen_random_uuid(), id, 'INFO_REQUESTED', submitted_at FROM kyc_verifications
        WHERE id = $1 AND status = 'NEEDS_INFO'`,
      [kycId],
    );
    const { dueAt } = await verificationState(own.db, kycId);
    await review.advance({ at: new Date(dueAt!.getTime() - 1) });
    const before = (await verificationState(own.db, kycId)).history.length;
    expect(before).toBe(asked);
    const first = await review.advance({ at: dueAt! });
    expect(await review.advance({ at: dueAt! })).toEqual(first);
    const { history, mails } = await verificationState(own.db, kycId);
    expect([history.length - before, mails.length]).toEqual([1, 1]);
  },
);

test('the state that its process reads: none until it is submitted', async () => {
  const one = await begunVerification(own.db);
  expect(await stepsOf(own.db).kycReviewState(one)).toBeNull();
  expect(await stepsOf(own.db).kycReviewState({ kycId: v7() })).toBeNull();
  const review = reviewing(own.db, one, (await make.admin(own.db)).id);
  const submitted = await review.submit();
  expect(await stepsOf(own.db).kycReviewState(one)).toEqual(submitted);
  await expect(reviewing(own.db, { ...one, userId: v7() }, one.userId).submit()).rejects.toThrow(
    'There is no verification',
  );
});
