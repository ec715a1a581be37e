import { z } from 'zod';
import { storeWebhookEvent } from '../../../../db/administration/webhook/webhook-event.writes';
import { execute, firstRow } from '../../../../db/sql/query';
import { v7 } from 'uuid';
import { factsOfReport } from '../../../../workflows/commerce/payment/payment-report.rules';
import { paymentEventProcess } from '../../../../workflows/commerce/payment-event/payment-event.contract';
import { given } from '../../../support/builders/given';
import { eventually } from '../../../support/checks/eventually';
import { startStuckWorld, type StuckWorld } from './stuck-refund';

let stuck: StuckWorld;
beforeAll(async () => {
  stuck = await startStuckWorld();
});
afterAll(() => stuck.world.teardown());

const Listed = z.array(
  z.object({
    workflowId: z.string(),
    order: z.object({ id: z.string(), orderNumber: z.string() }).nullable(),
    amount: z.number().nullable(),
  }),
);
const Shown = z.array(z.object({ workflowId: z.string(), type: z.string(), status: z.string() }));

const named = (orderId: string) =>
  firstRow<{ attemptId: string; amountMinor: number; number: string; paymentId: string | null }>(
    stuck.world.db,
    `SELECT a.id AS attempt_id, a.amount_minor, o.number, c.provider_payment_id AS payment_id
     FROM orders o JOIN payment_attempts a ON a.order_id = o.id LEFT JOIN payment_captures c ON c.order_id = o.id
     WHERE o.id = $1`,
    [orderId],
  ).then((found) => found!);

/** Stores a report and starts its process; answers the process's id. */
async function reported(type: string, data: object, externalEventId = v7()): Promise<string> {
  const event = { provider: 'sandbox', externalEventId };
  const webhookEventId = v7();
  // Escaped quotes, empty strings, and what PostgreSQL's JSON does not take: a zero character and a huge number.
  const body = JSON.stringify({ note: 'said "\u0000"\\', none: '', huge: 0, type, data }).replace(
    '"huge":0',
    '"huge":1e999999',
  );
  const stored = { id: webhookEventId, ...event, type, body, bodyHash: 'x', known: true, at: new Date() };
  await storeWebhookEvent(stuck.world.db, { ...stored, ...factsOfReport(type, { data }) });
  await stuck.world.processes.start(paymentEventProcess, { ...event, webhookEventId });
  return paymentEventProcess.id({ ...event, webhookEventId });
}

const entryOf = (workflowId: string) =>
  eventually(async () => {
    const { body } = await stuck.list();
    const found = Listed.parse(body.data.operations).find((one) => one.workflowId === workflowId);
    if (!found) throw new Error('It is not parked yet.');
    return found;
  });

async function reportsOf(orderId: string) {
  const answer = await stuck.world.http
    .get(`/api/v1/admin/orders/${orderId}`)
    .auth(stuck.token, { type: 'bearer' });
  return Shown.parse(answer.body.data.processes)
    .filter(({ type }) => type === 'paymentEvent')
    .map(({ workflowId, status }) => [workflowId, status]);
}

test('a report that is parked is found by its order; so is it when it was applied, and the decision about it', async () => {
  const { world, decide } = stuck;
  const { orderId } = await given(world).order();
  const { attemptId, amountMinor, number } = await named(orderId);
  const payment = { key: attemptId, paymentId: v7(), amountMinor, currency: 'usd' };
  const workflowId = await reported('payment.paid', payment);
  expect(await entryOf(workflowId)).toEqual({
    workflowId,
    order: { id: orderId, orderNumber: number },
    amount: amountMinor / 100,
  });
  expect(await reportsOf(orderId)).toEqual([[workflowId, 'PARKED']]);

  await execute(world.db, `UPDATE webhook_events SET body = replace(body, 'usd', 'USD') WHERE body LIKE $1`, [
    `%${attemptId}%`,
  ]);
  expect((await decide(workflowId, 'retry')).status).toBe(200);
  await eventually(async () => expect(await reportsOf(orderId)).toEqual([[workflowId, 'COMPLETED']]));
  expect(
    await firstRow(
      world.db,
      `SELECT w.subject, w.user_id = o.user_id AS is_buyers FROM webhook_events w JOIN orders o ON o.id = w.order_id
       WHERE w.order_id = $1`,
      [orderId],
    ),
  ).toEqual({ subject: attemptId, isBuyers: true });
  expect(
    await firstRow(
      world.db,
      `SELECT next ->> 'orderId' AS order_id FROM audit_records WHERE entity_id = $1`,
      [workflowId],
    ),
  ).toEqual({ orderId });
});

test('a parked report about a chargeback is found by the order of its payment; given up, it is still shown', async () => {
  const { world, decide } = stuck;
  const { orderId } = await given(world).order().paid();
  const { paymentId, number } = await named(orderId);
  const data = { key: v7(), paymentId, chargebackId: v7(), amountMinor: 1, currency: 'usd' };
  const workflowId = await reported('payment.charged_back', data);
  expect((await entryOf(workflowId)).order).toEqual({ id: orderId, orderNumber: number });
  expect((await decide(workflowId, 'abandon')).status).toBe(200);
  await eventually(async () => expect(await reportsOf(orderId)).toContainEqual([workflowId, 'COMPLETED']));
});

test('a report whose provider gave it a very long id has a short one here, and is decided on', async () => {
  const { world, decide } = stuck;
  const { orderId } = await given(world).order();
  const { attemptId, amountMinor } = await named(orderId);
  const payment = { key: attemptId, paymentId: v7(), amountMinor, currency: 'usd' };
  const workflowId = await reported('payment.paid', payment, v7().padEnd(255, 'x'));
  expect(workflowId).toMatch(/^webhook:sandbox:[0-9a-f-]{36}$/);
  await entryOf(workflowId);
  expect((await decide(workflowId, 'abandon')).status).toBe(200);
  const tooLong = await decide('x'.repeat(401), 'retry');
  expect([tooLong.status, tooLong.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
});
