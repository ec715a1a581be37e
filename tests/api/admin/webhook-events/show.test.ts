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
import { ownWorld } from '../../../support/worlds/world';

let provider: InvestmentProvider;
let token: string;

const world = ownWorld();
beforeAll(async () => {
  provider = await investmentProvider(world);
  token = await signIn(world, await make.admin(world.db));
});

const show = (id: string) =>
  world.http.get(`/api/v1/admin/webhook-events/${id}`).auth(token, { type: 'bearer' });

async function participation() {
  const strategy = await make.strategy(world.db, { providerCode: provider.code });
  const externalId = v7();
  const { id, userId } = await make.participation(world.db, {
    ...{ strategyId: strategy.id, status: 'ACTIVE', externalId },
  });
  return { id, userId, externalId };
}

describe('GET /admin/webhook-events/:id', () => {
  test('shows what a report says and the participation that it moved, and is audited', async () => {
    const { id: participationId, userId, externalId } = await participation();
    const id = v7();
    const profit = { externalId: v7(), investmentExternalId: externalId, amount: 12.5, period: '2026-Q1' };
    await provider.send('profit.distributed', profit, { id });
    const { id: eventId } = await provider.becomes(id, 'PROCESSED');
    const { body } = await show(eventId).expect(200);
    const moved = {
      ...{ id: participationId, status: 'ACTIVE', userId },
      number: expect.stringMatching(/^INV-/) as string,
    };
    expect(body.data).toMatchObject({
      ...{ id: eventId, kind: 'INVESTMENT', providerCode: provider.code, status: 'PROCESSED' },
      ...{ data: profit, hiddenFields: [], textDeleted: false, confirmedAt: null, waitsFor: null },
      participation: moved,
    });
    expect(
      await rows(
        world.db,
        `SELECT action, next FROM audit_records WHERE entity_type = 'webhook-event' AND entity_id = $1`,
        [eventId],
      ),
    ).toEqual([{ action: 'webhook-event.open', next: { userId } }]);
    await execute(world.db, 'UPDATE webhook_events SET body = NULL WHERE id = $1', [eventId]);
    const deleted = await show(eventId).expect(200);
    expect(deleted.body.data).toMatchObject({ data: null, textDeleted: true, participation: moved });
  });

  test('hides what is about a person: email addresses, and what a provider says of an identity', async () => {
    const { externalId } = await participation();
    const id = v7();
    const created = { externalId, email: 'ada@example.com', strategyCode: 'ada@example.com', amount: 5 };
    await provider.send('investment.created', created, { id });
    const { id: eventId } = await provider.becomes(id, 'DEAD');
    const { body, text } = await show(eventId).expect(200);
    expect(body.data).toMatchObject({
      ...{ data: { externalId, amount: 5 }, hiddenFields: ['email', 'strategyCode'] },
      participation: { status: 'ACTIVE' },
    });
    expect(text).not.toContain('ada@');

    const kyc = v7();
    const { id: userId } = await make.user(world.db);
    const said = { userId, status: 'APPROVED', level: 'STANDARD', data: { passport: 'X-12345' } };
    await provider.send('kyc.synced', said, { id: kyc });
    const waiting = await provider.becomes(kyc, 'WAITING');
    const shown = await show(waiting.id).expect(200);
    expect(shown.body.data).toMatchObject({
      data: { userId, status: 'APPROVED', level: 'STANDARD' },
      ...{ hiddenFields: ['data'], participation: null },
    });
    expect(shown.text).not.toContain('X-12345');
  });

  test('shows what one waits for, and one of no agreed form without what it says', async () => {
    const [id, odd] = [v7(), v7()];
    const investmentExternalId = v7();
    const profit = { externalId: v7(), investmentExternalId, amount: 1 };
    await provider.send('profit.distributed', profit, { id });
    const waiting = await provider.becomes(id, 'WAITING');
    const { body } = await show(waiting.id).expect(200);
    expect(body.data).toMatchObject({ waitsFor: investmentExternalId, participation: null });
    await provider.sendText('{"type":"profit.distributed","data":[1,"a@b.example"]}', { id: odd });
    const dead = await provider.becomes(odd, 'DEAD');
    const shown = await show(dead.id).expect(200);
    expect(shown.body.data).toMatchObject({ data: null, hiddenFields: [], textDeleted: false });
  });

  test('shows the participation that a report of a payment names', async () => {
    const order = await given(world.db).order();
    const { webhookEventId } = await storedReport(world.db, 'PAID', order);
    const { body } = await show(webhookEventId).expect(200);
    expect(body.data).toMatchObject({
      ...{ kind: 'PAYMENT', data: { key: order.attemptId, currency: 'USD' }, participation: null },
    });
    const unpaid = await make.participation(world.db, { status: 'PENDING_PAYMENT' });
    await execute(
      world.db,
      `UPDATE payment_attempts SET order_id = NULL, participation_id = $2 WHERE id = $1`,
      [order.attemptId, unpaid.id],
    );
    const named = await show(webhookEventId).expect(200);
    expect(named.body.data.participation).toMatchObject({ id: unpaid.id, userId: unpaid.userId });
  });

  test('is refused for an unknown one', async () => {
    const { body } = await show(v7()).expect(404);
    expect(body.error.code).toBe('EVENT_NOT_FOUND');
    await show('x').expect(400);
  });
});
