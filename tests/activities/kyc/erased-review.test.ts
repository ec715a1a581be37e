import { v7 } from 'uuid';
import { forgetVerifications } from '../../../activities/kyc/retention/forget-verifications';
import { kycReviewActivities } from '../../../activities/kyc/review/kyc-review.activities';
import { diskBlobs } from '../../../db/blobs/disk';
import { eraseAccount } from '../../../db/identity/account-deletion/erasure.transitions';
import { policyFrom } from '../../../db/policy/config';
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
