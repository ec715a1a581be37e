import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { firstRow } from '../../../../../db/sql/query';
import { make } from '../../../../support/builders/make';
import { signIn } from '../../../../support/builders/sign-in';
import { startAdminWorld, outcomeOf, type AdminWorld } from '../../admin-world';
import { recordsOf } from '../../records';
import { documentIn, submit, submittedCase, verificationIn } from '../cases';

let desk: AdminWorld;
let second: { id: string; email: string; token: string };
beforeAll(async () => {
  desk = await startAdminWorld({ queues: ['interactive'] });
  const user = await make.admin(desk.world.db);
  second = { ...user, token: await signIn(desk.world, user) };
});
afterAll(() => desk.world.teardown());

type Verb = 'claim' | 'release' | 'request-info' | 'approve' | 'reject';
const VERBS: readonly Verb[] = ['claim', 'release', 'request-info', 'approve', 'reject'];
const BODIES: Record<Verb, object | undefined> = {
  claim: undefined,
  release: undefined,
  'request-info': { message: 'Please send the whole page.' },
  approve: { level: 'STANDARD' },
  reject: { reason: 'DOCUMENT_BLURRY' },
};

const decide = (id: string, verb: Verb, body = BODIES[verb], token = desk.tokens.admin) =>
  desk.ask('post', `/admin/kyc/${id}/${verb}`, body, token);

async function done(id: string, verb: Verb, body?: object, token?: string) {
  const answer = await decide(id, verb, body, token);
  expect([verb, outcomeOf(answer), answer.body.error]).toEqual([verb, '200', undefined]);
  return answer.body.data;
}

const unclaimed = { assignedTo: null, assignedToEmail: null };
const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as string;
const standing = (userId: string) =>
  firstRow<{ kycStatus: string; kycLevel: string }>(
    desk.world.db,
    'SELECT kyc_status, kyc_level FROM users WHERE id = $1',
    [userId],
  );

describe('POST /admin/kyc/:id/claim and /release', () => {
  test('takes it, again too, and puts it back', async () => {
    const { id } = await submittedCase(desk.world);
    const { id: assignedTo, email: assignedToEmail } = desk.admin;
    const claimed = { id, status: 'UNDER_REVIEW', assignedTo, assignedToEmail };
    expect(await done(id, 'claim')).toEqual(claimed);
    expect(await done(id, 'claim')).toEqual(claimed);
    expect(await done(id, 'release')).toEqual({ id, status: 'SUBMITTED', ...unclaimed });
    const actions = (await recordsOf(desk, 'kyc', id)).map(({ action }) => action);
    expect(actions).toEqual(['kyc.claim', 'kyc.release']);
  });

  test('ALREADY_CLAIMED for everybody else, with who it is; a SUPER_ADMIN claims over, releases and decides', async () => {
    const { id } = await submittedCase(desk.world);
    await done(id, 'claim');
    for (const verb of VERBS) {
      const refused = await decide(id, verb, BODIES[verb], second.token);
      expect([verb, outcomeOf(refused)]).toEqual([verb, '409 ALREADY_CLAIMED']);
      expect(refused.body.error.details).toEqual({ assignedTo: [desk.admin.email] });
    }
    expect(await done(id, 'claim', undefined, desk.tokens.superAdmin)).toMatchObject({
      status: 'UNDER_REVIEW',
    });
    expect(outcomeOf(await decide(id, 'claim'))).toBe('409 ALREADY_CLAIMED');
    await done(id, 'release', undefined, desk.tokens.superAdmin);
    await done(id, 'claim', undefined, second.token);
    await done(id, 'approve', { level: 'STANDARD' }, desk.tokens.superAdmin);
  });

  test('of two reviewers at once one has it, and the other is told who', async () => {
    const { id } = await submittedCase(desk.world);
    const answers = await Promise.all([decide(id, 'claim'), decide(id, 'claim', undefined, second.token)]);
    expect(answers.map(outcomeOf).sort()).toEqual(['200', '409 ALREADY_CLAIMED']);
    const winner = outcomeOf(answers[0]) === '200' ? desk.admin : second;
    const lost = answers.find(({ status }) => status === 409)!;
    expect(lost.body.error.details).toEqual({ assignedTo: [winner.email] });
  });
});

