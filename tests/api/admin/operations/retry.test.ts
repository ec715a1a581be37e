import { randomUUID } from 'node:crypto';
import { execute, firstRow } from '../../../../db/sql/query';
import { eventually } from '../../../support/checks/eventually';
import { make } from '../../../support/builders/make';
import { orderRow } from '../../../support/builders/sandbox';
import { signIn } from '../../../support/builders/sign-in';
import { startStuckWorld, type StuckWorld } from './stuck-refund';

let stuck: StuckWorld;
beforeAll(async () => {
  stuck = await startStuckWorld();
});
afterAll(() => stuck.world.teardown());

describe('POST /admin/operations/:workflowId/retry', () => {
  it('retries the step: the process parks again while the cause lasts, and continues once it is gone', async () => {
    const { world, bank, decide, list } = stuck;
    const { orderId, workflowId } = await stuck.stuckRefund();

    const tooEarly = await decide(workflowId, 'retry');
    expect(tooEarly.status).toBe(200);
    expect(tooEarly.body.data).toEqual({
      workflowId,
      decision: 'retry',
      decidedBy: expect.any(String) as string,
    });
    const retries = (): Promise<{ count: number } | null> =>
      firstRow(
        world.db,
        `SELECT count(*)::int AS count FROM audit_records WHERE entity_id = $1 AND action = 'operation.retry'`,
        [workflowId],
      );
    await eventually(async () => expect(await retries()).toEqual({ count: 1 }));
    await eventually(async () => expect((await list()).body.data.operations).toHaveLength(1));

    bank.refuses = false;
    await eventually(async () => expect((await decide(workflowId, 'retry')).status).toBe(200));
    await eventually(async () =>
      expect(await orderRow(world, orderId)).toEqual({ status: 'CANCELLED', paymentStatus: 'REFUNDED' }),
    );
    expect(await retries()).toEqual({ count: 2 });
    const over = await decide(workflowId, 'retry');
    expect([over.status, over.body.error.code]).toEqual([404, 'OPERATION_NOT_FOUND']);
  });

  it('is refused with NOT_PARKED if the process has continued and the list does not show it yet', async () => {
    const { world, bank, decide } = stuck;
    const { workflowId } = await stuck.stuckRefund();
    const entry = await firstRow<{ json: string }>(
      world.db,
      `SELECT to_jsonb(p)::text AS json FROM parked_processes p WHERE workflow_id = $1`,
      [workflowId],
    );
    bank.refuses = false;
    await decide(workflowId, 'retry');
    await world.temporal.workflow.getHandle(workflowId).result();
    await execute(
      world.db,
      `INSERT INTO parked_processes SELECT * FROM jsonb_populate_record(NULL::parked_processes, $1::jsonb)`,
      [entry!.json],
    );
    const answer = await decide(workflowId, 'retry');
    expect([answer.status, answer.body.error.code]).toEqual([409, 'NOT_PARKED']);
  });

  it('is for administrators', async () => {
    const { workflowId } = await stuck.stuckRefund();
    const buyer = await signIn(stuck.world, await make.buyer(stuck.world.db));
    expect((await stuck.decide(workflowId, 'retry', buyer)).body.error.code).toBe('FORBIDDEN');
    expect((await stuck.decide(`payment-refund:${randomUUID()}`, 'retry')).body.error.code).toBe(
      'OPERATION_NOT_FOUND',
    );
    const anonymous = await stuck.world.http.post(`/api/v1/admin/operations/${workflowId}/retry`).send({});
    expect(anonymous.body.error.code).toBe('UNAUTHORIZED');
  });
});
