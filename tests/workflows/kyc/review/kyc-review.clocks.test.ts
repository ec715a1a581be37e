import type { WorkflowHandle } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { execute, firstRow } from '../../../../db/sql/query';
import { addBusinessHours } from '../../../../workflows/kyc/review/business-hours.rules';
import { kycReviewProcess, rowErased } from '../../../../workflows/kyc/review/kyc-review.contract';
import { abandonStep, retryStep } from '../../../../workflows/kit/parking.contract';
import { eventually } from '../../../support/checks/eventually';
import { keepHistory } from '../../../support/checks/histories';
import { mailsTo } from '../../../support/checks/mail';
import { make } from '../../../support/builders/make';
import {
  begunVerification,
  uploadedDocument,
  verificationState,
  type MadeVerification,
} from '../../../support/builders/kyc/verifying';
import { startSkippingWorld, type SkippingWorld } from '../../../support/worlds/skipping-world';
import { patient } from '../../commerce/sales';
import { detailsOf, outcomeOf, reviewerOf, submits } from './review-processes';

const QUEUE = 'queue@example.com';
const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
/** The clock runs on while a step is carried out. */
const TOLERANCE_MS = 5 * 60_000;

let world: SkippingWorld;
let reviewer: ReturnType<typeof reviewerOf>;
let reviewerEmail: string;
let trouble: Error | undefined;
/** Commits a submission and loses its answer. */
let losesAnswers = false;
const broken = (): Error => ApplicationFailure.nonRetryable('the disk is full', 'DiskFull');

beforeAll(async () => {
  world = await startSkippingWorld({
    queues: ['interactive'],
    variables: { KYC_QUEUE_EMAIL: QUEUE },
    fakes: (real) => ({
      async submitVerification(command) {
        const state = await real.submitVerification(command);
        if (losesAnswers) throw broken();
        return state;
      },
      async advanceReview(step) {
        if (trouble) throw trouble;
        return real.advanceReview(step);
      },
    }),
  });
  const { id, email } = await make.admin(world.db);
  reviewer = reviewerOf(world, id);
  reviewerEmail = email;
});
afterAll(() => world.teardown());
beforeEach(() => {
  trouble = undefined;
  losesAnswers = false;
});

const handle = ({ kycId }: MadeVerification): WorkflowHandle =>
  patient(world).workflow.getHandle(kycReviewProcess.id({ kycId }));
const state = ({ kycId }: MadeVerification) => verificationState(world.db, kycId);
const about = async (email: string, { kycId }: MadeVerification) =>
  (await mailsTo(world.db, email)).filter(({ text }) => text.includes(kycId));

/** Lets time pass until the verification is due, and some minutes more. */
async function untilDue(one: MadeVerification): Promise<void> {
  const { dueAt } = await state(one);
  await world.sleep(dueAt!.getTime() - (await world.now()).getTime() + TOLERANCE_MS);
}

/** The time at which its claim lapses. */
const lapseOf = async ({ kycId }: MadeVerification): Promise<Date> =>
  (await firstRow<{ at: Date }>(
    world.db,
    'SELECT claim_lapses_at AS at FROM kyc_verifications WHERE id = $1',
    [kycId],
  ))!.at;

const closeTo = (moment: Date | null, expected: Date): void =>
  expect(Math.abs(moment!.getTime() - expected.getTime())).toBeLessThan(TOLERANCE_MS * 2);

const day = { startHour: 9, endHour: 17 };

async function submitted(options: Parameters<typeof begunVerification>[1] = {}): Promise<MadeVerification> {
  const one = await begunVerification(world.db, { at: await world.now(), ...options });
  await submits(world, one);
  return one;
}

test('overdue, it escalates and tells the queue; then it reminds the reviewer every 8 business hours', async () => {
  const one = await submitted();
  closeTo((await state(one)).dueAt, addBusinessHours(await world.now(), 48, day));
  await untilDue(one);
  await eventually(async () => expect((await state(one)).priority).toBe('HIGH'));
  closeTo((await state(one)).dueAt, addBusinessHours(await world.now(), 8, day));
  expect(await about(QUEUE, one)).toHaveLength(1);

  await reviewer.claim(one);
  closeTo(await lapseOf(one), addBusinessHours(await world.now(), 8, day));
  // Outside of business hours both begin to run at the same moment; here the review is due first.
  await execute(
    world.db,
    `UPDATE kyc_verifications SET claim_lapses_at = due_at + interval '1 hour' WHERE id = $1`,
    [one.kycId],
  );
  const lapse = await lapseOf(one);
  await untilDue(one);
  await eventually(async () => expect(await about(reviewerEmail, one)).toHaveLength(1));
  expect((await about(reviewerEmail, one))[0]!.text).toContain('You have claimed it');
  await world.sleep(Math.max(1, lapse.getTime() - (await world.now()).getTime() + TOLERANCE_MS));
  await eventually(async () => expect((await state(one)).assignedTo).toBeNull());
  await untilDue(one);
  await eventually(async () => expect(await about(QUEUE, one)).toHaveLength(2));
  await reviewer.approve(one);
  expect(await handle(one).result()).toBe('APPROVED');
  expect((await state(one)).history).toEqual([
    ...['SUBMITTED', 'ESCALATED', 'CLAIMED', 'REVIEWER_REMINDED', 'RELEASED', 'REVIEWER_REMINDED'],
    'APPROVED',
  ]);
  await keepHistory(handle(one), 'escalated-and-reminded');
});

