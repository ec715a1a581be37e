import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import { v7 } from 'uuid';
import { park } from '../../../../db/administration/operations/parking.writes';
import { execute, rows } from '../../../../db/sql/query';
import { payoutProcess } from '../../../../workflows/commerce/payout/payout.contract';
import { make } from '../../../support/builders/make';
import { payee, payoutSteps, processed } from '../../../support/builders/paying-out/payees';
import { signIn } from '../../../support/builders/sign-in';
import { eventually } from '../../../support/checks/eventually';
import { outcomeOf } from '../admin-world';
import { startStuckWorld, type StuckWorld } from './stuck-refund';
import { FakePayouts } from '../../../support/fakes/fake-payouts';

let stuck: StuckWorld;
beforeAll(async () => {
  stuck = await startStuckWorld();
});
afterAll(() => stuck.world.teardown());

const retry = async (ids: readonly unknown[], more: object = {}, token: string | null = stuck.token) => {
  const request = stuck.world.http.post('/api/v1/admin/operations/retry');
  if (token !== null) void request.auth(token, { type: 'bearer' });
  return request.send({ ids, ...more });
};
const resultsOf = ({ body }: Response) =>
  (body.data.results as { id: string; ok: boolean; error?: { code: string } }[]).map(({ id, ok, error }) =>
    ok ? [id, 'ok'] : [id, error?.code],
  );
const listed = async (): Promise<string[]> =>
  ((await stuck.list()).body.data.operations as { workflowId: string }[]).map(({ workflowId }) => workflowId);

test('several parked refunds are seen, retried at once with one note, and gone; each is audited', async () => {
  const all = [await stuck.stuckRefund(), await stuck.stuckRefund(), await stuck.stuckRefund()];
  const ids = all.map(({ workflowId }) => workflowId);
  expect(await listed()).toEqual(ids);
  stuck.bank.refuses = false;
  const unknown = `payment-refund:${randomUUID()}`;
  const answer = await retry([...ids, unknown], { note: 'The bank is back.' });
  expect(answer.status).toBe(200);
  expect(resultsOf(answer)).toEqual([...ids.map((id) => [id, 'ok']), [unknown, 'OPERATION_NOT_FOUND']]);
  await eventually(async () => expect(await listed()).toEqual([]));
  for (const { workflowId, orderId } of all)
    expect(
      await rows(stuck.world.db, `SELECT action, next FROM audit_records WHERE entity_id = $1`, [workflowId]),
    ).toEqual([
      { action: 'operation.retry', next: { decision: 'retry', orderId, note: 'The bank is back.' } },
    ]);
});

test('the same request again under its key gets the same answer and decides nothing anew', async () => {
  const { workflowId } = await stuck.stuckRefund();
  stuck.bank.refuses = false;
  const key = randomUUID();
  const send = () =>
    stuck.world.http
      .post('/api/v1/admin/operations/retry')
      .auth(stuck.token, { type: 'bearer' })
      .set('Idempotency-Key', key)
      .send({ ids: [workflowId] });
  const first = await send();
  expect(resultsOf(first)).toEqual([[workflowId, 'ok']]);
  await eventually(async () => expect(await listed()).toEqual([]));
  const again = await send();
  expect([again.body, again.headers['idempotent-replayed']]).toEqual([first.body, 'true']);
});

test('two administrators at once: each process is decided once', async () => {
  const ids = [(await stuck.stuckRefund()).workflowId, (await stuck.stuckRefund()).workflowId];
  stuck.bank.refuses = false;
  const other = await signIn(stuck.world, await make.admin(stuck.world.db));
  const answers = await Promise.all([retry(ids), retry([...ids].reverse(), {}, other)]);
  await eventually(async () => expect(await listed()).toEqual([]));
  for (const id of ids) {
    const outcomes = answers.map((answer) => resultsOf(answer).find(([of]) => of === id)?.[1]);
    expect(outcomes.filter((outcome) => outcome === 'ok')).toHaveLength(1);
    expect(
      await rows(stuck.world.db, 'SELECT 1 AS one FROM audit_records WHERE entity_id = $1', [id]),
    ).toHaveLength(1);
  }
});

