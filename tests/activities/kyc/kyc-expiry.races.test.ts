import { expireVerifications } from '../../../activities/kyc/expiry/expire-verifications';
import { brokenInvariants } from '../../../db/invariants/broken.reads';
import { policyFrom } from '../../../db/policy/config';
import { execute } from '../../../db/sql/query';
import { begunVerification, verificationState } from '../../support/builders/kyc/verifying';
import { make } from '../../support/builders/make';
import { inOrder } from '../../support/builders/kyc/in-order';
import { ownDatabase } from '../../support/servers/database';
import { asActivity } from '../../support/servers/run-activity';
import { reviewing } from './review/reviewing';

const own = ownDatabase();
const ROUNDS = Array.from({ length: 20 }, (_, round) => round);
const DAY_MS = 86_400_000;

/** A user whose approval is over, with a newer verification that is submitted. */
async function renewing(reviewerId: string) {
  const user = await make.user(own.db);
  const old = await make.verified(own.db, user.id, {
    at: new Date(Date.now() - 730 * DAY_MS),
    expiresAt: new Date(Date.now() - 60_000),
  });
  await execute(own.db, `UPDATE users SET kyc_level = 'STANDARD' WHERE id = $1`, [user.id]);
  const made = await begunVerification(own.db, { user });
  const review = reviewing(own.db, made, reviewerId);
  await review.submit();
  return { ...made, old, review };
}

test.each([
  ['approve', { status: 'APPROVED', userStatus: 'APPROVED', userLevel: 'STANDARD' }],
  ['reject', { status: 'REJECTED', userStatus: 'REJECTED', userLevel: 'BASIC' }],
] as const)(
  'the end of an approval and a decision on a newer verification at once, in both orders: %s',
  async (verb, decided) => {
    const deps = { longDb: own.db, policy: policyFrom({}) };
    const reviewer = await make.superAdmin(own.db);
    for (const round of ROUNDS) {
      const { kycId, userId, old, review } = await renewing(reviewer.id);
      const ends = () => asActivity(expireVerifications)(deps, new Date(), new AbortController().signal);
      const decides = () => review[verb]();
      const decidesFirst = round % 2 === 1;
      await inOrder(own.db, userId, decidesFirst ? [decides, ends] : [ends, decides]);

      const isSuperseded = decidesFirst && verb === 'approve';
      const ended = isSuperseded ? 'SUPERSEDED' : 'EXPIRED';
      expect(await verificationState(own.db, old)).toMatchObject({
        history: ['SUBMITTED', 'APPROVED', ended],
        mails: isSuperseded ? [] : ['expired'],
        events: isSuperseded ? [] : ['kyc.expired'],
        ...decided,
        ...{ status: ended },
      });
      expect(await verificationState(own.db, kycId)).toMatchObject({
        ...decided,
        mails: ['submitted', verb === 'approve' ? 'approved' : 'rejected'],
      });
    }
    expect(await brokenInvariants(own.db)).toEqual([]);
  },
);