test('a claim lapses after 8 business hours: the verification is in the queue again, and another reviewer claims it', async () => {
  const one = await submitted();
  const other = await make.admin(world.db);
  const second = reviewerOf(world, other.id);
  await reviewer.claim(one);
  closeTo(await lapseOf(one), addBusinessHours(await world.now(), 8, day));
  await world.sleep((await lapseOf(one)).getTime() - (await world.now()).getTime() - TOLERANCE_MS);
  expect(await outcomeOf(second.claim(one))).toBe('ALREADY_CLAIMED');
  expect(await state(one)).toMatchObject({ status: 'UNDER_REVIEW', userStatus: 'UNDER_REVIEW' });

  await world.sleep(2 * TOLERANCE_MS);
  await eventually(async () =>
    expect(await state(one)).toMatchObject({
      ...{ status: 'SUBMITTED', userStatus: 'SUBMITTED', assignedTo: null, priority: 'NORMAL' },
      history: ['SUBMITTED', 'CLAIMED', 'RELEASED'],
    }),
  );
  expect((await second.claim(one)).status).toBe('UNDER_REVIEW');
  expect((await state(one)).assignedTo).toBe(other.id);
  expect(await outcomeOf(reviewer.approve(one))).toBe('ALREADY_CLAIMED');
  await second.approve(one);
  expect(await handle(one).result()).toBe('APPROVED');
});

test('for ENHANCED it is urgent from the start', async () => {
  const one = await submitted({ requestedLevel: 'ENHANCED' });
  expect((await state(one)).priority).toBe('HIGH');
  closeTo((await state(one)).dueAt, addBusinessHours(await world.now(), 8, day));
  await untilDue(one);
  await eventually(async () => expect((await state(one)).history).toEqual(['SUBMITTED', 'ESCALATED']));
  await reviewer.reject(one);
});

test('a user who does not answer is reminded after 7 and 21 days; after 30 the verification is rejected', async () => {
  const one = await submitted();
  await reviewer.requestInfo(one);
  const asked = await world.now();
  await world.sleep(7 * DAY_MS - HOUR_MS);
  expect((await state(one)).mails).toEqual(['submitted', 'information']);
  await world.sleep(2 * HOUR_MS);
  await eventually(async () =>
    expect((await state(one)).mails).toEqual(['submitted', 'information', 'reminder']),
  );
  const reminder = (await mailsTo(world.db, one.user.email)).at(-1)!;
  expect(reminder.text).toContain('Message of the reviewer: Please show your whole face.');
  expect(reminder.text).toContain('- Selfie');
  closeTo((await state(one)).dueAt, new Date(asked.getTime() + 21 * DAY_MS));
  await world.sleep(14 * DAY_MS);
  await eventually(async () => expect((await state(one)).mails.slice(2)).toEqual(['reminder', 'reminder']));
  closeTo((await state(one)).dueAt, new Date(asked.getTime() + 30 * DAY_MS));
  await world.sleep(8 * DAY_MS);
  expect(await state(one)).toMatchObject({ status: 'NEEDS_INFO', userStatus: 'NEEDS_INFO' });
  await world.sleep(2 * DAY_MS);
  expect(await handle(one).result()).toBe('REJECTED');
  expect(await state(one)).toMatchObject({
    status: 'REJECTED',
    userStatus: 'REJECTED',
    userLevel: 'BASIC',
    mails: ['submitted', 'information', 'reminder', 'reminder', 'unanswered'],
    events: ['kyc.submitted', 'kyc.rejected'],
  });
  expect(await outcomeOf(submits(world, one))).toBe('DOCUMENTS_MISSING');
  const next = await begunVerification(world.db, { user: one.user, at: await world.now() });
  expect((await submits(world, next)).status).toBe('SUBMITTED');
  await keepHistory(handle(one), 'nobody-answers');
});

test('one who answers after the reminder has the review begin anew', async () => {
  const one = await submitted();
  await reviewer.requestInfo(one);
  await world.sleep(8 * DAY_MS);
  await uploadedDocument(world.db, { ...one, type: 'SELFIE' });
  await submits(world, one);
  closeTo((await state(one)).dueAt, addBusinessHours(await world.now(), 48, day));
  expect(await state(one)).toMatchObject({ status: 'SUBMITTED', priority: 'NORMAL' });
  await reviewer.reject(one);
  expect(await handle(one).result()).toBe('REJECTED');
});

