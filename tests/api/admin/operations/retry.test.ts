import { v7 } from 'uuid';
import { z } from 'zod';
import type { operationView } from '../../../../api/admin/operations/operation.view';
import { execute } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import { insert } from '../../../support/builders/make/insert';
import { signIn } from '../../../support/builders/sign-in';
import { eventually } from '../../../support/checks/eventually';
import { startStuckWorld, type StuckWorld } from './stuck-refund';

type Operation = ReturnType<typeof operationView>;

let stuck: StuckWorld;
beforeAll(async () => {
  stuck = await startStuckWorld();
});
afterAll(() => stuck.world.teardown());

const entryOf = async (workflowId: string): Promise<Operation | undefined> =>
  ((await stuck.list()).body.data.operations as Operation[]).find((one) => one.workflowId === workflowId);
const entryIs = (workflowId: string, expected: object): Promise<void> =>
  eventually(async () => expect(await entryOf(workflowId)).toMatchObject(expected));
const codeOf = ({ body }: Awaited<ReturnType<StuckWorld['decide']>>): unknown =>
  (body as { error: { code: string; message: string } }).error;

/** Holds the bank's next answers until the returned function is called. */
function holdBank(): () => void {
  let release: () => void = () => undefined;
  stuck.bank.held = new Promise((resolve) => (release = resolve));
  return release;
}

it('a step is parked: an administrator sees what it is about, retries with a note, sees RETRYING, and then it is gone', async () => {
  const { world, bank, decide } = stuck;
  const clerk = await make.admin(world.db);
  const token = await signIn(world, clerk);
  const { orderId, workflowId } = await stuck.stuckRefund();
  expect(await entryOf(workflowId)).toMatchObject({
    state: 'PARKED',
    order: { id: orderId, orderNumber: expect.stringMatching(/^ORD-\d{4}-\d{8}$/) as string },
    user: { email: expect.stringContaining('@') as string },
    amount: 30,
    currency: 'USD',
    attempts: 1,
    reason: 'Could not send the money back through the provider.',
    lastError: 'the bank refuses',
    actions: ['RETRY', 'ABANDON'],
    note: null,
    retry: null,
  });

  // The first try is in vain: it is listed again, with one attempt more and the note.
  expect((await decide(workflowId, 'retry', token, { note: 'The bank says it works.' })).status).toBe(200);
  await entryIs(workflowId, { state: 'PARKED', attempts: 2, note: 'The bank says it works.', retry: null });

  const release = holdBank();
  expect((await decide(workflowId, 'retry', token, { note: 'The account is open again.' })).status).toBe(200);
  await entryIs(workflowId, {
    state: 'RETRYING',
    attempts: 2,
    actions: [],
    note: 'The account is open again.',
    retry: { at: expect.any(String) as string, by: { id: clerk.id, email: clerk.email } },
  });
  for (const verb of ['retry', 'abandon'] as const)
    expect(codeOf(await decide(workflowId, verb))).toMatchObject({
      code: 'NOT_PARKED',
      message: 'This operation is being retried already.',
    });
  bank.refuses = false;
  release();
  expect(await world.temporal.workflow.getHandle(workflowId).result()).toBe('COMPLETED');
  expect(await entryOf(workflowId)).toBeUndefined();

  const records = await recordsOf(`actor=${clerk.email.toUpperCase()}&entityType=order&entityId=${orderId}`);
  const actor = { id: clerk.id, email: clerk.email };
  const decision = { action: 'operation.retry', entityType: 'process', entityId: workflowId, actor };
  expect(records).toMatchObject([
    { ...decision, next: { decision: 'retry', orderId, note: 'The account is open again.' } },
    { ...decision, next: { decision: 'retry', orderId, note: 'The bank says it works.' } },
  ]);
});

