import type { Response } from 'supertest';
import { v7 } from 'uuid';
import { announce } from '../../../../db/administration/domain-event/domain-event.writes';
import { park } from '../../../../db/administration/operations/parking.writes';
import { storeWebhookEvent } from '../../../../db/administration/webhook/webhook-event.writes';
import { firstRow } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { factsOfReport } from '../../../../workflows/commerce/payment/payment-report.rules';
import { factsOfEvent } from '../../../../workflows/investment/provider-event/provider-event.rules';
import { poolKey } from '../../../../workflows/partners/pool/pool-period.rules';
import { given } from '../../../support/builders/given';
import { make } from '../../../support/builders/make';
import { poolRun } from '../../../support/builders/make/partners/pool-runs';
import { attempted } from '../../../support/builders/partnering/entering';
import { soldOrder } from '../../../support/builders/partnering/sold-orders';
import { topUp } from '../../../support/builders/wallets/top-ups';
import { withPayments } from '../../../support/builders/wallets/paid-for';
import { eventually } from '../../../support/checks/eventually';
import { startStuckWorld, type StuckWorld } from './stuck-refund';

let stuck: StuckWorld;
beforeAll(async () => {
  stuck = await startStuckWorld();
});
afterAll(() => stuck.world.teardown());

it('all processes of an order are found by it in Temporal, with summaries that begin with its number', async () => {
  const { world, bank, token } = stuck;
  bank.refuses = false;
  const { orderId } = await given(world).order().paid().shipped();
  const order = await firstRow<{ number: string; userId: string }>(
    world.db,
    'SELECT number, user_id FROM orders WHERE id = $1',
    [orderId],
  );
  const refunded = await world.http
    .post(`/api/v1/admin/orders/${orderId}/refunds`)
    .auth(token, { type: 'bearer' })
    .send({ amount: 10, reason: 'One arrived broken.' });
  expect(refunded.status).toBe(201);

  const kinds = ['checkout', 'fulfilment', 'paymentEvent', 'paymentRefund', 'refundRequest'];
  const found = await eventually(async () => {
    const ids: string[] = [];
    const types: string[] = [];
    for await (const process of world.temporal.workflow.list({ query: `OrderId = "${orderId}"` })) {
      ids.push(process.workflowId);
      types.push(process.type);
    }
    expect([...new Set(types)].sort()).toEqual(kinds);
    return ids;
  });
  const ofBuyer: string[] = [];
  for await (const { workflowId } of world.temporal.workflow.list({ query: `UserId = "${order!.userId}"` }))
    ofBuyer.push(workflowId);
  expect(ofBuyer).toEqual(expect.arrayContaining(found));

  const summaries = await Promise.all(
    found.map(async (workflowId) => {
      const { staticSummary, type } = await world.temporal.workflow
        .getHandle(workflowId)
        .describe()
        .then(async (described) => ({
          type: described.type,
          staticSummary: await described.staticSummary(),
        }));
      return [type, staticSummary] as const;
    }),
  );
  const { number } = order!;
  expect(Object.fromEntries(summaries)).toMatchObject({
    checkout: expect.stringMatching(new RegExp(`^${number} · [A-Z_]+ · checkout$`)) as string,
    fulfilment: expect.stringMatching(
      new RegExp(`^${number} · [\\d.]+ USD( · [A-Z_]+)? · fulfilment$`),
    ) as string,
    paymentRefund: `${number} · 10.00 USD · money back`,
    refundRequest: `${number} · refund request`,
  });
});