test('an own payout is refused, and the others go on', async () => {
  const { db } = stuck.world;
  const admin = await make.admin(db);
  const one = await payee(db);
  const payoutId = await processed(db, payoutSteps(db, new FakePayouts()), one, 12_34);
  const own = payoutProcess.id({ payoutId });
  const entry = {
    workflowId: own,
    type: payoutProcess.type,
    entityId: payoutId,
    userId: admin.id,
    reason: 'x',
    lastError: 'x',
  };
  await park(db, { ...entry, since: new Date().toISOString(), runId: v7() });
  const { workflowId } = await stuck.stuckRefund();
  stuck.bank.refuses = false;
  const answer = await retry([own, workflowId], {}, await signIn(stuck.world, admin));
  expect(resultsOf(answer)).toEqual([
    [own, 'FORBIDDEN'],
    [workflowId, 'ok'],
  ]);
  expect(await rows(db, 'SELECT 1 AS one FROM audit_records WHERE entity_id = $1', [own])).toEqual([]);
  await eventually(async () => expect(await listed()).toEqual([own]));
  await execute(db, 'DELETE FROM parked_processes WHERE workflow_id = $1', [own]);
});

test('an own refund neither is retried nor abandoned nor settled', async () => {
  const { db } = stuck.world;
  const { orderId, workflowId } = await stuck.stuckRefund();
  const buyer = await rows<{ userId: string }>(db, 'SELECT user_id FROM orders WHERE id = $1', [orderId]);
  const { userId } = buyer[0]!;
  await execute(db, `UPDATE users SET roles = '{USER,ADMIN}' WHERE id = $1`, [userId]);
  const token = await signIn(stuck.world, { id: userId });
  expect(resultsOf(await retry([workflowId], {}, token))).toEqual([[workflowId, 'FORBIDDEN']]);
  for (const verb of ['retry', 'abandon'] as const)
    expect(outcomeOf(await stuck.decide(workflowId, verb, token))).toBe('403 FORBIDDEN');
  const path = `/api/v1/admin/operations/${encodeURIComponent(workflowId)}/settle`;
  for (const outcome of ['DONE', 'REFUSED']) {
    const body = { outcome, reference: randomUUID() };
    const answer = await stuck.world.http.post(path).auth(token, { type: 'bearer' }).send(body);
    expect(outcomeOf(answer)).toBe('403 FORBIDDEN');
  }
  stuck.bank.refuses = false;
  expect(resultsOf(await retry([workflowId]))).toEqual([[workflowId, 'ok']]);
  await eventually(async () => expect(await listed()).toEqual([]));
});

test.each([
  ['none', []],
  ['too many', Array.from({ length: 101 }, (_, n) => `checkout:${n}`)],
  ['one twice', ['checkout:1', 'checkout:1']],
  ['an empty one', ['']],
  ['one too long', ['x'.repeat(401)]],
  ['no text', [1]],
])('wrong ids: %s', async (_, ids) => {
  const answer = await retry(ids);
  expect(outcomeOf(answer)).toBe('400 VALIDATION_ERROR');
  expect(Object.keys(answer.body.error.details as object)[0]).toMatch(/^ids/);
});

test('hostile ids are unknown operations, a hundred of them in one request', async () => {
  const hostile = ["'; DROP TABLE parked_processes; --", '../../etc/passwd', '__proto__', '%00', '💥'];
  const ids = [...hostile, ...Array.from({ length: 95 }, (_, n) => `checkout:${n}`)];
  const answer = await retry(ids);
  expect([answer.status, new Set(resultsOf(answer).map(([, code]) => code))]).toEqual([
    200,
    new Set(['OPERATION_NOT_FOUND']),
  ]);
});

test('is for administrators', async () => {
  const buyer = await signIn(stuck.world, await make.buyer(stuck.world.db));
  expect(outcomeOf(await retry(['checkout:1'], {}, buyer))).toBe('403 FORBIDDEN');
  expect(outcomeOf(await retry(['checkout:1'], {}, null))).toBe('401 UNAUTHORIZED');
});
