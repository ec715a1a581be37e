import { kycReviewProcess } from '../../../workflows/kyc/review/kyc-review.contract';
import { make } from '../../support/builders/make';
import { ownWorld } from '../../support/worlds/world';
import { one, violationsAfter, violationsWhileRunning } from '../violations';

const world = ownWorld({ worker: false });

describe('identity verification', () => {
  const at = new Date(Date.now() - 60_000);

  test.each(['SUBMITTED', 'UNDER_REVIEW', 'NEEDS_INFO'] as const)(
    'processes.drive-open-rows: a verification that is %s without a process',
    async (status) => {
      const { id } = await make.verification(world.db, { status: 'REJECTED', at });
      const broken = await violationsAfter(
        world,
        `UPDATE kyc_verifications SET status = $2, due_at = now() + interval '1 day',
                assigned_to = CASE $2 WHEN 'UNDER_REVIEW' THEN decided_by END,
                claimed_at = CASE $2 WHEN 'UNDER_REVIEW' THEN submitted_at END,
                claim_lapses_at = CASE $2 WHEN 'UNDER_REVIEW' THEN submitted_at END WHERE id = $1`,
        [id, status],
      );
      expect(broken).toEqual(
        one('processes.drive-open-rows', id, new RegExp(`is ${status}, but kyc-review:.+ does not run`)),
      );
    },
  );

  test.each(['APPROVED', 'REJECTED', 'EXPIRED', 'SUPERSEDED'] as const)(
    'processes.end-with-their-rows: the review of a verification that is %s',
    async (status) => {
      const { id: kycId, userId } = await make.verification(world.db, { status, at });
      const broken = await violationsWhileRunning(world, kycReviewProcess, { kycId, userId });
      expect(broken).toEqual(
        one('processes.end-with-their-rows', kycId, new RegExp(`^kyc-review:.+ still runs: .+ is ${status}`)),
      );
    },
  );
});
