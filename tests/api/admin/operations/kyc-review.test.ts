import { ApplicationFailure } from '@temporalio/common';
import { kycReviewProcess } from '../../../../workflows/kyc/review/kyc-review.contract';
import { eventually } from '../../../support/checks/eventually';
import { outcomeOf, startAdminWorld, type AdminWorld } from '../admin-world';
import { submit, submittedCase, verificationIn } from '../kyc/cases';

let desk: AdminWorld;
/** The verifications whose rows cannot be read or changed. */
const broken = new Set<string>();
const requireWhole = (kycId: string): void => {
  if (broken.has(kycId)) throw ApplicationFailure.nonRetryable('the disk is full', 'DiskFull');
};

beforeAll(async () => {
  desk = await startAdminWorld({
    queues: ['interactive'],
    fakes: (real) => ({
      claimVerification: async (decision) => {
        requireWhole(decision.kycId);
        return real.claimVerification(decision);
      },
      kycReviewState: async (verification) => {
        requireWhole(verification.kycId);
        return real.kycReviewState(verification);
      },
    }),
  });
});
afterAll(() => desk.world.teardown());

const decide = (id: string, verb: 'claim' | 'approve' | 'request-info', body?: object) =>
  desk.ask('post', `/admin/kyc/${id}/${verb}`, body);
const operate = (id: string, verb: 'retry' | 'abandon') =>
  desk.ask('post', `/admin/operations/${encodeURIComponent(kycReviewProcess.id({ kycId: id }))}/${verb}`, {});
const processOf = (id: string) => desk.world.temporal.workflow.getHandle(kycReviewProcess.id({ kycId: id }));
const statusOf = async (id: string) => (await processOf(id).describe()).status.name;

async function operationOf(id: string) {
  const { body } = await desk.ask('get', '/admin/operations?type=kycReview');
  return (body.data.operations as { entityId: string }[]).find(({ entityId }) => entityId === id);
}

/** A review whose claim was lost, and whose process can no longer read what it is about. */
async function parked() {
  const made = await submittedCase(desk.world);
  broken.add(made.id);
  expect(outcomeOf(await decide(made.id, 'claim'))).toMatch(/^50/);
  await eventually(async () => expect(await operationOf(made.id)).toBeDefined());
  return made;
}

/** Such a review whose process an administrator has given up. */
async function abandoned() {
  const made = await parked();
  expect(outcomeOf(await operate(made.id, 'abandon'))).toBe('200');
  expect(await processOf(made.id).result()).toBe('ABANDONED');
  broken.delete(made.id);
  return made;
}

test('a review that is parked is listed with its user; tried again, it goes on', async () => {
  const { id, user } = await parked();
  expect(await operationOf(id)).toMatchObject({
    workflowId: `kyc-review:${id}`,
    type: 'kycReview',
    entityId: id,
    state: 'PARKED',
    order: null,
    user: { id: user.id, email: user.email },
    amount: null,
    reason: 'Could not read the state of the verification.',
    lastError: 'the disk is full',
    actions: ['RETRY', 'ABANDON'],
  });
  broken.delete(id);
  expect(outcomeOf(await operate(id, 'retry'))).toBe('200');
  await eventually(async () => expect(await operationOf(id)).toBeUndefined());
  expect(outcomeOf(await decide(id, 'claim'))).toBe('200');
  expect(outcomeOf(await decide(id, 'approve', { level: 'STANDARD' }))).toBe('200');
  expect(await processOf(id).result()).toBe('APPROVED');
});

describe('a review whose process was given up', () => {
  test('is in the queue, and a decision opens its process again; a decided one is not opened', async () => {
    const { id } = await abandoned();
    const { body } = await desk.ask('get', '/admin/kyc/queue');
    expect(body.data.submissions).toContainEqual(expect.objectContaining({ id, status: 'SUBMITTED' }));

    const claimed = await decide(id, 'claim');
    expect(claimed.body).toMatchObject({
      data: { status: 'UNDER_REVIEW', assignedTo: desk.admin.id },
    });
    expect(await statusOf(id)).toBe('RUNNING');
    const approved = await decide(id, 'approve', { level: 'STANDARD' });
    expect(approved.body).toMatchObject({ data: { status: 'APPROVED' } });

    const { runId } = await processOf(id).describe();
    const late = await decide(id, 'approve', { level: 'STANDARD' });
    expect(outcomeOf(late)).toBe('400 NOT_REVIEWABLE');
    expect(late.body.error.details).toEqual({ decidedBy: [desk.admin.email] });
    expect((await processOf(id).describe()).runId).toBe(runId);
  });

  test('is approved by the first decision on it, too', async () => {
    const { id } = await abandoned();
    expect(outcomeOf(await decide(id, 'approve', { level: 'STANDARD' }))).toBe('200');
  });

  test('is decided once by reviewers at once', async () => {
    const { id } = await abandoned();
    const answers = await Promise.all([1, 2, 3].map(() => decide(id, 'approve', { level: 'STANDARD' })));
    expect(answers.map(outcomeOf).sort()).toEqual(['200', '400 NOT_REVIEWABLE', '400 NOT_REVIEWABLE']);
  });
});

test.each(['claim', 'approve'] as const)('%s opens no process for what nobody submitted', async (verb) => {
  const made = await verificationIn(desk.world, { status: 'DOCUMENTS_PENDING' });
  const body = verb === 'approve' ? { level: 'STANDARD' } : undefined;
  expect(outcomeOf(await decide(made.id, verb, body))).toBe('400 NOT_REVIEWABLE');
  await expect(processOf(made.id).describe()).rejects.toThrow('not found');
});

test('one that waits for its user when its process is given up goes on with the answer', async () => {
  const { id, user } = await submittedCase(desk.world);
  expect(outcomeOf(await decide(id, 'request-info', { message: 'Show the whole page.' }))).toBe('200');
  broken.add(id);
  expect(outcomeOf(await decide(id, 'claim'))).toMatch(/^50/);
  await eventually(async () => expect(await operationOf(id)).toBeDefined());
  expect(outcomeOf(await operate(id, 'abandon'))).toBe('200');
  expect(await processOf(id).result()).toBe('ABANDONED');
  broken.delete(id);
  await submit(desk.world, { id, user });
  expect(outcomeOf(await decide(id, 'claim'))).toBe('200');
});
