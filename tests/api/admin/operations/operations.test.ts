import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { WAITING_KINDS } from '../../../../db/administration/operations/waiting/waiting-work.reads';
import { firstRow, execute } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import { signIn } from '../../../support/builders/sign-in';
import { eventually } from '../../../support/checks/eventually';
import { orderRow } from '../../../support/builders/sandbox';
import { startStuckWorld, type StuckWorld } from './stuck-refund';

const TEMPORAL_UI = 'https://temporal.example/ui';

let stuck: StuckWorld;
beforeAll(async () => {
  stuck = await startStuckWorld({ TEMPORAL_UI_URL: `${TEMPORAL_UI}/` });
});
afterAll(() => stuck.world.teardown());

/** Ends what is still parked, for the tests that count operations. */
async function abandonAll(): Promise<void> {
  const listed = async () => (await stuck.list()).body.data.operations as { workflowId: string }[];
  for (const { workflowId } of await listed()) await stuck.decide(workflowId, 'abandon');
  await eventually(async () => expect(await listed()).toEqual([]));
}

describe('POST /admin/operations/:workflowId/abandon', () => {
  afterAll(abandonAll);

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

describe('GET /admin/operations', () => {
  afterAll(abandonAll);

  it('lists processes that wait for an operator, longest wait first; they run, and the UI finds them too', async () => {
    const { world } = stuck;
    const first = await stuck.stuckRefund();
    const second = await stuck.stuckRefund();
    const listed = await stuck.list();
    expect(listed.status).toBe(200);
    const operations = z.array(Operation).parse(listed.body.data.operations);
    expect(operations.map(({ workflowId }) => workflowId)).toEqual([first.workflowId, second.workflowId]);
    expect(operations.map(({ order }) => order.id)).toEqual([first.orderId, second.orderId]);
    expect(listed.body.data).toEqual({ operations, summary: expect.any(Array) as object, invariants: null });
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

  it('filters by type, state and order, which is its id or its number', async () => {
    const found = async (query: string): Promise<string[]> => {
      const { status, body } = await stuck.list(undefined, query);
      expect([query, status]).toEqual([query, 200]);
      return (body.data.operations as { order: { orderNumber: string } }[]).map(
        ({ order }) => order.orderNumber,
      );
    };
    const [one, other] = await found('type=paymentRefund&state=PARKED');
    expect(await found(`order=${one!}`)).toEqual([one]);
    expect(await found(`order=${other!.toLowerCase()}`)).toEqual([other]);
    const { body } = await stuck.list();
    const [{ order }] = body.data.operations as [{ order: { id: string } }];
    expect(await found(`order=${order.id}`)).toEqual([one]);
    for (const none of [
      'type=checkout',
      'state=RETRYING',
      'order=ORD-1999-00000001',
      `order=${randomUUID()}`,
    ])
      expect(await found(none)).toEqual([]);
    for (const wrong of ['state=GONE', 'type=', 'order='])
      expect((await stuck.list(undefined, wrong)).body.error.code).toBe('VALIDATION_ERROR');
  });

  it('filters by the person whose matter it is, and by what it is about', async () => {
    const found = async (query: string): Promise<string[]> =>
      ((await stuck.list(undefined, query)).body.data.operations as { workflowId: string }[]).map(
        ({ workflowId }) => workflowId,
      );
    const { body } = await stuck.list();
    const [one] = body.data.operations as [{ workflowId: string; entityId: string; user: { id: string } }];
    expect(await found(`userId=${one.user.id}`)).toEqual([one.workflowId]);
    expect(await found(`entityId=${one.entityId}`)).toEqual([one.workflowId]);
    expect(await found(`entityId=${one.entityId}&userId=${one.user.id}&state=RETRYING`)).toEqual([]);
    for (const none of [`userId=${randomUUID()}`, `entityId=${randomUUID()}`, "entityId=';--"])
      expect(await found(none)).toEqual([]);
    for (const wrong of ['userId=x', 'entityId=', `entityId=${'x'.repeat(401)}`])
      expect((await stuck.list(undefined, wrong)).body.error.code).toBe('VALIDATION_ERROR');
  });

  it('leads to the order, the person, the refund and the process in the Temporal UI', async () => {
    const { body } = await stuck.list();
    const [{ workflowId, entityId, order, user, links }] = body.data.operations as [
      z.output<typeof Operation>,
    ];
    const { runId } = await stuck.world.temporal.workflow.getHandle(workflowId).describe();
    expect(links).toEqual({
      entity: `/api/v1/admin/payment-refunds/${entityId}`,
      order: `/api/v1/admin/orders/${order.id}`,
      user: `/api/v1/admin/users/${user.id}`,
      temporal: `${TEMPORAL_UI}/namespaces/default/workflows/${encodeURIComponent(workflowId)}/${runId}/history`,
    });
    for (const path of [links.entity, links.order, links.user]) {
      const { status } = await stuck.world.http.get(path).auth(stuck.token, { type: 'bearer' });
      expect([path, status]).toEqual([path, 200]);
    }
  });

  it('counts what else waits for a person, each with its list', async () => {
    const { body } = await stuck.list(undefined, 'type=checkout');
    const summary = z.array(Waiting).parse(body.data.summary);
    expect(summary.map(({ kind }) => kind)).toEqual(WAITING_KINDS);
    expect(summary[0]).toMatchObject({
      kind: 'PARKED_PROCESSES',
      count: 2,
      since: expect.any(String) as string,
    });
    for (const { path } of summary) {
      const { status } = await stuck.world.http.get(path).auth(stuck.token, { type: 'bearer' });
      expect([path, status]).toEqual([path, 200]);
    }
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
    // Only then is the first retry over: one that still runs would do what the second is for.
    await eventually(async () =>
      expect((await list()).body.data.operations).toMatchObject([{ workflowId, state: 'PARKED' }]),
    );

    bank.refuses = false;
    // It is refused until the step has parked again, and its answer may be lost although it takes effect.
    await eventually(async () => {
      await decide(workflowId, 'retry');
      expect(await orderRow(world, orderId)).toEqual({ status: 'CANCELLED', paymentStatus: 'REFUNDED' });
    });
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

const Operation = z.strictObject({
  workflowId: z.string(),
  type: z.literal('paymentRefund'),
  entityId: z.uuid(),
  label: z.string().regex(/^ORD-\d{4}-\d{8} · 30\.00 USD · money back$/),
  state: z.enum(['PARKED', 'RETRYING']),
  order: z.strictObject({ id: z.uuid(), orderNumber: z.string().regex(/^ORD-/) }),
  user: z.strictObject({ id: z.uuid(), email: z.email() }),
  amount: z.literal(30),
  currency: z.literal('USD'),
  attempts: z.literal(1),
  since: z.iso.datetime(),
  reason: z.literal('Could not send the money back through the provider.'),
  lastError: z.literal('the bank refuses'),
  actions: z.tuple([z.literal('RETRY'), z.literal('ABANDON')]),
  note: z.null(),
  retry: z.null(),
  links: z.strictObject({ entity: z.string(), order: z.string(), user: z.string(), temporal: z.url() }),
});

const Waiting = z.strictObject({
  kind: z.string(),
  count: z.int(),
  since: z.iso.datetime().nullable(),
  path: z.string().startsWith('/api/v1/admin/'),
});
