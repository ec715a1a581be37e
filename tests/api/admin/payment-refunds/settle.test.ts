import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import { execute } from '../../../../db/sql/query';
import { violations } from '../../../support/checks/violations';
import { eventually } from '../../../support/checks/eventually';
import { orderRow } from '../../../support/builders/sandbox';
import { signIn } from '../../../support/builders/sign-in';
import { outcomeOf } from '../admin-world';
import { LOOK_ALIKES, UNSEEN } from '../bank-references';
import { startStuckWorld, type StuckWorld } from '../operations/stuck-refund';
import { owedByTransfer } from './owed';

let stuck: StuckWorld;
beforeAll(async () => {
  stuck = await startStuckWorld();
  stuck.bank.refuses = false;
});
afterAll(async () => {
  expect(await violations(stuck.world.db)).toEqual([]);
  await stuck.world.teardown();
});

const settle = async (
  id: string,
  {
    reference = randomUUID(),
    token = stuck.token,
    key,
    amount,
  }: { reference?: string; token?: string; key?: string; amount?: number } = {},
): Promise<Response> => {
  const request = stuck.world.http
    .post(`/api/v1/admin/payment-refunds/${id}/settle`)
    .auth(token, { type: 'bearer' });
  if (key) void request.set('Idempotency-Key', key);
  return request.send({ reference, amount });
};

test('a transfer waits for a person, and ends when it is said to be sent', async () => {
  const { orderId, refundId } = await owedByTransfer(stuck.world, stuck.token);
  const process = stuck.world.temporal.workflow.getHandle(`payment-refund:${refundId}`);
  await eventually(async () => {
    const { currentDetails } = await process.query<{ currentDetails: string }>(
      '__temporal_workflow_metadata',
    );
    expect(currentDetails).toContain('Waits for a person to send the money');
  });
  expect((await orderRow(stuck.world, orderId)).paymentStatus).toBe('PAID');
  const { status, body } = await settle(refundId, { reference: 'OUT-1' });
  expect(status).toBe(200);
  expect(body.data).toMatchObject({ id: refundId, status: 'COMPLETED', settlementReference: 'OUT-1' });
  expect(await process.result()).toBe('COMPLETED');
  expect(await orderRow(stuck.world, orderId)).toEqual({ status: 'CANCELLED', paymentStatus: 'REFUNDED' });
});

test('under its key it is answered as the first time; another is ALREADY_SETTLED', async () => {
  const { refundId } = await owedByTransfer(stuck.world, stuck.token);
  const command = { reference: randomUUID(), key: randomUUID() };
  const first = await settle(refundId, command);
  const again = await settle(refundId, command);
  expect([again.status, again.body]).toEqual([200, first.body]);
  expect(outcomeOf(await settle(refundId))).toBe('409 ALREADY_SETTLED');
});

test('twins at once: one settles', async () => {
  const { refundId } = await owedByTransfer(stuck.world, stuck.token);
  const answers = await Promise.all([settle(refundId), settle(refundId)]);
  expect(answers.map(outcomeOf).sort()).toEqual(['200', '409 ALREADY_SETTLED']);
});

test('one that was given up is settled although its process is over; a wrong reference first', async () => {
  const { orderId, workflowId } = await stuck.stuckRefund();
  stuck.bank.refuses = false;
  const refundId = workflowId.replace('payment-refund:', '');
  expect(outcomeOf(await settle(refundId))).toBe('400 CANNOT_SETTLE');
  await stuck.decide(workflowId, 'abandon');
  await eventually(async () =>
    expect((await stuck.world.temporal.workflow.getHandle(workflowId).describe()).status.name).toBe(
      'COMPLETED',
    ),
  );
  const other = await owedByTransfer(stuck.world, stuck.token);
  const reference = randomUUID();
  await settle(other.refundId, { reference });
  const wrong = await settle(refundId, { reference });
  expect(outcomeOf(wrong)).toBe('400 VALIDATION_ERROR');
  expect(Object.keys(wrong.body.error.details)).toEqual(['reference']);
  expect(outcomeOf(await settle(refundId))).toBe('200');
  expect(await orderRow(stuck.world, orderId)).toEqual({ status: 'CANCELLED', paymentStatus: 'REFUNDED' });
});

test('VALIDATION_ERROR: an amount that is not what the refund is of now', async () => {
  const { refundId } = await owedByTransfer(stuck.world, stuck.token);
  const shown = await stuck.world.http
    .get(`/api/v1/admin/payment-refunds/${refundId}`)
    .auth(stuck.token, { type: 'bearer' });
  const amount: number = shown.body.data.amount;
  const wrong = await settle(refundId, { amount: amount + 0.01 });
  expect(outcomeOf(wrong)).toBe('400 VALIDATION_ERROR');
  expect(Object.keys(wrong.body.error.details)).toEqual(['amount']);
  for (const bad of [0, -1, 0.001])
    expect(outcomeOf(await settle(refundId, { amount: bad }))).toBe('400 VALIDATION_ERROR');
  expect(outcomeOf(await settle(refundId, { amount }))).toBe('200');
});

test('REFUND_NOT_FOUND: there is none', async () => {
  expect(outcomeOf(await settle(randomUUID()))).toBe('404 REFUND_NOT_FOUND');
});

test('FORBIDDEN: of an own order', async () => {
  const { ada, refundId } = await owedByTransfer(stuck.world, stuck.token);
  await execute(stuck.world.db, `UPDATE users SET roles = '{USER,ADMIN}' WHERE id = $1`, [ada.buyer.id]);
  const token = await signIn(stuck.world, ada.buyer);
  expect(outcomeOf(await settle(refundId, { token }))).toBe('403 FORBIDDEN');
});

test.each([...UNSEEN, 'x'.repeat(201)])('VALIDATION_ERROR: a reference like %j', async (reference) => {
  const refused = await settle(randomUUID(), { reference });
  expect(outcomeOf(refused)).toBe('400 VALIDATION_ERROR');
  expect(Object.keys(refused.body.error.details)).toEqual(['reference']);
});

test.each(LOOK_ALIKES)('VALIDATION_ERROR: of two refunds, %s', async (_what, like) => {
  const [first, other] = [
    await owedByTransfer(stuck.world, stuck.token),
    await owedByTransfer(stuck.world, stuck.token),
  ];
  const reference = `BANK-${randomUUID().slice(0, 8)}-7`;
  const settled = await settle(first.refundId, { reference: like(reference) });
  expect(settled.body.data.settlementReference.toUpperCase().replaceAll(' ', '')).toBe(
    reference.toUpperCase(),
  );
  expect(outcomeOf(await settle(other.refundId, { reference }))).toBe('400 VALIDATION_ERROR');
});