describe('POST /admin/kyc/:id/request-info', () => {
  test('asks for documents anew; the user submits again, and it is back in the queue', async () => {
    const { id, user } = await submittedCase(desk.world);
    await done(id, 'claim');
    const asked = await done(id, 'request-info', { message: 'All of it.', documents: ['SELFIE', 'SELFIE'] });
    expect(asked).toEqual({ id, status: 'NEEDS_INFO', ...unclaimed });
    const { body } = await desk.ask('get', `/admin/kyc/${id}`);
    expect(body.data).toMatchObject({ requested: { message: 'All of it.', documents: ['SELFIE'] } });
    await documentIn(desk.world, { id, user }, { type: 'SELFIE' });
    await submit(desk.world, { id, user });
    expect((await desk.ask('get', `/admin/kyc/${id}`)).body.data.status).toBe('SUBMITTED');
  });

  test.each([
    {},
    { message: ' ' },
    { message: 'x'.repeat(2_001) },
    { message: 'x', documents: ['LETTER'] },
    { message: 'x', documents: Array.from({ length: 7 }, () => 'SELFIE') },
  ])('VALIDATION_ERROR: %j', async (body) => {
    expect(outcomeOf(await decide(randomUUID(), 'request-info', body))).toBe('400 VALIDATION_ERROR');
  });
});

describe('POST /admin/kyc/:id/approve', () => {
  test('gives the level, until when, and says who decided', async () => {
    const { id, user } = await submittedCase(desk.world);
    const answer = await done(id, 'approve', { level: 'STANDARD', note: 'All good.' });
    const Approved = z.strictObject({
      id: z.uuid(),
      userId: z.uuid(),
      status: z.literal('APPROVED'),
      level: z.string(),
      approvedAt: z.iso.datetime(),
      approvedBy: z.uuid(),
      expiresAt: z.iso.datetime(),
    });
    expect(Approved.parse(answer)).toMatchObject({
      ...{ id, userId: user.id, level: 'STANDARD', approvedBy: desk.admin.id },
    });
    expect(await standing(user.id)).toEqual({ kycStatus: 'APPROVED', kycLevel: 'STANDARD' });
    const { body } = await desk.ask('get', `/admin/kyc/${id}`);
    const { id: adminId, email } = desk.admin;
    expect(body.data).toMatchObject({
      ...{ status: 'APPROVED', reviewedBy: adminId, reviewedByEmail: email, dueAt: null },
    });
    expect(body.data.history.at(-1)).toMatchObject({
      ...{ action: 'APPROVED', performedBy: adminId, performedByEmail: email, note: 'All good.' },
    });
  });

  test('until the given day, and BASIC without an end', async () => {
    const { id } = await submittedCase(desk.world);
    const expiresAt = new Date(Date.now() + 30 * 86_400_000).toISOString();
    expect(await done(id, 'approve', { level: 'STANDARD', expiresAt })).toMatchObject({ expiresAt });
    const basic = await submittedCase(desk.world);
    expect(await done(basic.id, 'approve', { level: 'BASIC' })).toMatchObject({
      ...{ level: 'BASIC', expiresAt: null },
    });
  });

  test('KYC_DOCUMENTS_MISSING for a level whose documents are not there', async () => {
    const { id } = await submittedCase(desk.world);
    const refused = await decide(id, 'approve', { level: 'ENHANCED' });
    expect(outcomeOf(refused)).toBe('400 VALIDATION_ERROR');
    expect(refused.body.error.reason).toBe('KYC_DOCUMENTS_MISSING');
    await done(id, 'approve');
  });

  test.each([
    {},
    { level: 'NONE' },
    { level: 'BASIC', expiresAt: 'soon' },
    { level: 'BASIC', expiresAt: '2020-01-01' },
    { level: 'BASIC', note: 'x'.repeat(2_001) },
  ])('VALIDATION_ERROR: %j', async (body) => {
    expect(outcomeOf(await decide(randomUUID(), 'approve', body))).toBe('400 VALIDATION_ERROR');
  });
});

describe('POST /admin/kyc/:id/reject', () => {
  test('names reasons, of documents too; the user may come again unless said otherwise', async () => {
    const { id, user, documents } = await submittedCase(desk.world);
    const rejectedDocuments = [{ documentId: documents.SELFIE!, reason: 'SELFIE_MISMATCH' }];
    expect(await done(id, 'reject', { reason: 'INFO_MISMATCH', rejectedDocuments })).toEqual({
      ...{ id, userId: user.id, status: 'REJECTED', reason: 'INFO_MISMATCH', rejectedAt: moment },
      ...{ rejectedBy: desk.admin.id, canResubmit: true },
    });
    const { body } = await desk.ask('get', `/admin/kyc/${id}`);
    expect(body.data.documents).toMatchObject([
      {},
      { type: 'SELFIE', status: 'REJECTED', reason: 'SELFIE_MISMATCH' },
    ]);
    const final = await submittedCase(desk.world);
    const never = { reason: 'DOCUMENT_BLURRY', allowResubmission: false };
    expect(await done(final.id, 'reject', never)).toMatchObject({ canResubmit: false });
    const fraud = await submittedCase(desk.world);
    expect(
      await done(fraud.id, 'reject', { reason: 'SUSPECTED_FRAUD', allowResubmission: true }),
    ).toMatchObject({
      canResubmit: false,
    });
  });

  test('VALIDATION_ERROR for a document that it does not hold, and nothing is decided', async () => {
    const [{ id }, other] = [await submittedCase(desk.world), await submittedCase(desk.world)];
    const rejectedDocuments = [{ documentId: other.documents.PASSPORT!, reason: 'DOCUMENT_BLURRY' }];
    const refused = await decide(id, 'reject', { reason: 'INFO_MISMATCH', rejectedDocuments });
    expect(outcomeOf(refused)).toBe('400 VALIDATION_ERROR');
    await done(id, 'claim');
  });

  const documentId = randomUUID();
  test.each([
    {},
    { reason: 'UGLY' },
    { reason: 'DOCUMENT_BLURRY', rejectedDocuments: [{ documentId }] },
    {
      reason: 'DOCUMENT_BLURRY',
      rejectedDocuments: [
        { documentId, reason: 'DOCUMENT_BLURRY' },
        { documentId, reason: 'DOCUMENT_EXPIRED' },
      ],
    },
  ])('VALIDATION_ERROR: %j', async (body) => {
    expect(outcomeOf(await decide(randomUUID(), 'reject', body))).toBe('400 VALIDATION_ERROR');
  });
});