it('of two retries at once one is carried out, and the other is told so', async () => {
  const { workflowId } = await stuck.stuckRefund();
  const release = holdBank();
  const answers = await Promise.all([stuck.decide(workflowId, 'retry'), stuck.decide(workflowId, 'retry')]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(answers.filter(({ status }) => status === 409).map(codeOf)).toMatchObject([
    { code: 'NOT_PARKED', message: 'This operation is being retried already.' },
  ]);
  await entryIs(workflowId, { state: 'RETRYING', attempts: 1 });
  release();
  await entryIs(workflowId, { state: 'PARKED', attempts: 2 });
});

it('the same keyed retry, repeated after its answer was lost, gets the same answer', async () => {
  const { workflowId } = await stuck.stuckRefund();
  const release = holdBank();
  const retry = () =>
    stuck.world.http
      .post(`/api/v1/admin/operations/${workflowId}/retry`)
      .auth(stuck.token, { type: 'bearer' })
      .set('idempotency-key', `retry-${workflowId}`)
      .send({ note: 'once' });
  const first = await retry();
  await entryIs(workflowId, { state: 'RETRYING' });
  const second = await retry();
  expect([first.status, second.status]).toEqual([200, 200]);
  expect(second.body.data).toEqual(first.body.data);
  release();
  await entryIs(workflowId, { state: 'PARKED', attempts: 2 });
});

it('a process that is cancelled while it is retried leaves the list', async () => {
  const { workflowId } = await stuck.stuckRefund();
  const release = holdBank();
  await stuck.decide(workflowId, 'retry');
  await entryIs(workflowId, { state: 'RETRYING' });
  await stuck.world.temporal.workflow.getHandle(workflowId).cancel();
  release();
  await eventually(async () => expect(await entryOf(workflowId)).toBeUndefined());
});

it('OPERATION_NOT_FOUND for an unknown process, VALIDATION_ERROR for a note that is too long', async () => {
  const { workflowId } = await stuck.stuckRefund();
  expect(codeOf(await stuck.decide('payment-refund:unknown', 'retry'))).toMatchObject({
    code: 'OPERATION_NOT_FOUND',
    message: 'No such operation.',
  });
  for (const verb of ['retry', 'abandon'] as const)
    expect(
      codeOf(await stuck.decide(workflowId, verb, stuck.token, { note: 'x'.repeat(501) })),
    ).toMatchObject({ code: 'VALIDATION_ERROR', details: { note: expect.anything() as unknown } });
});

const Records = z.array(z.looseObject({ action: z.string(), entityId: z.string() }));
async function recordsOf(query: string): Promise<z.infer<typeof Records>> {
  const { body } = await stuck.world.http
    .get(`/api/v1/admin/audit-logs?${query}`)
    .auth(stuck.token, { type: 'bearer' });
  return Records.parse(body.data.records);
}

it.each(['retry', 'abandon'] as const)('nobody can %s the process of their own review', async (verb) => {
  const { world, decide } = stuck;
  const admin = await make.admin(world.db);
  const one = await make.verification(world.db, { userId: admin.id });
  await execute(world.db, `UPDATE users SET kyc_status = 'SUBMITTED' WHERE id = $1`, [admin.id]);
  const workflowId = `kyc-review:${one.id}`;
  await insert(world.db, 'parked_processes', {
    ...{ workflow_id: workflowId, run_id: v7(), type: 'kycReview', entity_id: one.id, user_id: admin.id },
    ...{
      reason: 'It failed.',
      last_error: 'the disk is full',
      since: new Date(),
      state: 'PARKED',
      attempts: 1,
    },
  });
  const own = await decide(workflowId, verb, await signIn(world, admin));
  expect(own.status).toBe(403);
  expect(codeOf(own)).toMatchObject({ code: 'FORBIDDEN' });
  // Of another administrator it reaches the process, which is not there.
  expect(codeOf(await decide(workflowId, verb))).toMatchObject({ code: 'NOT_PARKED' });
});
