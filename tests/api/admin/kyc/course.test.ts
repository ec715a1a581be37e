import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import type { Response } from 'supertest';
import { kycReviewProcess } from '../../../../workflows/kyc/review/kyc-review.contract';
import { personalInfo } from '../../../support/builders/kyc/personal-info';
import { make } from '../../../support/builders/make';
import { signIn } from '../../../support/builders/sign-in';
import { mailsTo } from '../../../support/checks/mail';
import { violations } from '../../../support/checks/violations';
import { applicant, type Applicant } from '../../users/kyc/applicant';
import { startAdminWorld, type AdminWorld } from '../admin-world';
import { recordsOf } from '../records';

let desk: AdminWorld;
let methodId: string;
beforeAll(async () => {
  desk = await startAdminWorld();
  methodId = await make.shippingMethod(desk.world.db);
});
afterAll(() => desk.world.teardown());

/** A request of a reviewer that is carried out; answers the data. */
async function reviews(token: string, method: 'get' | 'post', path: string, body?: object) {
  const answer = await desk.ask(method, path, body, token);
  expect([path, answer.status, answer.body.error]).toEqual([path, 200, undefined]);
  return answer.body.data;
}

/** Opens a file by the address that the detail answered. */
const opens = (token: string, url: string): Promise<Response> =>
  desk.world.http
    .get(new URL(url).pathname)
    .auth(token, { type: 'bearer' })
    .buffer(true)
    .parse((stream, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => done(null, Buffer.concat(chunks)));
    })
    .then((answer) => answer);

/** Somebody with partner balance and goods in the cart; answers how they order with that balance. */
async function earner() {
  const { db } = desk.world;
  const me = await applicant(desk.world);
  const shippingAddressId = await make.address(db, me.user.id, { isDefault: true });
  await make.money(db, me.user.id, 100_000, 'partner_available');
  await make.cart(db, me.user.id, [{ productId: (await make.product(db)).id }]);
  const order = async () => {
    const body = {
      shippingAddressId,
      shippingMethodId: methodId,
      paymentMethod: 'CARD',
      usePartnerBalance: true,
    };
    const answer = await desk.world.http
      .post('/api/v1/cart/checkout')
      .auth(me.token, { type: 'bearer' })
      .set('idempotency-key', randomUUID())
      .send(body);
    return [answer.status, answer.body.error?.code ?? answer.body.data.orderId] as [number, string];
  };
  return { me, order };
}

async function submits(me: Applicant): Promise<void> {
  expect(await me.call('post', '/users/kyc/submit')).toMatchObject({ status: 200 });
}

