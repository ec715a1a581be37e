import { randomUUID } from 'node:crypto';
import { firstRow } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import { signIn } from '../../../support/builders/sign-in';
import { startStuckWorld, type StuckWorld } from './stuck-refund';

let stuck: StuckWorld;
beforeAll(async () => {
  stuck = await startStuckWorld();
});
afterAll(() => stuck.world.teardown());

describe('POST /admin/operations/:workflowId/abandon', () => {
  it('abandons the step: the money stays owed in the ledger', async () => {
    const { world } = stuck;
    const { orderId, workflowId } = await stuck.stuckRefund();
    const answer = await stuck.decide(workflowId, 'abandon');
    expect([answer.status, answer.body.data.decision]).toEqual([200, 'abandon']);
    expect(await world.temporal.workflow.getHandle(workflowId).result()).toBe('ABANDONED');
    const refund = await firstRow(world.db, `SELECT status FROM payment_refunds WHERE order_id = $1`, [
      orderId,
    ]);
    expect(refund).toEqual({ status: 'ABANDONED' });
    const owed = await firstRow<{ owed: number }>(
      world.db,
      `SELECT sum(amount_minor)::int AS owed FROM ledger_entries WHERE account = 'refunds'`,
    );
    expect(owed).toEqual({ owed: 3_000 });
  });

  it('is decided once by concurrent requests', async () => {
    const { workflowId } = await stuck.stuckRefund();
    const answers = await Promise.all(Array.from({ length: 5 }, () => stuck.decide(workflowId, 'abandon')));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    for (const refused of answers.filter((answer) => answer.status !== 200))
      expect(['NOT_PARKED', 'OPERATION_NOT_FOUND']).toContain(refused.body.error.code);
  });

  it('is for administrators', async () => {
    const { workflowId } = await stuck.stuckRefund();
    const buyer = await signIn(stuck.world, await make.buyer(stuck.world.db));
    expect((await stuck.decide(workflowId, 'abandon', buyer)).body.error.code).toBe('FORBIDDEN');
    expect((await stuck.decide(`payment-refund:${randomUUID()}`, 'abandon')).body.error.code).toBe(
      'OPERATION_NOT_FOUND',
    );
  });
});
