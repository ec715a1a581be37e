import { v7 } from 'uuid';
import { forgetExpired } from '../../../../db/administration/retention/retention.transitions';
import { storeWebhookEvent } from '../../../../db/commerce/webhook/webhook-event.writes';
import { policyFrom } from '../../../../db/policy/config';
import { execute, firstRow, rows } from '../../../../db/sql/query';
import { ownDatabase } from '../../../support/servers/database';
import { placedOrder } from '../../../support/builders/ordering';

const own = ownDatabase();
const at = new Date('2026-11-22T04:00:00.000Z');
const DAY_MS = 86_400_000;
const ago = (days: number, laterByMs = 0): Date => new Date(at.getTime() - days * DAY_MS + laterByMs);
const forget = (options?: Parameters<typeof forgetExpired>[3], policy = policyFrom({})) =>
  forgetExpired(own.db, at, policy, options);

beforeEach(() =>
  execute(
    own.owner,
    'TRUNCATE webhook_events, outbox_messages, sandbox_events, sandbox_payments, sandbox_refunds',
  ),
);

describe('bodies of webhook events', () => {
  async function event(
    status: string,
    processedAt: Date | null,
    body = '{"customer": "Ada"}',
  ): Promise<string> {
    const id = v7();
    await execute(
      own.db,
      `INSERT INTO webhook_events (id, provider, external_event_id, type, body, body_hash, status, received_at, processed_at)
       VALUES ($1, 'stripe', $1::uuid::text, 'x', $4, 'hash', $2, $5, $3)`,
      [id, status, processedAt, body, processedAt ?? ago(40)],
    );
    return id;
  }
  const bodyOf = async (id: string) =>
    (await firstRow<{ body: string | null }>(own.db, 'SELECT body FROM webhook_events WHERE id = $1', [id]))!
      .body;

  test('are emptied thirty days after the event was processed or ignored, to the millisecond', async () => {
    const kept = [
      await event('PROCESSED', ago(30)),
      await event('IGNORED', ago(29)),
      await event('DEAD', ago(300)),
      await event('WAITING', null),
      await event('RECEIVED', null),
    ];
    const emptied = [
      await event('PROCESSED', ago(30, -1)),
      await event('IGNORED', ago(31)),
      await event('PROCESSED', null),
    ];
    expect(await forget()).toMatchObject({ webhookBodies: 3 });
    for (const id of kept) expect(await bodyOf(id)).not.toBeNull();
    for (const id of emptied) expect(await bodyOf(id)).toBeNull();
    expect(await forget()).toMatchObject({ webhookBodies: 0 });
  });

  test('are kept as long as the policy says', async () => {
    const id = await event('PROCESSED', ago(8));
    expect(await forget({}, policyFrom({ POLICY_WEBHOOK_BODY_DAYS: '9' }))).toMatchObject({
      webhookBodies: 0,
    });
    expect(await forget({}, policyFrom({ POLICY_WEBHOOK_BODY_DAYS: '7' }))).toMatchObject({
      webhookBodies: 1,
    });
    expect(await bodyOf(id)).toBeNull();
  });

  test('once emptied, a repeat is still known as one, by its id and hash', async () => {
    const report = {
      id: v7(),
      provider: 'stripe',
      externalEventId: 'evt_1',
      type: 'x',
      body: '{}',
      bodyHash: 'h1',
    };
    await storeWebhookEvent(own.db, { ...report, known: true, at: ago(40) });
    await execute(
      own.db,
      `UPDATE webhook_events SET status = 'PROCESSED', started_at = $1, processed_at = $1`,
      [ago(40)],
    );
    await forget();
    const again = await storeWebhookEvent(own.db, { ...report, id: v7(), known: true, at });
    expect(again).toEqual({ id: report.id, bodyHash: 'h1', unstarted: false, fresh: false });
  });

  test('of an account that was erased are emptied at the next run, others are not', async () => {
    const orders = [await placedOrder(own.db), await placedOrder(own.db)];
    const bodies = await Promise.all(
      orders.map(({ attemptId }) =>
        event('PROCESSED', ago(1), JSON.stringify({ data: { metadata: { attempt_id: attemptId } } })),
      ),
    );
    await execute(
      own.db,
      'UPDATE users SET erased_at = $2, password_hash = NULL WHERE id = (SELECT user_id FROM orders WHERE id = $1)',
      [orders[0]!.orderId, ago(0.5)],
    );
    expect(await forget()).toMatchObject({ webhookBodies: 1 });
    expect([await bodyOf(bodies[0]!), await bodyOf(bodies[1]!)]).toEqual([null, expect.any(String)]);
  });

  test('goes on in small batches, and ends between two of them when it is told to', async () => {
    for (let n = 0; n < 7; n++) await event('PROCESSED', ago(31));
    const stop = new AbortController();
    stop.abort();
    await expect(forget({ signal: stop.signal })).rejects.toThrow('aborted');
    expect(await forget({ batch: 3 })).toMatchObject({ webhookBodies: 7 });
  });

  test('what somebody holds at that moment is left for the next run, which waits for nobody', async () => {
    const held = await event('PROCESSED', ago(31));
    const transaction = await own.db.sequelize.transaction();
    await execute({ ...own.db, transaction }, 'SELECT 1 FROM webhook_events WHERE id = $1 FOR UPDATE', [
      held,
    ]);
    expect(await forget()).toMatchObject({ webhookBodies: 0 });
    await transaction.rollback();
    expect(await forget()).toMatchObject({ webhookBodies: 1 });
  });
});

