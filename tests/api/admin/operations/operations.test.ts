import { randomUUID } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import type { Response } from 'supertest';
import { z } from 'zod';
import { firstRow } from '../../../../db/sql';
import { eventually } from '../../../support/eventually';
import { make } from '../../../support/make';
import { orderRow, press } from '../../../support/sandbox';
import { shopper } from '../../../support/shop';
import { signIn } from '../../../support/sign-in';
import { startWorld, type World } from '../../../support/world';

let world: World;
let token: string;
let bankIsDown = true;
beforeAll(async () => {
  world = await startWorld({
    fakes: (real) => ({
      sendRefund: (refund) => {
        if (bankIsDown) throw ApplicationFailure.nonRetryable('the bank refuses', 'RefundRefused');
        return real.sendRefund(refund);
      },
    }),
  });
  token = await signIn(world, await make.admin(world.db));
});
afterAll(() => world.teardown());

const Operation = z.strictObject({
  workflowId: z.string(),
  type: z.literal('paymentRefund'),
  entityId: z.uuid(),
  since: z.iso.datetime(),
  reason: z.string(),
  lastError: z.literal('the bank refuses'),
});
const get = async (as = token): Promise<Response> =>
  world.http.get('/api/v1/admin/operations').auth(as, { type: 'bearer' });
const decide = async (workflowId: string, verb: 'retry' | 'abandon', as = token): Promise<Response> =>
  world.http
    .post(`/api/v1/admin/operations/${encodeURIComponent(workflowId)}/${verb}`)
    .auth(as, { type: 'bearer' })
    .send({});

/** An order that was paid and cancelled, and whose money cannot go back. */
async function stuckRefund(): Promise<{ orderId: string; workflowId: string }> {
  bankIsDown = true;
  const product = await make.product(world.db);
  const ada = await shopper(world, [{ productId: product.id }]);
  const { orderId, payment } = await ada.order();
  await press(world, payment.paymentUrl ?? '', 'pay');
  await eventually(async () => expect((await orderRow(world, orderId)).status).toBe('PROCESSING'));
  await ada.post(`/orders/${orderId}/cancel`, { reason: 'Changed my mind' });
  return eventually(async () => {
    const found = await firstRow<{ workflowId: string }>(
      world.db,
      `SELECT p.workflow_id AS "workflowId" FROM parked_processes p
       JOIN payment_refunds r ON r.id::text = p.entity_id WHERE r.order_id = $1`,
      [orderId],
    );
    expect(found).not.toBeNull();
    return { orderId, workflowId: found!.workflowId };
  });
}

describe('a process that cannot go on', () => {
  it('waits for a person, is listed, and goes on when told to retry', async () => {
    const { orderId, workflowId } = await stuckRefund();
    const listed = await get();
    expect(listed.status).toBe(200);
    const operations = z.array(Operation).parse(listed.body.data.operations);
    expect(operations.map((operation) => operation.workflowId)).toContain(workflowId);
    expect(listed.body.meta.pagination.total).toBe(operations.length);
    const described = await world.temporal.workflow.getHandle(workflowId).describe();
    expect(described.status.name).toBe('RUNNING');
    await eventually(async () => {
      const seen: string[] = [];
      for await (const flow of world.temporal.workflow.list({ query: 'NeedsAttention = true' }))
        seen.push(flow.workflowId);
      expect(seen).toContain(workflowId);
    });

    const stillRefused = await decide(workflowId, 'retry');
    expect(stillRefused.body.data).toEqual({
      workflowId,
      decision: 'retry',
      decidedBy: expect.any(String) as string,
    });
    await eventually(async () =>
      expect((await get()).body.data.operations.map((o: { workflowId: string }) => o.workflowId)).toContain(
        workflowId,
      ),
    );

    bankIsDown = false;
    await eventually(async () => expect((await decide(workflowId, 'retry')).status).toBe(200));
    await eventually(async () =>
      expect(await orderRow(world, orderId)).toEqual({ status: 'CANCELLED', paymentStatus: 'REFUNDED' }),
    );
    expect((await decide(workflowId, 'retry')).body.error.code).toBe('OPERATION_NOT_FOUND');
    const trail = await firstRow<{ count: number }>(
      world.db,
      `SELECT count(*)::int AS count FROM audit_records WHERE entity_id = $1 AND action = 'operation.retry'`,
      [workflowId],
    );
    expect(trail?.count).toBeGreaterThanOrEqual(2);
  });

  it('can be abandoned: the money stays owed and the books say so', async () => {
    const { orderId, workflowId } = await stuckRefund();
    expect((await decide(workflowId, 'abandon')).status).toBe(200);
    expect(await world.temporal.workflow.getHandle(workflowId).result()).toBe('ABANDONED');
    const refund = await firstRow(world.db, `SELECT status FROM payment_refunds WHERE order_id = $1`, [
      orderId,
    ]);
    expect(refund).toEqual({ status: 'ABANDONED' });
  });

  it('is decided on once, by administrators', async () => {
    const { workflowId } = await stuckRefund();
    const buyer = await signIn(world, await make.buyer(world.db));
    expect((await get(buyer)).body.error.code).toBe('FORBIDDEN');
    expect((await decide(workflowId, 'retry', buyer)).body.error.code).toBe('FORBIDDEN');
    expect((await world.http.get('/api/v1/admin/operations')).body.error.code).toBe('UNAUTHORIZED');
    expect((await decide(`payment-refund:${randomUUID()}`, 'abandon')).body.error.code).toBe(
      'OPERATION_NOT_FOUND',
    );
    const verdicts = await Promise.all(Array.from({ length: 5 }, () => decide(workflowId, 'abandon')));
    const accepted = verdicts.filter((answer) => answer.status === 200);
    expect(accepted).toHaveLength(1);
    for (const refused of verdicts.filter((answer) => answer.status !== 200))
      expect(['NOT_PARKED', 'OPERATION_NOT_FOUND']).toContain(refused.body.error.code);
  });
});
