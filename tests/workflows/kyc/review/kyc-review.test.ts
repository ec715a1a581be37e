import type { WorkflowHandle } from '@temporalio/client';
import { v7 } from 'uuid';
import { mailsTo } from '../../../support/checks/mail';
import { keepHistory } from '../../../support/checks/histories';
import { make } from '../../../support/builders/make';
import {
  begunVerification,
  uploadedDocument,
  verificationState,
} from '../../../support/builders/kyc/verifying';
import { ownSkippingWorld } from '../../../support/worlds/skipping-world';
import { kycReviewProcess } from '../../../../workflows/kyc/review/kyc-review.contract';
import { patient } from '../../commerce/sales';
import { detailsOf, outcomeOf, reviewerOf, submits } from './review-processes';

let reviewer: ReturnType<typeof reviewerOf>;
const world = ownSkippingWorld({ queues: ['interactive'] });
beforeAll(async () => {
  reviewer = reviewerOf(world, (await make.admin(world.db)).id);
});

const handle = (kycId: string): WorkflowHandle =>
  patient(world).workflow.getHandle(kycReviewProcess.id({ kycId }));
const state = (kycId: string) => verificationState(world.db, kycId);

test('submitted, claimed and approved: the user has the level, and the process ends', async () => {
  const one = await begunVerification(world.db, { at: await world.now() });
  expect((await submits(world, one)).status).toBe('SUBMITTED');
  expect(await detailsOf(handle(one.kycId))).toMatch(/^Waits for a reviewer. Due 20\d\d-/);
  expect((await reviewer.claim(one)).status).toBe('UNDER_REVIEW');
  expect(await detailsOf(handle(one.kycId))).toMatch(/^A reviewer has claimed it. Due 20\d\d-/);
  expect(await reviewer.approve(one)).toEqual({ status: 'APPROVED', dueAt: null });
  expect(await handle(one.kycId).result()).toBe('APPROVED');
  expect(await state(one.kycId)).toMatchObject({
    status: 'APPROVED',
    level: 'STANDARD',
    userStatus: 'APPROVED',
    userLevel: 'STANDARD',
    assignedTo: null,
    documents: ['PASSPORT ACCEPTED', 'SELFIE ACCEPTED'],
    history: ['SUBMITTED', 'CLAIMED', 'APPROVED'],
    audited: ['kyc.claim', 'kyc.approve'],
    mails: ['submitted', 'approved'],
    events: ['kyc.submitted', 'kyc.approved'],
  });
  await keepHistory(handle(one.kycId), 'approved');
});

test('rejected: the reasons are told, the level stays, and the process ends', async () => {
  const one = await begunVerification(world.db, { at: await world.now() });
  await submits(world, one);
  const documents = [{ documentId: one.documentIds.PASSPORT!, reason: 'DOCUMENT_BLURRY' as const }];
  expect((await reviewer.reject(one, { reason: 'DOCUMENT_BLURRY', documents })).status).toBe('REJECTED');
  expect(await handle(one.kycId).result()).toBe('REJECTED');
  expect(await state(one.kycId)).toMatchObject({
    userStatus: 'REJECTED',
    userLevel: 'BASIC',
    rejectionReason: 'DOCUMENT_BLURRY',
    canResubmit: true,
    documents: ['PASSPORT REJECTED DOCUMENT_BLURRY', 'SELFIE UPLOADED'],
    audited: ['kyc.reject'],
    events: ['kyc.submitted', 'kyc.rejected'],
  });
  expect((await mailsTo(world.db, one.user.email)).at(-1)?.text).toContain(
    'Passport: a document cannot be read clearly.',
  );
  await keepHistory(handle(one.kycId), 'rejected');
});

test('asked for more, submitted again and approved: one process all the way', async () => {
  const one = await begunVerification(world.db, { at: await world.now() });
  await submits(world, one);
  await reviewer.claim(one);
  expect((await reviewer.requestInfo(one)).status).toBe('NEEDS_INFO');
  expect(await detailsOf(handle(one.kycId))).toMatch(/^Waits for its user, .* Due 20\d\d-/);
  expect(await outcomeOf(submits(world, one))).toBe('DOCUMENTS_MISSING');
  expect((await mailsTo(world.db, one.user.email)).at(-1)?.text).toContain('Please show your whole face.');
  await uploadedDocument(world.db, { ...one, type: 'SELFIE' });
  const submissionId = v7();
  const again = await submits(world, one, submissionId);
  expect(again.status).toBe('SUBMITTED');
  expect(await submits(world, one, submissionId)).toEqual(again);
  await reviewer.approve(one);
  expect(await handle(one.kycId).result()).toBe('APPROVED');
  expect(await state(one.kycId)).toMatchObject({
    documents: ['PASSPORT ACCEPTED', 'SELFIE REJECTED', 'SELFIE ACCEPTED'],
    history: ['SUBMITTED', 'CLAIMED', 'INFO_REQUESTED', 'SUBMITTED', 'APPROVED'],
    mails: ['submitted', 'information', 'submitted', 'approved'],
  });
  await keepHistory(handle(one.kycId), 'asked-for-more');
});

test('released, it waits for a reviewer again', async () => {
  const one = await begunVerification(world.db, { at: await world.now() });
  await submits(world, one);
  await reviewer.claim(one);
  expect((await reviewer.release(one)).status).toBe('SUBMITTED');
  expect(await detailsOf(handle(one.kycId))).toMatch(/^Waits for a reviewer./);
  const other = reviewerOf(world, (await make.admin(world.db)).id);
  await other.claim(one);
  expect(await outcomeOf(reviewer.approve(one))).toBe('ALREADY_CLAIMED');
  await other.approve(one);
  expect(await handle(one.kycId).result()).toBe('APPROVED');
  await keepHistory(handle(one.kycId), 'released');
});

test('a refused submission leaves no process behind', async () => {
  const one = await begunVerification(world.db, { documents: ['PASSPORT'] });
  await expect(submits(world, one)).rejects.toMatchObject({
    type: 'DOCUMENTS_MISSING',
    message: 'Documents are missing: SELFIE.',
    details: [{ documents: ['SELFIE'] }],
  });
  expect(await handle(one.kycId).result()).toBe('REFUSED');
  expect(await state(one.kycId)).toMatchObject({ status: 'DOCUMENTS_PENDING', history: [], mails: [] });
  await keepHistory(handle(one.kycId), 'refused');
});
