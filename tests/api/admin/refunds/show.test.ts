import { ApplicationFailure } from '@temporalio/common';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { execute, firstRow } from '../../../../db/sql/query';
import { PROVIDER_QUEUES } from '../../../../workers/queues';
import { eventually } from '../../../support/checks/eventually';
import { violations } from '../../../support/checks/violations';
import { startWorld, type World } from '../../../support/worlds/world';
import { refundRequested, returning, staff } from '../../orders/returning';
import { outcomeOf } from '../admin-world';

let world: World;
let clerk: Awaited<ReturnType<typeof staff>>;
const bank = { refuses: false };
beforeAll(async () => {
  world = await startWorld({
    queues: ['interactive', 'ingest', ...PROVIDER_QUEUES],
    fakes: (real) => ({
      sendRefund: (refund) => {
        if (bank.refuses) throw ApplicationFailure.nonRetryable('the bank refuses', 'RefundRefused');
        return real.sendRefund(refund);
      },
    }),
  });
  clerk = await staff(world);
});
afterAll(async () => {
  expect(await violations(world.db)).toEqual([]);
  await world.teardown();
});

const get = (path: string, token = clerk.token) =>
  world.http.get(`/api/v1/admin/refunds${path}`).auth(token, { type: 'bearer' });

const Decision = z.strictObject({
  approved: z.boolean(),
  by: z.strictObject({ id: z.uuid().nullable(), email: z.string().nullable() }),
  at: z.iso.datetime(),
  note: z.string().nullable(),
  restock: z.boolean(),
});

async function shown(refundId: string) {
  const answer = await get(`/${refundId}`);
  expect(outcomeOf(answer)).toBe('200');
  Decision.nullable().parse(answer.body.data.decision);
  return answer.body.data;
}

describe('GET /admin/refunds/:id', () => {
  test('money that goes back through its provider: what is outstanding, then what has reached the buyer', async () => {
    const { refundId } = await refundRequested(world, { method: 'CARD' });
    bank.refuses = true;
    await clerk.decide(refundId, 'approve', { amount: 20, restock: true, note: 'As agreed.' });
    await eventually(async () => {
      const parked = await firstRow<{ n: number }>(
        world.db,
        `SELECT count(*)::int AS n FROM parked_processes p JOIN payment_refunds r ON p.workflow_id = 'payment-refund:' || r.id
          WHERE r.refund_request_id = $1`,
        [refundId],
      );
      expect(parked!.n).toBe(1);
    });
    expect(await shown(refundId)).toMatchObject({
      status: 'PROCESSING',
      requestedAmount: 65,
      approvedAmount: 20,
      refundedAmount: 0,
      shippingAmount: 5,
      decision: { approved: true, by: { id: clerk.id }, note: 'As agreed.', restock: true },
      concludedAt: null,
      paymentRefunds: [{ refundRequestId: refundId, status: 'PROCESSING', amount: 20 }],
    });
    bank.refuses = false;
    const [{ id }] = (await shown(refundId)).paymentRefunds as [{ id: string }];
    await world.http
      .post(`/api/v1/admin/operations/${encodeURIComponent(`payment-refund:${id}`)}/retry`)
      .auth(clerk.token, { type: 'bearer' })
      .send({});
    await eventually(async () =>
      expect(await shown(refundId)).toMatchObject({
        status: 'COMPLETED',
        refundedAmount: 20,
        concludedAt: expect.any(String) as string,
        paymentRefunds: [{ id, status: 'COMPLETED' }],
      }),
    );
  });

  test('one that was rejected: by whom, when and why', async () => {
    const { refundId } = await refundRequested(world);
    await clerk.decide(refundId, 'reject', { reason: 'It was worn.' });
    expect(await shown(refundId)).toMatchObject({
      status: 'REJECTED',
      approvedAmount: null,
      refundedAmount: 0,
      decision: { approved: false, by: { id: clerk.id }, note: 'It was worn.', restock: false },
      paymentRefunds: [],
    });
  });

  test('an unknown id, and who is no administrator: REFUND_NOT_FOUND, FORBIDDEN', async () => {
    const { ada, refundId } = await refundRequested(world);
    expect(outcomeOf(await get(`/${randomUUID()}`))).toBe('404 REFUND_NOT_FOUND');
    expect(outcomeOf(await get(`/${refundId}`, ada.token))).toBe('403 FORBIDDEN');
  });
});

describe('GET /admin/refunds by order, buyer and date', () => {
  const idsOf = async (query: string) =>
    ((await get(`?${query}`)).body.data.refunds as { id: string }[]).map(({ id }) => id);

  test('each finds the request, together too; another order, buyer or day finds none', async () => {
    const { ada, orderId, refundId } = await refundRequested(world);
    const { orderId: withoutRequest, ada: bob } = await returning(world);
    await execute(world.db, `UPDATE refund_requests SET created_at = '2026-02-03T10:00:00Z' WHERE id = $1`, [
      refundId,
    ]);
    const order = await firstRow<{ number: string }>(world.db, 'SELECT number FROM orders WHERE id = $1', [
      orderId,
    ]);
    const { number } = order!;
    const { id: buyer, email } = ada.buyer;
    for (const query of [
      `order=${orderId}`,
      `order=${number}`,
      `order=${number.toLowerCase()}`,
      `buyer=${buyer}`,
      `buyer=${encodeURIComponent(email)}`,
      'dateFrom=2026-02-03&dateTo=2026-02-03T10:00:00Z',
      `order=${orderId}&buyer=${buyer}&status=PENDING_REVIEW&dateFrom=2026-02-01`,
    ])
      expect([query, await idsOf(query)]).toEqual([query, [refundId]]);
    for (const query of [
      `order=${withoutRequest}`,
      'order=ORD-1999-1',
      `order=${randomUUID()}`,
      `buyer=${bob.buyer.id}`,
      'buyer=nobody%40example.com',
      `order=${orderId}&buyer=${bob.buyer.id}`,
      'dateTo=2026-02-03T09:59:59Z',
      `order=${orderId}&status=COMPLETED`,
    ])
      expect([query, await idsOf(query)]).toEqual([query, []]);
  });

  test.each(['dateFrom=soon', `order=${'x'.repeat(65)}`, 'buyer='])('VALIDATION_ERROR: %s', async (query) => {
    expect(outcomeOf(await get(`?${query}`))).toBe('400 VALIDATION_ERROR');
  });
});