describe('a parked report or event leads to the order and the person that it names, and is found by them', () => {
  interface Subject {
    type: 'eventFailure' | 'paymentEvent' | 'providerEvent';
    entityId: string;
    orderId?: string;
    userId: string;
  }

  /** Stores a report of these words; answers its id. */
  async function report(type: string, data: object, provider = 'sandbox'): Promise<string> {
    const [id, kind] = [v7(), provider === 'sandbox' ? 'PAYMENT' : 'INVESTMENT'] as const;
    const body = JSON.stringify({ note: 'said \u0000"', type, data });
    const readable = kind === 'PAYMENT' ? body : JSON.stringify({ type, data });
    const text = { type, body: readable, bodyHash: 'x', known: true, at: new Date() };
    const facts = (kind === 'PAYMENT' ? factsOfReport : factsOfEvent)(type, { data });
    await storeWebhookEvent(stuck.world.db, { id, kind, provider, externalEventId: id, ...facts, ...text });
    return id;
  }

  const eventOf = async (type: string, entityId: string): Promise<string> =>
    (await firstRow<{ id: string }>(
      stuck.world.db,
      `SELECT 'commissions:' || position AS id FROM domain_events WHERE type = $1 AND entity_id = $2`,
      [type, entityId],
    ))!.id;

  const kinds: Readonly<Record<string, () => Promise<Subject>>> = {
    'report of the payment of an order': async () => {
      const { orderId, userId, attemptId } = await given(stuck.world.db).order();
      const entityId = await report('payment.paid', { key: attemptId, paymentId: v7() });
      return { type: 'paymentEvent', entityId, orderId, userId };
    },
    'report of the payment of a top-up': async () => {
      const { userId, attemptId: key } = await withPayments(stuck.world.db);
      return { type: 'paymentEvent', entityId: await report('payment.paid', { key }), userId };
    },
    'report of the payment of an entrance fee': async () => {
      const { userId, attemptId: key } = await attempted(stuck.world.db);
      return { type: 'paymentEvent', entityId: await report('payment.paid', { key }), userId };
    },
    'report on an investment': async () => {
      const { db } = stuck.world;
      const { code } = await make.provider(db);
      const { id: strategyId } = await make.strategy(db, { providerCode: code });
      const investmentExternalId = v7();
      const fields = { strategyId, externalId: investmentExternalId, status: 'ACTIVE' } as const;
      const { userId } = await make.participation(db, { ...fields, origin: 'PROVIDER' });
      const entityId = await report('profit.distributed', { investmentExternalId, amount: 1 }, code);
      return { type: 'providerEvent', entityId, userId };
    },
    'report on an investment that is not known, of a person by email address': async () => {
      const { code } = await make.provider(stuck.world.db);
      const { id: userId, email } = await make.user(stuck.world.db);
      const data = { externalId: v7(), email: email.toUpperCase() };
      return {
        ...{ type: 'providerEvent', entityId: await report('investment.created', data, code) },
        userId,
      };
    },
    'event of an order': async () => {
      const { id: buyerId } = await make.user(stuck.world.db);
      const { id: orderId } = await soldOrder(stuck.world.db, { buyerId, lines: [{ goodsMinor: 1_00 }] });
      return {
        ...{ type: 'eventFailure', entityId: await eventOf('order.paid', orderId) },
        ...{ orderId, userId: buyerId },
      };
    },
    'event of a membership': async () => {
      const { db } = stuck.world;
      const { id: userId } = await make.user(db);
      const { id: partnerId } = await make.partner(db, { userId });
      const at = new Date().toISOString();
      await inTransaction(db, (tx) =>
        announce(tx, { type: 'partner.activated', partnerId, userId, activationId: v7() }, at),
      );
      return {
        ...{ type: 'eventFailure', entityId: await eventOf('partner.activated', partnerId) },
        userId,
      };
    },
  };

  const idsIn = ({ body }: Response): string[] =>
    (body.data.operations as { workflowId: string }[]).map(({ workflowId }) => workflowId);

  test.each(Object.keys(kinds))('%s', async (kind) => {
    const { orderId, userId, ...process } = await kinds[kind]!();
    const workflowId = `${process.type}:${process.entityId}`;
    const why = { reason: 'It failed.', lastError: 'the disk is full', since: new Date().toISOString() };
    await park(stuck.world.db, { workflowId, ...process, ...why, runId: v7() });

    const found = await stuck.list(undefined, `userId=${userId}`);
    expect(idsIn(found)).toEqual([workflowId]);
    const [shown] = found.body.data.operations;
    expect(shown.user).toMatchObject({ id: userId });
    expect(shown.links).toMatchObject({
      user: `/api/v1/admin/users/${userId}`,
      order: orderId === undefined ? null : `/api/v1/admin/orders/${orderId}`,
    });
    expect(idsIn(await stuck.list(undefined, `userId=${v7()}`))).toEqual([]);
    if (orderId !== undefined)
      expect(idsIn(await stuck.list(undefined, `order=${orderId}`))).toEqual([workflowId]);
  });
});

describe('what a parked process is about is one request away', () => {
  interface About {
    type: string;
    entityId: string;
    /** The id that the linked answer must have. */
    id: string;
  }

  const kinds: Readonly<Record<string, () => Promise<About>>> = {
    checkout: async () => ofOrder('checkout'),
    fulfilment: async () => ofOrder('fulfilment'),
    topUp: async () => {
      const { id } = await topUp(stuck.world.db);
      return { type: 'topUp', entityId: id, id };
    },
    partnerEntrance: async () => ofUser('partnerEntrance'),
    suspension: async () => ofUser('suspension'),
    pool: async () => {
      const { id, period } = await poolRun(stuck.world.db);
      return { type: 'pool', entityId: poolKey(period), id };
    },
  };

  async function ofOrder(type: string): Promise<About> {
    const { orderId: id } = await given(stuck.world.db).order();
    return { type, entityId: id, id };
  }
  async function ofUser(type: string): Promise<About> {
    const { id } = await make.user(stuck.world.db);
    return { type, entityId: id, id };
  }
  const parked = async ({ type, entityId }: { type: string; entityId: string }) => {
    const why = { reason: 'It failed.', lastError: 'the disk is full', since: new Date().toISOString() };
    await park(stuck.world.db, { workflowId: `${type}:${entityId}`, type, entityId, ...why, runId: v7() });
    const { body } = await stuck.list(undefined, `type=${type}&entityId=${entityId}`);
    return body.data.operations[0].links as { entity: string | null };
  };

  test.each(Object.keys(kinds))('of %s', async (kind) => {
    const { id, ...process } = await kinds[kind]!();
    const { entity } = await parked(process);
    const { status, text } = await stuck.world.http.get(entity!).auth(stuck.token, { type: 'bearer' });
    expect([entity, status]).toEqual([entity, 200]);
    expect(text).toContain(`"id":"${id}"`);
  });

  test('but a pool that is not counted has nothing to be read yet', async () => {
    expect(await parked({ type: 'pool', entityId: 'weekly:2019-W01' })).toMatchObject({ entity: null });
  });
});
