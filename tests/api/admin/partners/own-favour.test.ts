import { eventFailureProcess } from '../../../../workflows/administration/domain-event/event-failure.contract';
import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import { v7 } from 'uuid';
import { execute, firstRow, rows } from '../../../../db/sql/query';
import { PROVIDER_QUEUES } from '../../../../workers/queues';
import { invested } from '../../../support/builders/investing/invested';
import { make } from '../../../support/builders/make';
import { insert } from '../../../support/builders/make/insert';
import { joiner } from '../../../support/builders/partnering/joining';
import { people, soldOrder, soldOrderRefund } from '../../../support/builders/partnering/sold-orders';
import { shopper } from '../../../support/builders/shop';
import { signIn } from '../../../support/builders/sign-in';
import { ownWorld } from '../../../support/worlds/world';

const world = ownWorld({
  queues: ['interactive', 'ingest', ...PROVIDER_QUEUES],
  variables: { PARTNER_ENTRANCE_FEE: '49.90' },
});

const post = async (token: string, path: string, body: object): Promise<Response> =>
  world.http.post(`/api/v1/admin/${path}`).auth(token, { type: 'bearer' }).send(body);
const outcomeOf = ({ status, body }: Response): string => `${status} ${body.error?.code ?? 'OK'}`;

/** An administrator who is a partner, with a partner below and another one above. */
async function interested(rankLevel = 1) {
  const admin = await make.admin(world.db);
  const top = await make.partner(world.db);
  const own = await make.partner(world.db, { userId: admin.id, sponsorId: top.id });
  const below = await make.partner(world.db, { sponsorId: own.id });
  await execute(
    world.db,
    `UPDATE partner_standings SET rank_level = $2, highest_rank_level = $2, network_rank_level = $2 WHERE partner_id = $1`,
    [own.id, rankLevel],
  );
  return { token: await signIn(world, admin), top, own, below };
}

const refer = (userId: string, sponsorId: string) =>
  execute(world.db, 'UPDATE users SET sponsor_id = $2 WHERE id = $1', [userId, sponsorId]);

describe('a payment of who is below an administrator is confirmed by another', () => {
  const transfer = (amount: number) => ({ amount, transactionId: `OWN-${randomUUID()}` });

  it.each(['own customer', 'customer of a partner below', 'partner below'] as const)(
    'an order of the %s',
    async (whose) => {
      const { token, top, own, below } = await interested();
      const { id: productId } = await make.product(world.db);
      const buyer = await shopper(world, [{ productId }]);
      if (whose === 'partner below')
        await make.partner(world.db, { userId: buyer.buyer.id, sponsorId: below.id });
      else await refer(buyer.buyer.id, whose === 'own customer' ? own.id : below.id);
      const { orderId } = await buyer.order({ paymentMethod: 'BANK_TRANSFER' });
      const path = `orders/${orderId}/payment`;
      expect(outcomeOf(await post(token, path, transfer(30)))).toBe('403 FORBIDDEN');
      if (whose !== 'partner below') await refer(buyer.buyer.id, top.id);
      const { token: other } = await interested();
      const by = whose === 'partner below' ? other : token;
      expect(outcomeOf(await post(by, path, transfer(30)))).toBe('200 OK');
    },
  );

  it('a participation', async () => {
    const { token, below, top } = await interested();
    const { id: userId } = await make.user(world.db);
    await refer(userId, below.id);
    const { number: purpose } = await invested(world.db, { method: 'BANK_TRANSFER', userId });
    const enter = () => post(token, 'bank-transfers', { purpose, ...transfer(1_000) });
    expect(outcomeOf(await enter())).toBe('403 FORBIDDEN');
    await refer(userId, top.id);
    expect(outcomeOf(await enter())).toBe('200 OK');
  });

  it('an entrance fee', async () => {
    const { token, own, top } = await interested();
    const ada = await joiner(world, { sponsorId: own.id });
    await ada.join({ paymentMethod: 'BANK_TRANSFER' });
    const fee = await firstRow<{ number: string }>(
      world.db,
      'SELECT number FROM partner_entrances WHERE user_id = $1',
      [ada.id],
    );
    const enter = () => post(token, 'bank-transfers', { purpose: fee!.number, ...transfer(49.9) });
    expect(outcomeOf(await enter())).toBe('403 FORBIDDEN');
    await refer(ada.id, top.id);
    expect(outcomeOf(await enter())).toBe('200 OK');
  });
});