describe('every decision', () => {
  test('NOT_REVIEWABLE after it is decided, with who decided', async () => {
    const { id } = await submittedCase(desk.world);
    await done(id, 'reject', { reason: 'DOCUMENT_EXPIRED' });
    for (const verb of VERBS) {
      const refused = await decide(id, verb, BODIES[verb], second.token);
      expect([verb, outcomeOf(refused)]).toEqual([verb, '400 NOT_REVIEWABLE']);
      expect(refused.body.error.message).toBe('This verification is already decided.');
      expect(refused.body.error.details).toEqual({ decidedBy: [desk.admin.email] });
    }
  });

  test('of approve and reject at once one wins, and the other is told who', async () => {
    for (let i = 0; i < 5; i++) {
      const { id, user } = await submittedCase(desk.world);
      const answers = await Promise.all([
        decide(id, 'approve'),
        decide(id, 'reject', BODIES.reject, second.token),
      ]);
      expect(answers.map(outcomeOf).sort()).toEqual(['200', '400 NOT_REVIEWABLE']);
      const approved = outcomeOf(answers[0]) === '200';
      const lost = answers[approved ? 1 : 0];
      expect(lost.body.error.details).toEqual({ decidedBy: [approved ? desk.admin.email : second.email] });
      expect((await standing(user.id))!.kycStatus).toBe(approved ? 'APPROVED' : 'REJECTED');
    }
  });

  test('NOT_REVIEWABLE before it is submitted, and while its user is asked', async () => {
    const pending = await verificationIn(desk.world, { status: 'DOCUMENTS_PENDING' });
    const { id } = await submittedCase(desk.world);
    await done(id, 'request-info');
    for (const verb of VERBS) {
      expect([verb, outcomeOf(await decide(pending.id, verb))]).toEqual([verb, '400 NOT_REVIEWABLE']);
      expect([verb, outcomeOf(await decide(id, verb))]).toEqual([verb, '400 NOT_REVIEWABLE']);
    }
  });

  test('KYC_NOT_FOUND, FORBIDDEN for an own case and for users, 401 for nobody', async () => {
    const own = await submittedCase(desk.world, { user: await make.superAdmin(desk.world.db) });
    const ownToken = await signIn(desk.world, own.user);
    for (const verb of VERBS) {
      expect(outcomeOf(await decide(randomUUID(), verb))).toBe('404 KYC_NOT_FOUND');
      expect(outcomeOf(await decide(own.id, verb, BODIES[verb], ownToken))).toBe('403 FORBIDDEN');
      expect(outcomeOf(await decide(own.id, verb, BODIES[verb], desk.tokens.user))).toBe('403 FORBIDDEN');
      const nobody = await desk.ask('post', `/admin/kyc/${own.id}/${verb}`, BODIES[verb], null);
      expect(outcomeOf(nobody)).toBe('401 UNAUTHORIZED');
    }
    expect(await recordsOf(desk, 'kyc', own.id)).toEqual([]);
  });

  test('repeated under its key answers the same, also after it was decided', async () => {
    const { id } = await submittedCase(desk.world);
    const send = () =>
      desk.world.http
        .post(`/api/v1/admin/kyc/${id}/approve`)
        .auth(desk.tokens.admin, { type: 'bearer' })
        .set('Idempotency-Key', `approve-${id}`)
        .send({ level: 'STANDARD' });
    const [first, again] = [await send(), await send()];
    expect([first.status, again.status, again.body]).toEqual([200, 200, first.body]);
    expect(await recordsOf(desk, 'kyc', id)).toHaveLength(1);
  });
});
