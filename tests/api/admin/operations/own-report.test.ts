import { ApplicationFailure } from '@temporalio/common';
import type { Response } from 'supertest';
import { v7 } from 'uuid';
import { storeWebhookEvent } from '../../../../db/administration/webhook/webhook-event.writes';
import { execute, firstRow, rows } from '../../../../db/sql/query';
import { factsOfReport } from '../../../../workflows/commerce/payment/payment-report.rules';
import { paymentEventProcess } from '../../../../workflows/commerce/payment-event/payment-event.contract';
import { providerEventProcess } from '../../../../workflows/investment/provider-event/provider-event.contract';
import { PROVIDER_QUEUES } from '../../../../workers/queues';
import { given } from '../../../support/builders/given';
import { make } from '../../../support/builders/make';
import { insert } from '../../../support/builders/make/insert';
import { entrance } from '../../../support/builders/partnering/entering';
import { topUp } from '../../../support/builders/wallets/top-ups';
import { signIn } from '../../../support/builders/sign-in';
import { eventually } from '../../../support/checks/eventually';
import { ownWorld } from '../../../support/worlds/world';

const PROVIDER = 'anywhere';
let admin: Awaited<ReturnType<typeof make.admin>>;
let tokens: Record<'own' | 'other', string>;

/** No report can be applied, so that each of them waits for a person. */
const fails = (): Promise<never> => Promise.reject(ApplicationFailure.nonRetryable('the disk is full'));
const world = ownWorld({
  queues: ['interactive', 'ingest', ...PROVIDER_QUEUES],
  fakes: () => ({ applyPaymentEvent: fails, applyProviderEvent: fails }),
});
beforeAll(async () => {
  await make.provider(world.db, { code: PROVIDER });
  admin = await make.admin(world.db);
  tokens = { own: await signIn(world, admin), other: await signIn(world, await make.admin(world.db)) };
});

/** Stores a report and starts its process; answers the process's id when it waits for a person. */
async function parked(kind: 'INVESTMENT' | 'PAYMENT', type: string, body: string): Promise<string> {
  const [process, provider] =
    kind === 'PAYMENT'
      ? ([paymentEventProcess, 'sandbox'] as const)
      : ([providerEventProcess, PROVIDER] as const);
  const event = { provider, externalEventId: v7(), webhookEventId: v7() };
  const stored = { kind, type, body, bodyHash: 'x', known: true, at: new Date() } as const;
  const { provider: by, externalEventId } = event;
  const facts = kind === 'PAYMENT' ? factsOfReport(type, JSON.parse(body)) : {};
  await storeWebhookEvent(world.db, {
    id: event.webhookEventId,
    provider: by,
    externalEventId,
    ...facts,
    ...stored,
  });
  await world.processes.start(process, event);
  const workflowId = process.id(event);
  await eventually(async () => expect(await stateOf(workflowId)).toBe('PARKED'));
  return workflowId;
}

const stateOf = async (workflowId: string): Promise<string | undefined> =>
  (
    await firstRow<{ state: string }>(world.db, 'SELECT state FROM parked_processes WHERE workflow_id = $1', [
      workflowId,
    ])
  )?.state;

const post = async (path: string, body: object, token: string): Promise<Response> =>
  world.http.post(`/api/v1/admin/operations/${path}`).auth(token, { type: 'bearer' }).send(body);

/** None of the decisions on it is made for this person. */
async function isRefused(workflowId: string, token: string): Promise<void> {
  const path = encodeURIComponent(workflowId);
  for (const verb of ['retry', 'abandon']) {
    const { status, body } = await post(`${path}/${verb}`, {}, token);
    expect([status, body.error?.code]).toEqual([403, 'FORBIDDEN']);
    expect(body.error.message).toBe(
      'You cannot decide on a report about yourself, your own payment or investment.',
    );
  }
  const { body } = await post('retry', { ids: [workflowId] }, token);
  expect(body.data.results).toMatchObject([{ id: workflowId, ok: false, error: { code: 'FORBIDDEN' } }]);
  expect(await stateOf(workflowId)).toBe('PARKED');
  expect(await rows(world.db, 'SELECT 1 FROM audit_records WHERE entity_id = $1', [workflowId])).toEqual([]);
}

