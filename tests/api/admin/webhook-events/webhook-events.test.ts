import { v7 } from 'uuid';
import { execute, rows } from '../../../../db/sql/query';
import {
  investmentProvider,
  type InvestmentProvider,
} from '../../../support/builders/investing/investment-provider';
import { given } from '../../../support/builders/given';
import { make } from '../../../support/builders/make';
import { storedReport } from '../../../support/builders/ordering';
import { signIn } from '../../../support/builders/sign-in';
import { eventually } from '../../../support/checks/eventually';
import { ownCheckedWorld } from '../../../support/worlds/world';

let provider: InvestmentProvider;
let token: string;

const world = ownCheckedWorld();
beforeAll(async () => {
  provider = await investmentProvider(world);
  token = await signIn(world, await make.admin(world.db));
});

const get = (query = '') =>
  world.http.get(`/api/v1/admin/webhook-events${query}`).auth(token, { type: 'bearer' });
const replay = (id: string) =>
  world.http.post(`/api/v1/admin/webhook-events/${id}/replay`).auth(token, { type: 'bearer' }).send({});
const replays = (id: string) =>
  rows(
    world.db,
    `SELECT previous, next FROM audit_records WHERE action = 'webhook-event.replay' AND entity_id = $1 ORDER BY id`,
    [id],
  );

/** A report that is dead because two accounts have its email address, and how that ends. */
async function refusedForEmail() {
  const strategy = await make.strategy(world.db, { providerCode: provider.code });
  const user = await make.user(world.db, { kycLevel: 'STANDARD' });
  const twin = await make.user(world.db, { email: user.email, region: 'US' });
  await make.signedIn(world.db, provider.code, user.id);
  const id = v7();
  const externalId = v7();
  await provider.send(
    'investment.created',
    {
      ...{ externalId, email: user.email, strategyCode: strategy.strategyCode, amount: 500 },
      ...{ currency: 'USD', startDate: '2026-06-01', maturityDate: '2036-06-01' },
    },
    { id },
  );
  const dead = await provider.becomes(id, 'DEAD');
  return {
    ...{ id, externalId, eventId: dead.id },
    reason: 'Accounts of several regions have its email address.',
    settle: () => execute(world.db, `UPDATE users SET email = 'twin-' || email WHERE id = $1`, [twin.id]),
  };
}

describe('GET /admin/webhook-events', () => {
  test('lists reports of both kinds, newest first, without their texts', async () => {
    const order = await given(world.db).order();
    const payment = await storedReport(world.db, 'PAID', order);
    const { id, eventId, reason } = await refusedForEmail();
    const { body } = await get('?pageSize=2').expect(200);
    expect(body.data.events).toEqual([
      {
        ...{ id: eventId, kind: 'INVESTMENT', providerCode: provider.code, externalEventId: id },
        ...{ type: 'investment.created', status: 'DEAD', attempts: 1 },
        lastError: reason,
        ...{ receivedAt: expect.any(String) as string, processedAt: expect.any(String) as string },
      },
      expect.objectContaining({ id: payment.webhookEventId, kind: 'PAYMENT', providerCode: 'sandbox' }),
    ]);
    expect(body.meta.pagination).toMatchObject({ page: 1, pageSize: 2 });
    await execute(world.db, `UPDATE webhook_events SET status = 'IGNORED' WHERE id = $1`, [
      payment.webhookEventId,
    ]);
  });

  test('by provider, status, type, kind and time', async () => {
    const id = v7();
    await provider.send('kyc.seen', {}, { id });
    const { id: eventId } = (await provider.stored(id))!;
    const found = async (query: string): Promise<boolean> => {
      const { body } = await get(`?pageSize=100&${query}`).expect(200);
      return (body.data.events as { id: string }[]).some((event) => event.id === eventId);
    };
    const today = new Date().toISOString().slice(0, 10);
    for (const query of [
      `provider=${provider.code}`,
      'status=IGNORED',
      'type=kyc.seen',
      'kind=INVESTMENT',
      `dateFrom=${today}&dateTo=${today}`,
    ])
      expect({ query, found: await found(query) }).toEqual({ query, found: true });
    for (const query of [
      'provider=sandbox',
      'status=DEAD',
      'type=a',
      'kind=PAYMENT',
      'dateTo=2026-01-01',
      'dateFrom=2090-01-01',
    ])
      expect({ query, found: await found(query) }).toEqual({ query, found: false });
    const { body } = await get('?status=LOST').expect(400);
    expect(body.error.code).toBe('VALIDATION_ERROR');
  });
});