describe('an event of the own network is given up, or made due again, by another', () => {
  /** Puts the event on the operators' list, without its process. */
  async function parked(reference: string): Promise<string> {
    const event = await firstRow<{ position: number }>(
      world.db,
      `UPDATE event_deliveries SET state = 'PARKED'
        WHERE position = (SELECT position FROM domain_events WHERE reference = $1) RETURNING position`,
      [reference],
    );
    const delivery = { consumer: 'commissions', position: event!.position } as const;
    const [workflowId, entityId] = [eventFailureProcess.id(delivery), eventFailureProcess.entityId(delivery)];
    await insert(world.db, 'parked_processes', {
      ...{ workflow_id: workflowId, run_id: v7(), type: 'eventFailure', entity_id: entityId },
      ...{
        reason: 'It failed.',
        last_error: 'the disk is full',
        since: new Date(),
        state: 'PARKED',
        attempts: 1,
      },
    });
    return workflowId;
  }
  afterEach(() => execute(world.db, 'DELETE FROM parked_processes'));

  /** The reference of an event of this type of a partner or of the partner's customer. */
  async function announced(type: string, partner: { id: string }): Promise<string> {
    if (type === 'partner.joined') return `${type}:${partner.id}`;
    const [buyerId = ''] = await people(world.db, [partner.id]);
    const order = await soldOrder(world.db, { buyerId, lines: [{ goodsMinor: 100_00 }] });
    const refund = { order, buyerId, goodsMinor: 100_00, isCancellation: true };
    if (type === 'refund.completed') await soldOrderRefund(world.db, refund);
    return `${type}:${order.id}`;
  }

  it.each(['order.paid', 'refund.completed', 'partner.joined'])('%s', async (type) => {
    const { token, below } = await interested();
    const workflowId = await parked(await announced(type, below));
    expect(outcomeOf(await post(token, `operations/${workflowId}/abandon`, {}))).toBe('403 FORBIDDEN');
    // Another's decision reaches the process, which is not there.
    const { token: other } = await interested();
    expect(outcomeOf(await post(other, `operations/${workflowId}/abandon`, {}))).toBe('409 NOT_PARKED');
  });

  it.each(['order.paid', 'refund.completed', 'partner.joined'])('%s that was given up', async (type) => {
    const { token, below } = await interested();
    const { token: other } = await interested();
    const event = await firstRow<{ id: string; position: number }>(
      world.db,
      `UPDATE event_deliveries d SET state = 'DEAD' FROM domain_events e
        WHERE e.position = d.position AND e.reference = $1 RETURNING e.id, d.position`,
      [await announced(type, below)],
    );
    const retry = (by: string) => post(by, `domain-events/${event!.id}/retry`, { consumer: 'commissions' });
    const stateOf = () =>
      firstRow(world.db, 'SELECT state FROM event_deliveries WHERE position = $1', [event!.position]);
    expect(outcomeOf(await retry(token))).toBe('403 FORBIDDEN');
    expect(await stateOf()).toEqual({ state: 'DEAD' });
    expect(outcomeOf(await retry(other))).toBe('200 OK');
    expect(await stateOf()).toEqual({ state: 'DUE' });
  });
});

describe('an administrator of a rank that takes part in pools decides on no membership', () => {
  it.each([
    ['suspend', { reason: 'x' }, 'ACTIVE'],
    ['activate', {}, 'SUSPENDED'],
    ['terminate', { reason: 'x' }, 'ACTIVE'],
    ['rank', { rankCode: 'LEADER', reason: 'x' }, 'ACTIVE'],
  ] as const)('%s', async (move, body, status) => {
    const { id } = await make.partner(world.db, { status });
    const [leader, builder] = [await interested(3), await interested(2)];
    expect(outcomeOf(await post(leader.token, `partners/${id}/${move}`, body))).toBe('403 FORBIDDEN');
    expect(await rows(world.db, 'SELECT 1 FROM audit_records WHERE entity_id = $1', [id])).toEqual([]);
    expect(outcomeOf(await post(builder.token, `partners/${id}/${move}`, body))).toBe('200 OK');
  });

  it('unless their own membership is suspended', async () => {
    const { id } = await make.partner(world.db);
    const { token, own } = await interested(3);
    await execute(world.db, `UPDATE partners SET status = 'SUSPENDED' WHERE id = $1`, [own.id]);
    expect(outcomeOf(await post(token, `partners/${id}/suspend`, { reason: 'x' }))).toBe('200 OK');
  });
});

describe('an administrator of a rank that takes part in pools decides on no parked pool', () => {
  const workflowId = 'pool:weekly:2026-W40';
  beforeEach(() =>
    insert(world.db, 'parked_processes', {
      ...{ workflow_id: workflowId, run_id: v7(), type: 'pool', entity_id: 'weekly:2026-W40' },
      ...{ reason: 'Sales have waited.', last_error: 'x', since: new Date(), state: 'PARKED', attempts: 1 },
    }),
  );
  afterEach(() => execute(world.db, 'DELETE FROM parked_processes'));

  it.each(['retry', 'abandon'])('%s', async (decision) => {
    const [leader, builder] = [await interested(3), await interested(2)];
    const path = `operations/${workflowId}/${decision}`;
    expect(outcomeOf(await post(leader.token, path, {}))).toBe('403 FORBIDDEN');
    // The decision of another reaches the process, which is not there.
    expect(outcomeOf(await post(builder.token, path, {}))).toBe('409 NOT_PARKED');
  });

  it('retry of several', async () => {
    const [leader, builder] = [await interested(3), await interested(2)];
    const codeOf = async ({ token }: { token: string }): Promise<unknown> => {
      const { body } = await post(token, 'operations/retry', { ids: [workflowId] });
      return body.data.results[0].error.code;
    };
    expect(await codeOf(leader)).toBe('FORBIDDEN');
    expect(await codeOf(builder)).toBe('NOT_PARKED');
  });
});
