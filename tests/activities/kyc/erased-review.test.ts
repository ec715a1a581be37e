import { v7 } from 'uuid';
import { forgetVerifications } from '../../../activities/kyc/retention/forget-verifications';
import { kycReviewActivities } from '../../../activities/kyc/review/kyc-review.activities';
import { diskBlobs } from '../../../db/blobs/disk';
import { eraseAccount } from '../../../db/identity/account-deletion/erasure.transitions';
import { policyFrom } from '../../../db/policy/config';
import { execute, firstRow } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { refusalIn } from '../../../workflows/errors';
import { begunVerification, verificationState } from '../../support/builders/kyc/verifying';
import { make } from '../../support/builders/make';
import { noteOf } from '../../support/builders/ordering';
import { violations } from '../../support/checks/violations';
import { ownDatabase } from '../../support/servers/database';
import { testVariables } from '../../support/worlds/variables';

const own = ownDatabase();
const policy = policyFrom({});
const steps = () => kycReviewActivities({ db: own.db, policy, queueEmail: undefined });
const DAY_MS = 86_400_000;

/** One that its user has begun. */
const begun = (at = new Date()) => begunVerification(own.db, { at });
type Case = Awaited<ReturnType<typeof begun>>;

const now = () => new Date().toISOString();
const submit = (one: Case) => steps().submitVerification({ ...one, submissionId: v7(), at: now() });
const byReviewer = async (one: Case) => ({
  ...one,
  noteId: await noteOf(own.db, (await make.admin(own.db)).id, 'As expected.'),
  at: now(),
});
const erase = ({ userId }: Case) => inTransaction(own.db, (tx) => eraseAccount(tx, userId, new Date()));
const kycViolations = async () => (await violations(own.db)).filter((line) => line.startsWith('kyc.'));

afterEach(async () => expect(await kycViolations()).toEqual([]));

test.each<[string, (one: Case) => Promise<unknown>, string[]]>([
  ['begun', () => Promise.resolve(), ['WITHDRAWN', 'NOT_STARTED']],
  ['submitted', (one) => submit(one), ['WITHDRAWN', 'NOT_STARTED']],
  [
    'claimed',
    async (one) => {
      await submit(one);
      await steps().claimVerification(await byReviewer(one));
    },
    ['WITHDRAWN', 'NOT_STARTED'],
  ],
  [
    'approved',
    async (one) => {
      await submit(one);
      await steps().approveVerification({ ...(await byReviewer(one)), level: 'STANDARD', expiresAt: null });
    },
    ['WITHDRAWN', 'NOT_STARTED'],
  ],
  [
    'rejected',
    async (one) => {
      await submit(one);
      const decision = { reason: 'SELFIE_MISMATCH' as const, documents: [], allowResubmission: true };
      await steps().rejectVerification({ ...(await byReviewer(one)), ...decision });
    },
    ['REJECTED', 'REJECTED'],
  ],
])(
  'a verification that is %s keeps a true history when its account is erased',
  async (_how, made, expected) => {
    const one = await begun();
    await made(one);
    await erase(one);
    const { status, userStatus, userLevel, documents } = await verificationState(own.db, one.kycId);
    expect([status, userStatus]).toEqual(expected);
    expect([userLevel, documents]).toEqual(['NONE', []]);
  },
);

test('nothing is decided about an erased account, and its process sees that it is over', async () => {
  const one = await begun();
  await submit(one);
  const decision = await byReviewer(one);
  await erase(one);
  const approval = steps().approveVerification({ ...decision, level: 'STANDARD', expiresAt: null });
  expect(refusalIn(await approval.catch((error: unknown) => error))?.code).toBe('NOT_REVIEWABLE');
  expect(await steps().kycReviewState(one)).toEqual({ status: 'WITHDRAWN', dueAt: null });
});

test('ten times at once: an approval is decided before the erasure or refused after it', async () => {
  for (let round = 0; round < 10; round++) {
    const one = await begun();
    await submit(one);
    const approval = { ...(await byReviewer(one)), level: 'STANDARD' as const, expiresAt: null };
    await Promise.allSettled([steps().approveVerification(approval), erase(one)]);
    const { status, userLevel, documents } = await verificationState(own.db, one.kycId);
    expect([status, userLevel, documents]).toEqual(['WITHDRAWN', 'NONE', []]);
  }
});

test('one that retention withdraws keeps a true history', async () => {
  const one = await begun(new Date(Date.now() - 91 * DAY_MS));
  const blobs = diskBlobs(testVariables['BLOB_DIR']!);
  expect(await forgetVerifications({ db: own.db, blobs, policy }, new Date())).toBe(1);
  const { status, userStatus, history } = await verificationState(own.db, one.kycId);
  expect([status, userStatus, history]).toEqual(['WITHDRAWN', 'NOT_STARTED', ['WITHDRAWN']]);
});

/** Erases the account as the release before these tables did. */
const eraseByLastRelease = ({ userId }: Case) =>
  execute(
    own.db,
    `UPDATE users SET email = 'erased-' || id || '@erased.invalid', first_name = 'Erased', last_name = 'Erased',
       password_hash = NULL, status = 'BANNED', erased_at = now() WHERE id = $1`,
    [userId],
  );

test.each<[string, (one: Case) => Promise<unknown>, string[]]>([
  ['begun', () => Promise.resolve(), ['WITHDRAWN', 'NOT_STARTED']],
  ['submitted', (one) => submit(one), ['WITHDRAWN', 'NOT_STARTED']],
  [
    'approved',
    async (one) => {
      await submit(one);
      await steps().approveVerification({ ...(await byReviewer(one)), level: 'STANDARD', expiresAt: null });
    },
    ['WITHDRAWN', 'NOT_STARTED'],
  ],
  [
    'rejected',
    async (one) => {
      await submit(one);
      const decision = { reason: 'SELFIE_MISMATCH' as const, documents: [], allowResubmission: true };
      await steps().rejectVerification({ ...(await byReviewer(one)), ...decision });
    },
    ['REJECTED', 'REJECTED'],
  ],
])(
  'retention erases one that is %s if a worker of the last release erased the account',
  async (_how, made, expected) => {
    const one = await begun();
    await made(one);
    await eraseByLastRelease(one);
    const blobs = diskBlobs(testVariables['BLOB_DIR']!);
    const forget = () => forgetVerifications({ db: own.db, blobs, policy }, new Date());
    expect([await forget(), await forget()]).toEqual([1, 0]);
    const { status, userStatus, userLevel, documents } = await verificationState(own.db, one.kycId);
    expect([status, userStatus]).toEqual(expected);
    expect([userLevel, documents]).toEqual(['NONE', []]);
    const left = `SELECT (SELECT count(*)::int FROM kyc_documents WHERE user_id = $1) AS documents,
      (SELECT count(*)::int FROM kyc_document_tries WHERE user_id = $1) AS tries,
      (SELECT count(*)::int FROM kyc_verifications WHERE user_id = $1 AND personal_info IS NOT NULL) AS infos,
      (SELECT count(*)::int FROM kyc_history h JOIN kyc_verifications v ON v.id = h.kyc_id
        WHERE v.user_id = $1 AND h.note IS NOT NULL) AS notes`;
    expect(await firstRow(own.db, left, [one.userId])).toEqual({
      documents: 0,
      tries: 0,
      infos: 0,
      notes: 0,
    });
  },
);