describe('POST /admin/webhook-events/:id/replay', () => {
  test('has a dead report applied when its cause is gone, once, and is audited', async () => {
    const { id, eventId, settle, reason } = await refusedForEmail();
    await settle();
    const { body } = await replay(eventId).expect(200);
    expect(body.data).toEqual({ id: eventId, status: 'RECEIVED' });
    await provider.becomes(id, 'PROCESSED');
    expect(await replays(eventId)).toEqual([
      {
        previous: { status: 'DEAD', lastError: reason },
        next: { status: 'RECEIVED' },
      },
    ]);
    const again = await replay(eventId).expect(400);
    expect(again.body.error).toMatchObject({
      code: 'NOT_REPLAYABLE',
    });
  });

  test('with confirm lets amounts beyond the bounds through, which is audited', async () => {
    const strategy = await make.strategy(world.db, { providerCode: provider.code });
    const investmentExternalId = v7();
    await make.participation(world.db, {
      ...{ strategyId: strategy.id, externalId: investmentExternalId, status: 'MATURED' },
      at: new Date('2025-01-01T00:00:00Z'),
    });
    const id = v7();
    const profit = { investmentExternalId, externalId: v7(), amount: 1_000.01 };
    await provider.send('profit.distributed', profit, { id });
    const { id: eventId } = await provider.becomes(id, 'DEAD');
    await world.http
      .post(`/api/v1/admin/webhook-events/${eventId}/replay`)
      .auth(token, { type: 'bearer' })
      .send({ confirm: true })
      .expect(200);
    await provider.becomes(id, 'PROCESSED');
    expect(await replays(eventId)).toMatchObject([{ next: { status: 'RECEIVED', confirmed: true } }]);
  });

  test('with confirm is refused to an administrator whom the report pays, and open to another', async () => {
    const { id: userId, email } = await make.admin(world.db, { kycLevel: 'STANDARD' });
    const theirs = await signIn(world, { id: userId });
    const strategy = await make.strategy(world.db, { providerCode: provider.code });
    const of = { userId, strategyId: strategy.id };
    const investmentExternalId = `Inv-${v7()}`;
    const at = new Date('2025-01-01T00:00:00Z');
    await make.participation(world.db, { ...of, at, externalId: investmentExternalId, status: 'MATURED' });
    const waits = await make.participation(world.db, of);
    const made = {
      strategyCode: strategy.strategyCode,
      currency: 'USD',
      amount: 0.001,
      startDate: '2026-06-01',
    };
    const reports: [string, Record<string, unknown>][] = [
      ['profit.distributed', { investmentExternalId, amount: 5_000 }],
      ['investment.withdrawn', { investmentExternalId, amount: 5, penalty: 6 }],
      ['investment.updated', { investmentExternalId, currentValue: 50_000 }],
      ['investment.created', { ...made, userId: userId.toUpperCase() }],
      ['investment.created', { ...made, email: email.toUpperCase() }],
      ['investment.created', { ...made, userId: v7(), participationId: waits.id }],
    ];
    for (const [type, data] of reports) {
      const id = v7();
      await provider.send(type, { externalId: v7(), ...data }, { id });
      const { id: eventId } = await eventually(async () => {
        const stored = (await provider.stored(id))!;
        expect(['DEAD', 'WAITING']).toContain(stored.status);
        return stored;
      });
      const confirm = (bearer: string) =>
        world.http
          .post(`/api/v1/admin/webhook-events/${eventId}/replay`)
          .auth(bearer, { type: 'bearer' })
          .send({ confirm: true });
      const refused = await confirm(theirs).expect(403);
      expect(refused.body.error.code).toBe('FORBIDDEN');
      expect(
        await rows(world.db, 'SELECT 1 FROM webhook_events WHERE id = $1 AND confirmed_at IS NOT NULL', [
          eventId,
        ]),
      ).toEqual([]);
      expect(await replays(eventId)).toEqual([]);
      await confirm(token).expect(200);
    }
  });

  test('ten at once are one replay with one effect', async () => {
    const { id, eventId, externalId, settle } = await refusedForEmail();
    await settle();
    await world.rest();
    const answers = await Promise.all(Array.from({ length: 10 }, () => replay(eventId)));
    expect(answers.map(({ status, body }) => body.error?.code ?? status).sort()).toEqual([
      ...[200, ...Array<string>(9).fill('NOT_REPLAYABLE')],
    ]);
    expect(await replays(eventId)).toHaveLength(1);
    await world.work();
    await provider.becomes(id, 'PROCESSED');
    expect(
      await rows(
        world.db,
        `SELECT t.type FROM investment_transactions t JOIN participations p ON p.id = t.participation_id
         WHERE p.external_id = $1`,
        [externalId],
      ),
    ).toEqual([{ type: 'DEPOSIT' }]);
  });

  test('one that is still dead says so again', async () => {
    const { id, eventId } = await refusedForEmail();
    await replay(eventId).expect(200);
    await provider.becomes(id, 'DEAD');
    await replay(eventId).expect(200);
    await provider.becomes(id, 'DEAD');
    const first = `webhook:${provider.code}:${eventId}`;
    for (const workflowId of [first, `${first}:1`, `${first}:2`])
      expect(await world.temporal.workflow.getHandle(workflowId).result()).toBe('DEAD');
  });

  test('is refused for one that waits, which is applied when its investment comes; and for one that is not applied yet', async () => {
    const id = v7();
    const profit = { externalId: v7(), investmentExternalId: v7(), amount: 1 };
    await provider.send('profit.distributed', profit, { id });
    const { id: eventId } = await provider.becomes(id, 'WAITING');
    const waits = await replay(eventId).expect(400);
    expect(waits.body.error.code).toBe('NOT_REPLAYABLE');
    expect(await replays(eventId)).toEqual([]);
    expect((await provider.stored(id))!.status).toBe('WAITING');

    const order = await given(world.db).order();
    const { webhookEventId } = await storedReport(world.db, 'DECLINED', order);
    const received = await replay(webhookEventId).expect(400);
    expect(received.body.error.code).toBe('NOT_REPLAYABLE');
    await execute(world.db, `UPDATE webhook_events SET status = 'IGNORED' WHERE id = $1`, [webhookEventId]);
  });

  test('applies a dead report of a payment', async () => {
    const order = await given(world.db).order();
    const payment = await storedReport(world.db, 'DECLINED', order);
    await execute(
      world.db,
      `UPDATE webhook_events SET status = 'DEAD', started_at = now(), processed_at = now() WHERE id = $1`,
      [payment.webhookEventId],
    );
    await replay(payment.webhookEventId).expect(200);
    await world.temporal.workflow
      .getHandle(`webhook:${payment.provider}:${payment.webhookEventId}:1`)
      .result();
    expect(
      await rows(world.db, 'SELECT status FROM webhook_events WHERE id = $1', [payment.webhookEventId]),
    ).toEqual([{ status: 'PROCESSED' }]);
  });

  test('is refused for an unknown one, and for one whose text was deleted', async () => {
    const unknown = await replay(v7()).expect(404);
    expect(unknown.body.error.code).toBe('EVENT_NOT_FOUND');
    const { eventId } = await refusedForEmail();
    await execute(world.db, 'UPDATE webhook_events SET body = NULL WHERE id = $1', [eventId]);
    const gone = await replay(eventId).expect(400);
    expect(gone.body.error).toMatchObject({
      code: 'NOT_REPLAYABLE',
    });
    expect(await replays(eventId)).toEqual([]);
  });
});