/** Nobody decides on it who is named in it, and another does. */
async function isForAnother(workflowId: string): Promise<void> {
  await isRefused(workflowId, tokens.own);
  const path = `${encodeURIComponent(workflowId)}/abandon`;
  expect((await post(path, {}, tokens.other)).status).toBe(200);
  await eventually(async () => expect(await stateOf(workflowId)).toBeUndefined());
}

describe('an administrator decides on no parked report of an investment provider about themselves', () => {
  const report = (data: object, type = 'investment.created') =>
    parked('INVESTMENT', type, JSON.stringify({ type, data: { externalId: v7(), ...data } }));

  test('on their own investment', async () => {
    const investmentExternalId = v7();
    const { id: strategyId } = await make.strategy(world.db, { providerCode: PROVIDER });
    const own = { strategyId, userId: admin.id, externalId: investmentExternalId } as const;
    await make.participation(world.db, { ...own, status: 'ACTIVE', origin: 'PROVIDER' });
    await isForAnother(await report({ investmentExternalId, amount: 900 }, 'profit.distributed'));
  });

  test.each([
    ['id', () => ({ userId: admin.id })],
    ['email address', () => ({ email: admin.email.toUpperCase() })],
  ])('that names them by %s', async (_, who) => {
    await isForAnother(await report(who()));
  });

  test('whose text nobody can read, which none is taken of: it may be about anybody', async () => {
    const workflowId = await parked('INVESTMENT', 'profit.distributed', '{');
    for (const token of Object.values(tokens)) await isRefused(workflowId, token);
  });
});

describe('an administrator decides on no parked report of a payment of theirs', () => {
  /** An open attempt to pay for it; answers a report that names it. */
  async function reported(of: object): Promise<string> {
    const [key, at] = [v7(), new Date()];
    await insert(world.db, 'payment_attempts', {
      ...{ id: key, ...of, sequence: 1, method: 'CARD', provider: 'sandbox', status: 'PENDING' },
      ...{ amount_minor: 1_00, currency: 'USD', expires_at: at, created_at: at, updated_at: at },
    });
    return JSON.stringify({ type: 'payment.paid', data: { key, paymentId: v7() } });
  }

  test.each([
    ['top-up', async (userId: string) => ({ top_up_id: (await topUp(world.db, { userId })).id })],
    ['entrance fee', async (userId: string) => ({ entrance_id: (await entrance(world.db, { userId })).id })],
    [
      'participation',
      async (userId: string) => ({ participation_id: (await make.participation(world.db, { userId })).id }),
    ],
  ])('a %s', async (_, payable) => {
    await isForAnother(await parked('PAYMENT', 'payment.paid', await reported(await payable(admin.id))));
    const { id: userId } = await make.user(world.db);
    const others = await parked('PAYMENT', 'payment.paid', await reported(await payable(userId)));
    expect((await post(`${encodeURIComponent(others)}/abandon`, {}, tokens.own)).status).toBe(200);
  });

  test('an order, also when the text of the report is deleted', async () => {
    const { orderId, attemptId: key } = await given(world.db).order();
    await execute(world.db, 'UPDATE orders SET user_id = $1 WHERE id = $2', [admin.id, orderId]);
    const report = JSON.stringify({ type: 'payment.paid', data: { key, paymentId: v7() } });
    const workflowId = await parked('PAYMENT', 'payment.paid', report);
    await execute(
      world.db,
      `UPDATE webhook_events SET body = NULL, status = 'PROCESSED', processed_at = now() WHERE body = $1`,
      [report],
    );
    await isForAnother(workflowId);
  });
});
