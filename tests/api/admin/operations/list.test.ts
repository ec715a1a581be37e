import { z } from 'zod';
import { execute } from '../../../../db/sql/query';
import { eventually } from '../../../support/checks/eventually';
import { make } from '../../../support/builders/make';
import { signIn } from '../../../support/builders/sign-in';
import { startStuckWorld, type StuckWorld } from './stuck-refund';

let stuck: StuckWorld;
beforeAll(async () => {
  stuck = await startStuckWorld();
});
afterAll(() => stuck.world.teardown());

const Operation = z.strictObject({
  workflowId: z.string(),
  type: z.literal('paymentRefund'),
  entityId: z.uuid(),
  since: z.iso.datetime(),
  reason: z.string(),
  lastError: z.literal('the bank refuses'),
});

describe('GET /admin/operations', () => {
  it('lists processes that wait for an operator, longest wait first; they run, and the UI finds them too', async () => {
    const { world } = stuck;
    const first = await stuck.stuckRefund();
    const second = await stuck.stuckRefund();
    const listed = await stuck.list();
    expect(listed.status).toBe(200);
    const operations = z.array(Operation).parse(listed.body.data.operations);
    expect(operations.map(({ workflowId }) => workflowId)).toEqual([first.workflowId, second.workflowId]);
    expect(operations[0]?.reason).toContain('send the money back');
    expect(listed.body.data).toEqual({ operations, invariants: null });
    expect(listed.body.meta.pagination.total).toBe(2);
    const described = await world.temporal.workflow.getHandle(first.workflowId).describe();
    expect(described.status.name).toBe('RUNNING');
    await eventually(async () => {
      const found: string[] = [];
      for await (const flow of world.temporal.workflow.list({ query: 'NeedsAttention = true' }))
        found.push(flow.workflowId);
      expect(found.sort()).toEqual([first.workflowId, second.workflowId].sort());
    });
  });

  it('is paginated', async () => {
    const { body } = await stuck.world.http
      .get('/api/v1/admin/operations?page=2&pageSize=1')
      .auth(stuck.token, { type: 'bearer' });
    expect(body.data.operations).toHaveLength(1);
    expect(body.meta.pagination).toMatchObject({ page: 2, pageSize: 1, hasNext: false, hasPrevious: true });
  });

  it('shows what the last check of the invariants found', async () => {
    const broken = [
      { invariant: 'stock.not-negative', entity: 'an item', detail: '-1 available, 0 reserved' },
    ];
    const keep = (at: string, found: object[]) =>
      execute(stuck.world.db, 'INSERT INTO invariant_runs VALUES ($1, $2::jsonb)', [
        at,
        JSON.stringify(found),
      ]);
    await keep('2026-05-01T10:17:00Z', []);
    await keep('2026-05-01T11:17:00Z', broken);
    const latest = { checkedAt: '2026-05-01T11:17:00.000Z', broken };
    expect((await stuck.list()).body.data.invariants).toEqual(latest);
    await keep('2026-05-01T12:17:00Z', []);
    const checked = { checkedAt: '2026-05-01T12:17:00.000Z', broken: [] };
    expect((await stuck.list()).body.data.invariants).toEqual(checked);
  });

  it('is for administrators', async () => {
    const buyer = await signIn(stuck.world, await make.buyer(stuck.world.db));
    expect((await stuck.list(buyer)).body.error.code).toBe('FORBIDDEN');
    expect((await stuck.world.http.get('/api/v1/admin/operations')).body.error.code).toBe('UNAUTHORIZED');
  });
});