test('after a rejection, 24 hours pass from its submission to the next', async () => {
  const one = await submitted();
  const at = await world.now();
  await reviewer.reject(one);
  const next = await begunVerification(world.db, { user: one.user, at: await world.now() });
  await world.sleep(23 * HOUR_MS);
  const opens = new Date(at.getTime() + 24 * HOUR_MS).toISOString().slice(11, 15);
  await expect(submits(world, next)).rejects.toMatchObject({
    type: 'RESUBMISSION_TOO_SOON',
    message: expect.stringContaining(opens.slice(0, 3)) as unknown,
  });
  await world.sleep(HOUR_MS + TOLERANCE_MS);
  expect((await submits(world, next)).status).toBe('SUBMITTED');
  await reviewer.reject(next);
});

const withdraw = ({ kycId }: { kycId: string }) =>
  execute(
    world.db,
    `UPDATE kyc_verifications SET status = 'WITHDRAWN', due_at = NULL, ended_at = now() WHERE id = $1`,
    [kycId],
  );

test('a process that is told that its row is erased ends, and one that is told so wrongly goes on', async () => {
  const one = await submitted();
  await handle(one).signal(rowErased);
  expect(await reviewer.requestInfo(one)).toMatchObject({ status: 'NEEDS_INFO' });
  await withdraw(one);
  await handle(one).signal(rowErased);
  expect(await handle(one).result()).toBe('ERASED');
  await keepHistory(handle(one), 'told-of-the-erasure');
});

test('a process whose row is gone altogether ends as well', async () => {
  const one = await submitted();
  for (const table of ['kyc_history', 'kyc_verification_documents', 'kyc_document_numbers'])
    await execute(world.db, `DELETE FROM ${table} WHERE kyc_id = $1`, [one.kycId]);
  await execute(world.db, 'DELETE FROM kyc_verifications WHERE id = $1', [one.kycId]);
  await execute(world.db, `UPDATE users SET kyc_status = 'NOT_STARTED' WHERE id = $1`, [one.userId]);
  await handle(one).signal(rowErased);
  expect(await handle(one).result()).toBe('ERASED');
});

test('withdrawn with its account, the process ends at its next look, also when it was not told', async () => {
  const one = await submitted();
  await withdraw(one);
  expect(await outcomeOf(reviewer.approve(one))).toBe('NOT_REVIEWABLE');
  await world.sleep(14 * DAY_MS);
  expect(await handle(one).result()).toBe('ERASED');
  expect((await state(one)).mails).toEqual(['submitted']);
  await keepHistory(handle(one), 'withdrawn');
});

test('a submission whose answer was lost is found by the process', async () => {
  losesAnswers = true;
  const one = await begunVerification(world.db, { at: await world.now() });
  await expect(submits(world, one)).rejects.toThrow();
  expect((await reviewer.claim(one)).status).toBe('UNDER_REVIEW');
  await reviewer.approve(one);
  expect(await handle(one).result()).toBe('APPROVED');
  await keepHistory(handle(one), 'kept-unheard');
});

test('a process that gets no submission ends', async () => {
  const one = await begunVerification(world.db, { at: await world.now() });
  await world.processes.start(kycReviewProcess, { kycId: one.kycId, userId: one.userId });
  await world.sleep('11 minutes');
  expect(await handle(one).result()).toBe('REFUSED');
});

describe('one whose due step fails waits for an operator', () => {
  async function parked(): Promise<MadeVerification> {
    const one = await submitted();
    trouble = broken();
    await untilDue(one);
    await eventually(async () => expect(await detailsOf(handle(one))).toContain('**Needs attention.**'));
    trouble = undefined;
    return one;
  }

  test('who has it tried again', async () => {
    const one = await parked();
    await handle(one).executeUpdate(retryStep, { args: [{ noteId: null }] });
    await eventually(async () => expect((await state(one)).priority).toBe('HIGH'));
    await reviewer.approve(one);
    expect(await handle(one).result()).toBe('APPROVED');
    await keepHistory(handle(one), 'parked-then-retried');
  });

  test('who abandons it: the process ends, and the verification stays', async () => {
    const one = await parked();
    await handle(one).executeUpdate(abandonStep, { args: [{ noteId: null }] });
    expect(await handle(one).result()).toBe('ABANDONED');
    expect((await state(one)).status).toBe('SUBMITTED');
    await keepHistory(handle(one), 'parked-then-abandoned');
  });

  test('a decision opens an abandoned one again, and its clock goes on', async () => {
    const one = await parked();
    await handle(one).executeUpdate(abandonStep, { args: [{ noteId: null }] });
    expect(await handle(one).result()).toBe('ABANDONED');
    await reviewer.reopens(one);
    expect(await state(one)).toMatchObject({ status: 'UNDER_REVIEW', priority: 'NORMAL' });
    await world.sleep('11 minutes');
    await eventually(async () => expect((await state(one)).priority).toBe('HIGH'));
    await reviewer.approve(one);
    expect(await handle(one).result()).toBe('APPROVED');
    await keepHistory(handle(one), 'opened-by-a-claim');
  });
});