test('messages are deleted ninety days after they were written, when they are out or given up', async () => {
  const message = (status: string, created: Date) =>
    execute(
      own.db,
      `INSERT INTO outbox_messages (id, kind, reference, recipient, payload, status, due_at, created_at)
       VALUES ($1, 'MAIL', $1::uuid::text, 'a@b.c', CASE WHEN $2 = 'WAITING' THEN '{}'::jsonb END, $2, $3, $3)`,
      [v7(), status, created],
    );
  await message('SENT', ago(90, -1));
  await message('DEAD', ago(91));
  await message('SENT', ago(90));
  await message('DEAD', ago(89));
  await message('WAITING', ago(400));
  expect(await forget()).toMatchObject({ outboxMessages: 2 });
  expect(await rows(own.db, 'SELECT 1 FROM outbox_messages')).toHaveLength(3);
});

describe('of the sandbox provider', () => {
  async function payment(created: Date, { delivered = true } = {}): Promise<string> {
    const id = v7();
    await execute(own.db, `INSERT INTO sandbox_payments VALUES ($1, $2, 100, 'USD', 'PAID', $3)`, [
      id,
      v7(),
      created,
    ]);
    await execute(own.db, `INSERT INTO sandbox_events VALUES ($1, 'payment.paid', $2, 0, $3, $4)`, [
      v7(),
      id,
      created,
      delivered ? created : null,
    ]);
    return id;
  }
  const left = async () =>
    (await rows<{ id: string }>(own.db, 'SELECT id FROM sandbox_payments')).map(({ id }) => id);

  test('payments and their reports are deleted after thirty days, with the refunds of them', async () => {
    const kept = [await payment(ago(30)), await payment(ago(29))];
    const gone = await payment(ago(30, -1));
    for (const [id, created] of [
      [gone, ago(31)],
      [kept[0], ago(31)],
    ] as const)
      await execute(
        own.db,
        `INSERT INTO sandbox_refunds VALUES ($1::uuid::text, $1::uuid, $2, 100, 'USD', $3)`,
        [v7(), id, created],
      );
    expect(await forget()).toMatchObject({ sandboxRows: 3 });
    expect((await left()).sort()).toEqual(kept.sort());
    expect(await rows(own.db, 'SELECT payment_id AS id FROM sandbox_refunds')).toEqual([{ id: kept[0] }]);
  });

  test('nothing is deleted that was not reported yet', async () => {
    const untold = await payment(ago(300), { delivered: false });
    expect(await forget()).toMatchObject({ sandboxRows: 0 });
    expect(await left()).toEqual([untold]);
  });
});
