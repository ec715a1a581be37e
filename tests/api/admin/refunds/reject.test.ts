import { randomUUID } from 'node:crypto';
import { execute } from '../../../../db/sql/query';
import { violations } from '../../../support/checks/violations';
import { owedMessages } from '../../../support/checks/mail';
import { orderRow } from '../../../support/builders/sandbox';
import { signIn } from '../../../support/builders/sign-in';
import { startWorld, type World } from '../../../support/worlds/world';
import { askedBack, requestRow, staff } from '../../orders/returning';
import { outcomeOf } from '../admin-world';

let world: World;
let clerk: Awaited<ReturnType<typeof staff>>;
beforeAll(async () => {
  world = await startWorld();
  clerk = await staff(world);
});
afterAll(async () => {
  expect(await violations(world.db)).toEqual([]);
  await world.teardown();
});

test('the request is REJECTED, the buyer gets a mail with the reason, and may request it again', async () => {
  const { orderId, refundId, ask } = await askedBack(world);
  const { status, body } = await clerk.decide(refundId, 'reject', { reason: 'It was worn.' });
  expect(status).toBe(200);
  expect(body.data).toMatchObject({
    id: refundId,
    status: 'REJECTED',
    approvedAmount: null,
    decidedBy: clerk.id,
  });
  expect(await orderRow(world, orderId)).toEqual({ status: 'DELIVERED', paymentStatus: 'PAID' });
  expect((await requestRow(world, refundId)).note).toBe('It was worn.');
  const mails = await owedMessages(world.db, 'reference = $1', [`refund:${refundId}:rejected`]);
  expect(mails).toMatchObject([{ text: expect.stringContaining('It was worn.') }]);
  expect((await ask()).status).toBe(201);
});

test.each([{}, { reason: '' }, { reason: 'x'.repeat(501) }])('VALIDATION_ERROR: %j', async (body) => {
  const { refundId } = await askedBack(world);
  const answer = await clerk.decide(refundId, 'reject', body);
  expect(outcomeOf(answer)).toBe('400 VALIDATION_ERROR');
  expect(Object.keys(answer.body.error.details)).toEqual(['reason']);
});

test('NOT_PENDING: it is decided already', async () => {
  const { refundId } = await askedBack(world);
  await clerk.decide(refundId, 'approve');
  expect(outcomeOf(await clerk.decide(refundId, 'reject'))).toBe('400 NOT_PENDING');
});

test('REFUND_NOT_FOUND: there is none', async () => {
  expect(outcomeOf(await clerk.decide(randomUUID(), 'reject'))).toBe('404 REFUND_NOT_FOUND');
});

test('FORBIDDEN: one’s own refund', async () => {
  const { ada, refundId } = await askedBack(world);
  await execute(world.db, `UPDATE users SET roles = '{USER,ADMIN}' WHERE id = $1`, [ada.buyer.id]);
  const answer = await clerk.decide(refundId, 'reject', undefined, await signIn(world, ada.buyer));
  expect(outcomeOf(answer)).toBe('403 FORBIDDEN');
});
