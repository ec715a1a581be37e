import { randomUUID } from 'node:crypto';
import { firstRow, rows } from '../../../../db/sql/query';
import { participationProcess } from '../../../../workflows/investment/participation/participation.contract';
import { PROVIDER_QUEUES } from '../../../../workers/queues';
import { invested, investmentState, PRINCIPAL_MINOR } from '../../../support/builders/investing/invested';
import { investor } from '../../../support/builders/investing/investors';
import { make } from '../../../support/builders/make';
import { orderSteps, storedReport } from '../../../support/builders/ordering';
import { keepHistory } from '../../../support/checks/histories';
import { ownCheckedWorld } from '../../../support/worlds/world';
import { staff } from '../../orders/returning';

let clerk: Awaited<ReturnType<typeof staff>>;
const world = ownCheckedWorld({ queues: ['interactive', 'ingest', ...PROVIDER_QUEUES] });
beforeAll(async () => {
  clerk = await staff(world);
});

const cancel = (id: string, body: object = { reason: 'Never paid.' }, key: string = randomUUID()) =>
  world.http
    .post(`/api/v1/admin/participations/${id}/cancel`)
    .auth(clerk.token, { type: 'bearer' })
    .set('idempotency-key', key)
    .send(body);
const processOf = (participationId: string) =>
  world.temporal.workflow.getHandle(participationProcess.id({ participationId }));

test('one that waits is cancelled at once, by whom and why is audited, and late money goes back', async () => {
  const ada = await investor(world);
  const { id: strategyId } = await make.strategy(world.db);
  const opened = await ada.invest(strategyId, { paymentMethod: 'CARD' });
  const id = opened.body.data.participationId as string;
  const answer = await cancel(id);
  expect([answer.status, answer.body.data]).toEqual([200, { participationId: id, status: 'CANCELLED' }]);
  expect(await investmentState(world.db, id)).toMatchObject({
    ...{ participation: 'CANCELLED FAILED', reservedMinor: 0, attempts: ['CARD EXPIRED'] },
  });
  expect(await processOf(id).result()).toBe('CANCELLED');
  await keepHistory(processOf(id), 'cancelled-by-an-administrator');
  const trail = await rows(
    world.db,
    `SELECT actor_id AS actor, action, next->>'reason' AS reason FROM audit_records WHERE entity_id = $1`,
    [id],
  );
  expect(trail).toEqual([{ actor: clerk.id, action: 'participation.cancel', reason: 'Never paid.' }]);

  const attempt = await firstRow<{ id: string }>(
    world.db,
    'SELECT id FROM payment_attempts WHERE participation_id = $1',
    [id],
  );
  const paid = { attemptId: attempt!.id, amountMinor: PRINCIPAL_MINOR };
  const { webhookEventId } = await storedReport(world.db, 'PAID', paid);
  const at = new Date().toISOString();
  expect(await orderSteps(world.db).applyPaymentEvent({ webhookEventId, at })).toMatchObject({
    outcome: 'RETURNED',
  });
});

test('one whose process was lost, too; a repetition after a lost answer has the same', async () => {
  const { id } = await invested(world.db, { method: 'BANK_TRANSFER' });
  const key = randomUUID();
  expect((await cancel(id, undefined, key)).status).toBe(200);
  await rows(
    world.db,
    `UPDATE idempotency_keys SET state = 'OPEN', status = NULL, body = NULL WHERE key = $1 RETURNING key`,
    [key],
  );
  expect((await cancel(id, undefined, key)).body.data).toEqual({ participationId: id, status: 'CANCELLED' });
});

test('refused: CANNOT_CANCEL unless it waits, PARTICIPATION_NOT_FOUND, VALIDATION_ERROR without a reason', async () => {
  const { number } = await make.participation(world.db, { status: 'MATURED' });
  const { id } = await make.participation(world.db);
  const outcomes = [
    await cancel(number),
    await cancel(randomUUID()),
    await cancel(id, {}),
    await cancel(id),
    await cancel(id),
  ].map(({ status, body }) => `${status} ${body.error?.code ?? body.data.status}`);
  expect(outcomes).toEqual([
    '400 CANNOT_CANCEL',
    '404 PARTICIPATION_NOT_FOUND',
    '400 VALIDATION_ERROR',
    '200 CANCELLED',
    '400 CANNOT_CANCEL',
  ]);
});
