import { firstRow } from '../../../../db/sql/query';
import { kycReviewProcess } from '../../../../workflows/kyc/review/kyc-review.contract';
import { make } from '../../../support/builders/make';
import { begunVerification, verificationState } from '../../../support/builders/kyc/verifying';
import { ownWorld } from '../../../support/worlds/world';
import { outcomeOf, reviewerOf, submits } from './review-processes';

const ROUNDS = Array.from({ length: 20 }, (_, round) => round);

let first: ReturnType<typeof reviewerOf>;
let second: ReturnType<typeof reviewerOf>;
const world = ownWorld({ queues: ['interactive'] });
beforeAll(async () => {
  first = reviewerOf(world, (await make.admin(world.db)).id);
  second = reviewerOf(world, (await make.admin(world.db)).id);
});

const openLevels = async (userId: string) =>
  firstRow(
    world.db,
    `SELECT count(*) FILTER (WHERE status = 'APPROVED')::int AS approved,
            count(*) FILTER (WHERE status IN ('SUBMITTED', 'UNDER_REVIEW', 'NEEDS_INFO'))::int AS open
       FROM kyc_verifications WHERE user_id = $1`,
    [userId],
  );

test('approve, reject, claim and release at once by two reviewers, 20 times: one decision, told once', async () => {
  const decisions = new Set<string>();
  for (const round of ROUNDS) {
    const one = await begunVerification(world.db);
    await submits(world, one);
    const racing = [
      () => outcomeOf(first.approve(one)),
      () => outcomeOf(second.reject(one)),
      () => outcomeOf(first.claim(one)),
      () => outcomeOf(first.release(one)),
      () => outcomeOf(second.release(one)),
    ];
    // Each round begins with another of them.
    const from = round % racing.length;
    const order = [...racing.slice(from), ...racing.slice(0, from)];
    const outcomes = await Promise.all(order.map((work) => work()));
    const state = await verificationState(world.db, one.kycId);
    const isApproved = state.status === 'APPROVED';
    expect(state.status).toMatch(/^(APPROVED|REJECTED)$/);
    expect(outcomes.filter((code) => !['done', 'NOT_REVIEWABLE', 'ALREADY_CLAIMED'].includes(code))).toEqual(
      [],
    );
    const decided = isApproved ? 'approve' : 'reject';
    expect(state.audited.filter((action) => /approve|reject/.test(action))).toEqual([`kyc.${decided}`]);
    expect(state.mails).toEqual(['submitted', isApproved ? 'approved' : 'rejected']);
    expect(state.events).toEqual(['kyc.submitted', isApproved ? 'kyc.approved' : 'kyc.rejected']);
    expect(state.userLevel).toBe(isApproved ? 'STANDARD' : 'BASIC');
    expect(await openLevels(one.userId)).toEqual({ approved: isApproved ? 1 : 0, open: 0 });
    expect(await world.temporal.workflow.getHandle(kycReviewProcess.id(one)).result()).toBe(state.status);
    decisions.add(state.status);
  }
  expect(decisions).toEqual(new Set(['APPROVED', 'REJECTED']));
});

test('an approval and a second submission at once, 20 times: approved, and submitted once', async () => {
  for (const round of ROUNDS) {
    const one = await begunVerification(world.db);
    await submits(world, one);
    const racing = [() => outcomeOf(first.approve(one)), () => outcomeOf(submits(world, one))];
    if (round % 2 === 1) racing.reverse();
    const outcomes = await Promise.all(racing.map((work) => work()));
    expect(outcomes.filter((code) => code === 'done')).toHaveLength(1);
    expect(outcomes.find((code) => code !== 'done')).toMatch(/^(NOT_EDITABLE|DOCUMENTS_MISSING)$/);
    expect(await verificationState(world.db, one.kycId)).toMatchObject({
      status: 'APPROVED',
      userStatus: 'APPROVED',
      history: ['SUBMITTED', 'APPROVED'],
      mails: ['submitted', 'approved'],
    });
  }
});

test('of two first submissions at once one is made', async () => {
  const one = await begunVerification(world.db);
  const outcomes = await Promise.all([outcomeOf(submits(world, one)), outcomeOf(submits(world, one))]);
  expect(outcomes.sort()).toEqual(['NOT_EDITABLE', 'done']);
  expect((await verificationState(world.db, one.kycId)).mails).toEqual(['submitted']);
});