test('a reviewer’s morning: from the queue over a question to the approval, which opens the checkout', async () => {
  const { world, admin } = desk;
  const second = await make.admin(world.db);
  const [first, other] = [desk.tokens.admin, await signIn(world, second)];

  // Yesterday: somebody else began with the same document number; this morning our user submits.
  const twin = await applicant(world);
  expect((await twin.start()).status).toBe(201);
  const { me, order } = await earner();
  expect(await order()).toEqual([403, 'KYC_REQUIRED']);
  const { id } = (await me.start()).body.data as { id: string };
  for (const type of ['PASSPORT', 'SELFIE']) expect((await me.upload(type)).status).toBe(201);
  await submits(me);

  const { submissions, stats } = await reviews(first, 'get', '/admin/kyc/queue');
  expect(submissions).toMatchObject([
    {
      id,
      user: { id: me.user.id, email: me.user.email },
      status: 'SUBMITTED',
      assignedTo: null,
      documentsCount: 2,
    },
  ]);
  expect(stats).toEqual({ pending: 1, underReview: 0, needsInfo: 0, averageProcessingTime: 0 });
  expect(await reviews(first, 'post', `/admin/kyc/${id}/claim`)).toMatchObject({ status: 'UNDER_REVIEW' });
  expect((await reviews(first, 'get', '/admin/kyc/queue?assignedTo=me')).submissions).toHaveLength(1);

  const detail = await reviews(first, 'get', `/admin/kyc/${id}`);
  expect(detail).toMatchObject({
    personalInfo,
    signals: { duplicates: [{ kind: 'DOCUMENT_NUMBER', email: twin.user.email }] },
    documents: [{ type: 'PASSPORT' }, { type: 'SELFIE' }],
  });
  const [passport] = detail.documents;
  const [file, thumbnail] = [await opens(first, passport.fileUrl), await opens(first, passport.thumbnailUrl)];
  expect([file, thumbnail].map(({ status, type }) => `${status} ${type}`)).toEqual([
    '200 image/jpeg',
    '200 image/webp',
  ]);
  expect(await sharp(file.body as Buffer).metadata()).toMatchObject({ width: 640, height: 480 });
  expect((await sharp(thumbnail.body as Buffer).metadata()).width).toBeLessThan(640);

  const question = { message: 'The lower line is cut off.', documents: ['PASSPORT'] };
  expect(await reviews(first, 'post', `/admin/kyc/${id}/request-info`, question)).toMatchObject({
    ...{ status: 'NEEDS_INFO', assignedTo: null },
  });
  expect(await me.view()).toMatchObject({ status: 'NEEDS_INFO', requested: question });
  expect((await me.call('post', '/users/kyc/submit')).body.error.code).toBe('DOCUMENTS_MISSING');
  expect((await me.upload('PASSPORT')).status).toBe(201);
  await submits(me);

  await reviews(other, 'post', `/admin/kyc/${id}/claim`);
  expect(
    (await desk.ask('post', `/admin/kyc/${id}/approve`, { level: 'STANDARD' }, first)).body.error,
  ).toMatchObject({
    code: 'ALREADY_CLAIMED',
    details: { assignedTo: [second.email] },
  });
  const approved = await reviews(other, 'post', `/admin/kyc/${id}/approve`, {
    level: 'STANDARD',
    note: 'Fine now.',
  });
  expect(approved).toMatchObject({ status: 'APPROVED', approvedBy: second.id });
  const process = world.temporal.workflow.getHandle(kycReviewProcess.id({ kycId: id }));
  expect(await process.result()).toBe('APPROVED');

  // The user: level, letters, and an order that the partner balance pays.
  expect(await me.view()).toMatchObject({ status: 'APPROVED', level: 'STANDARD', requested: null });
  const letters = await mailsTo(world.db, me.user.email);
  expect(letters.map(({ subject }) => subject)).toEqual([
    'Your identity verification was submitted',
    'Your identity verification needs more information',
    'Your identity verification was submitted',
    'Your identity verification is approved',
  ]);
  expect(letters[1]!.text).toContain(question.message);
  const [status, orderId] = await order();
  expect(status).toBe(201);
  expect((await me.call('get', `/orders/${orderId}`)).body.data.paymentStatus).toBe('PAID');

  // What is kept about it, in order.
  const { history, documents } = await reviews(other, 'get', `/admin/kyc/${id}`);
  const by = (person: { id: string }) =>
    (history as { performedBy: string | null; action: string }[])
      .filter(({ performedBy }) => performedBy === person.id)
      .map(({ action }) => action);
  expect((history as { action: string }[]).map(({ action }) => action)).toEqual([
    ...['STARTED', 'DOCUMENT_UPLOADED', 'DOCUMENT_UPLOADED', 'SUBMITTED', 'CLAIMED', 'INFO_REQUESTED'],
    ...['DOCUMENT_UPLOADED', 'SUBMITTED', 'CLAIMED', 'APPROVED'],
  ]);
  expect([by(admin), by(second)]).toEqual([
    ['CLAIMED', 'INFO_REQUESTED'],
    ['CLAIMED', 'APPROVED'],
  ]);
  expect(
    (documents as { type: string; status: string }[]).map(({ type, status }) => `${type} ${status}`),
  ).toEqual([...['PASSPORT REJECTED', 'SELFIE ACCEPTED', 'PASSPORT ACCEPTED']]);
  expect((await recordsOf(desk, 'kyc', id)).map(({ action, actorId }) => [action, actorId])).toEqual([
    ['kyc.claim', admin.id],
    ['kyc.open', admin.id],
    ['kyc.open-file', admin.id],
    ['kyc.open-file', admin.id],
    ['kyc.request-info', admin.id],
    ['kyc.claim', second.id],
    ['kyc.approve', second.id],
    ['kyc.open', second.id],
  ]);
  expect(await violations(world.db)).toEqual([]);
});
