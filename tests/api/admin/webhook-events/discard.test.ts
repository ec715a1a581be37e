import { v7 } from 'uuid';
import { firstRow, rows } from '../../../../db/sql/query';
import {
  investmentProvider,
  type InvestmentProvider,
} from '../../../support/builders/investing/investment-provider';
import { make } from '../../../support/builders/make';
import { storedReport } from '../../../support/builders/ordering';
import { signIn } from '../../../support/builders/sign-in';
import { eventually } from '../../../support/checks/eventually';
import { ownCheckedWorld } from '../../../support/worlds/world';
import { paymentEventProcess } from '../../../../workflows/commerce/payment-event/payment-event.contract';

let provider: InvestmentProvider;
let token: string;
let admin: Awaited<ReturnType<typeof make.admin>>;

const world = ownCheckedWorld();
beforeAll(async () => {
  provider = await investmentProvider(world);
  admin = await make.admin(world.db);
  token = await signIn(world, admin);
});

const reason = 'The provider has sent a corrected report.';
const discard = (id: string, body: object = { reason }, key?: string) => {
  const request = world.http
    .post(`/api/v1/admin/webhook-events/${id}/discard`)
    .auth(token, { type: 'bearer' })
    .send(body);
  return key === undefined ? request : request.set('Idempotency-Key', key);
};
const audited = (id: string) =>
  rows(
    world.db,
    `SELECT previous, next FROM audit_records WHERE action = 'webhook-event.discard' AND entity_id = $1`,
    [id],
  );

/** A report that is DEAD, because it lacks everything; one that waits for an investment. */
async function sent(status: 'DEAD' | 'WAITING') {
  const id = v7();
  const investmentExternalId = v7();
  const data = status === 'DEAD' ? {} : { externalId: v7(), investmentExternalId, amount: 1 };
  await provider.send('profit.distributed', data, { id });
  const { id: eventId, error } = await provider.becomes(id, status);
  return { id, eventId, error, investmentExternalId };
}

const refused = (answer: { body: { error: object } }) =>
  expect(answer.body.error).toMatchObject({
    code: 'VALIDATION_ERROR',
    reason: 'EVENT_NOT_DISCARDABLE',
  });

describe('POST /admin/webhook-events/:id/discard', () => {
  test('ends a dead report for good, with the reason, and is audited', async () => {
    const { id, eventId, error } = await sent('DEAD');
    const { body } = await discard(eventId).expect(200);
    expect(body.data).toEqual({ id: eventId, status: 'DISCARDED' });
    expect(await provider.stored(id)).toMatchObject({ status: 'DISCARDED', error: reason });
    expect(await audited(eventId)).toEqual([
      { previous: { status: 'DEAD', lastError: error }, next: { status: 'DISCARDED', reason } },
    ]);
    const replayed = await world.http
      .post(`/api/v1/admin/webhook-events/${eventId}/replay`)
      .auth(token, { type: 'bearer' })
      .send({})
      .expect(400);
    expect(replayed.body.error.code).toBe('NOT_REPLAYABLE');
  });

  test('ends the process of one that waits, and its investment does not apply it', async () => {
    const { id, eventId, investmentExternalId } = await sent('WAITING');
    await discard(eventId).expect(200);
    const process = world.temporal.workflow.getHandle(`webhook:${provider.code}:${eventId}`);
    expect(await process.result()).toBe('DISCARDED');
    const strategy = await make.strategy(world.db, { providerCode: provider.code });
    await make.participation(world.db, {
      ...{ strategyId: strategy.id, status: 'ACTIVE', externalId: investmentExternalId },
    });
    expect(await provider.stored(id)).toMatchObject({ status: 'DISCARDED' });
  });

  test('ends that of a payment', async () => {
    const event = await storedReport(world.db, 'PAID', { attemptId: v7() });
    await world.processes.start(paymentEventProcess, event);
    const status = () =>
      firstRow(world.db, 'SELECT status FROM webhook_events WHERE id = $1', [event.webhookEventId]);
    await eventually(async () => expect(await status()).toEqual({ status: 'WAITING' }));
    await discard(event.webhookEventId).expect(200);
    const process = world.temporal.workflow.getHandle(paymentEventProcess.id(event));
    expect(await process.result()).toBe('DISCARDED');
  });

  test('a repeat has the same answer and is not recorded again; another reason is refused', async () => {
    const { eventId } = await sent('DEAD');
    const key = v7();
    for (const sentKey of [key, key, undefined]) {
      const { body } = await discard(eventId, { reason }, sentKey).expect(200);
      expect(body.data).toEqual({ id: eventId, status: 'DISCARDED' });
    }
    expect(await audited(eventId)).toHaveLength(1);
    refused(await discard(eventId, { reason: 'Another one.' }).expect(400));
  });

  test('ten at once are one decision', async () => {
    const { eventId } = await sent('DEAD');
    const answers = await Promise.all(Array.from({ length: 10 }, () => discard(eventId)));
    expect(answers.map(({ status }) => status)).toEqual(Array<number>(10).fill(200));
    expect(await audited(eventId)).toHaveLength(1);
  });

  test('a report that comes again from its provider stays discarded', async () => {
    const { id, eventId } = await sent('DEAD');
    await discard(eventId).expect(200);
    await provider.send('profit.distributed', {}, { id }).expect(200);
    expect(await provider.stored(id)).toMatchObject({ status: 'DISCARDED' });
  });

  test('is refused for one that names the administrator, and leaves it', async () => {
    const id = v7();
    await provider.send('investment.created', { userId: admin.id }, { id });
    const { id: eventId } = await provider.becomes(id, 'DEAD');
    const { body } = await discard(eventId).expect(403);
    expect(body.error.code).toBe('FORBIDDEN');
    expect(await provider.stored(id)).toMatchObject({ status: 'DEAD' });
    expect(await audited(eventId)).toEqual([]);
  });

  test('is refused for an unknown one, for one that was ignored, and without a reason', async () => {
    const unknown = await discard(v7()).expect(404);
    expect(unknown.body.error.code).toBe('EVENT_NOT_FOUND');
    const id = v7();
    await provider.send('kyc.seen', {}, { id });
    const { id: ignored } = (await provider.stored(id))!;
    refused(await discard(ignored).expect(400));
    for (const body of [{}, { reason: ' ab ' }, { reason: 'x'.repeat(501) }]) {
      const { body: answer } = await discard(ignored, body).expect(400);
      expect(answer.error.code).toBe('VALIDATION_ERROR');
      expect(JSON.stringify(answer.error.details)).toContain('reason');
    }
  });
});
