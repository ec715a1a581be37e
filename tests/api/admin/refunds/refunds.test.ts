import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { execute, firstRow, rows } from '../../../../db/sql/query';
import { paymentEventProcess } from '../../../../workflows/commerce/payment-event/payment-event.contract';
import { PROVIDER_QUEUES } from '../../../../workers/queues';
import { ownCheckedWorld } from '../../../support/worlds/world';
import { violations } from '../../../support/checks/violations';
import { eventually } from '../../../support/checks/eventually';
import { orderRow } from '../../../support/builders/sandbox';
import { signIn } from '../../../support/builders/sign-in';
import { owedMessages } from '../../../support/checks/mail';
import { moves } from '../../../support/builders/delivering';
import { storedReport } from '../../../support/builders/ordering';
import { staff, refundRequested, type Returning, requestRow, returning } from '../../orders/returning';
import { outcomeOf } from '../admin-world';

let clerk: Awaited<ReturnType<typeof staff>>;
const world = ownCheckedWorld({ queues: ['interactive', 'ingest', ...PROVIDER_QUEUES] });
beforeAll(async () => {
  clerk = await staff(world);
});

describe('GET /admin/refunds', () => {
  let pending: Returning & { refundId: string };
  let rejected: Returning & { refundId: string };

  beforeAll(async () => {
    rejected = await refundRequested(world);
    pending = await refundRequested(world);
    await clerk.decide(rejected.refundId, 'reject');
  });

  const list = async (query = '', token: string | null = clerk.token) => {
    const request = world.http.get(`/api/v1/admin/refunds${query}`);
    return token === null ? request : request.auth(token, { type: 'bearer' });
  };

  const AdminRefund = z.strictObject({
    id: z.uuid(),
    order: z.strictObject({ id: z.uuid(), orderNumber: z.string() }),
    user: z.strictObject({ id: z.uuid(), email: z.string(), name: z.string() }),
    status: z.enum(['PENDING_REVIEW', 'APPROVED', 'REJECTED', 'PROCESSING', 'COMPLETED', 'FAILED']),
    reason: z.string(),
    description: z.string().nullable(),
    requestedAmount: z.number(),
    approvedAmount: z.number().nullable(),
    currency: z.literal('USD'),
    items: z.array(
      z.strictObject({ itemId: z.uuid(), productName: z.string(), quantity: z.number(), amount: z.number() }),
    ),
    createdAt: z.iso.datetime(),
    decidedAt: z.iso.datetime().nullable(),
    decidedBy: z.uuid().nullable(),
  });

  test('newest first, with buyer, order and decision', async () => {
    const { status, body } = await list();
    expect(status).toBe(200);
    const refunds = z.array(AdminRefund).parse(body.data.refunds);
    expect(refunds.map(({ id }) => id)).toEqual([pending.refundId, rejected.refundId]);
    expect(refunds[0]).toMatchObject({
      order: { id: pending.orderId },
      user: { id: pending.ada.buyer.id, email: pending.ada.buyer.email, name: 'Ada Lovelace' },
      status: 'PENDING_REVIEW',
      reason: 'It does not fit.',
      requestedAmount: 65,
      approvedAmount: null,
      decidedBy: null,
    });
    expect(refunds[1]).toMatchObject({
      status: 'REJECTED',
      decidedBy: clerk.id,
      decidedAt: expect.any(String),
    });
    expect(body.meta.pagination).toMatchObject({ total: 2, page: 1 });
  });

  test.each([
    ['PENDING_REVIEW', 1],
    ['REJECTED', 1],
    ['COMPLETED', 0],
    ['ALL', 2],
  ])('of status %s: %i', async (status, total) => {
    const { body } = await list(`?status=${status}`);
    expect([body.data.refunds.length, body.meta.pagination.total]).toEqual([total, total]);
  });

  test('page by page', async () => {
    const pages = await Promise.all([1, 2, 3].map((page) => list(`?pageSize=1&page=${page}`)));
    expect(pages.map(({ body }) => body.data.refunds.map(({ id }: { id: string }) => id))).toEqual([
      [pending.refundId],
      [rejected.refundId],
      [],
    ]);
  });

  test.each(['?pageSize=101', '?status=OPEN', '?page=0'])('VALIDATION_ERROR: %s', async (query) => {
    expect(outcomeOf(await list(query))).toBe('400 VALIDATION_ERROR');
  });

  test('UNAUTHORIZED: nobody; FORBIDDEN: a buyer', async () => {
    expect(outcomeOf(await list('', null))).toBe('401 UNAUTHORIZED');
    expect(outcomeOf(await list('', pending.ada.token))).toBe('403 FORBIDDEN');
  });
});

describe('POST /admin/refunds/:id/approve', () => {
  const walletOf = async (userId: string): Promise<number> =>
    (await firstRow<{ n: number }>(
      world.db,
      `SELECT balance_minor AS n FROM ledger_balances WHERE user_id = $1 AND account = 'wallet'`,
      [userId],
    ))!.n;

  test('what a balance paid is back in the answer, the order is REFUNDED, and its history says so', async () => {
    const { ada, orderId, refundId } = await refundRequested(world);
    const before = await walletOf(ada.buyer.id);
    const { status, body } = await clerk.decide(refundId, 'approve', { note: 'Fine.' });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      id: refundId,
      status: 'COMPLETED',
      requestedAmount: 65,
      approvedAmount: 65,
      decidedBy: clerk.id,
      decidedAt: expect.any(String),
    });
    expect(await walletOf(ada.buyer.id)).toBe(before + 6_500);
    expect((await requestRow(world, refundId)).note).toBe('Fine.');
    const order = (await ada.get(`/orders/${orderId}`)).body.data;
    expect(order).toMatchObject({ status: 'REFUNDED', paymentStatus: 'REFUNDED', canRefund: false });
    expect(order.statusHistory.at(-1)).toMatchObject({ status: 'REFUNDED', note: null });
  });

  test('what a provider brought goes back through it; fulfilment is over then', async () => {
    const { orderId, refundId } = await refundRequested(world, { method: 'CARD', to: 'SHIPPED' });
    const { body } = await clerk.decide(refundId, 'approve');
    expect(['PROCESSING', 'COMPLETED']).toContain(body.data.status);
    await eventually(async () =>
      expect(await orderRow(world, orderId)).toEqual({ status: 'REFUNDED', paymentStatus: 'REFUNDED' }),
    );
    expect((await requestRow(world, refundId)).status).toBe('COMPLETED');
    expect(await world.temporal.workflow.getHandle(`refund:${refundId}`).result()).toBe('COMPLETED');
    expect(await world.temporal.workflow.getHandle(`fulfilment:${orderId}`).result()).toBe('REFUNDED');
  });

  test('a part of it: the order stays delivered', async () => {
    const { orderId, refundId } = await refundRequested(world);
    const { body } = await clerk.decide(refundId, 'approve', { amount: 12.34 });
    expect(body.data).toMatchObject({ status: 'COMPLETED', requestedAmount: 65, approvedAmount: 12.34 });
    expect((await orderRow(world, orderId)).status).toBe('DELIVERED');
  });

  test('the goods go back on the shelf when the administrator says so', async () => {
    const shelfOf = async (orderId: string): Promise<number[]> => {
      const found = await firstRow<{ n: number[] }>(
        world.db,
        `SELECT array_agg(s.available ORDER BY i.unit_price_minor DESC) AS n FROM order_items i
         JOIN stock_items s ON s.id = i.stock_item_id WHERE i.order_id = $1`,
        [orderId],
      );
      return found!.n;
    };
    const [kept, wanted] = [await refundRequested(world), await refundRequested(world)];
    await clerk.decide(kept.refundId, 'approve', { restock: false });
    await clerk.decide(wanted.refundId, 'approve', { restock: true });
    expect([await shelfOf(kept.orderId), await shelfOf(wanted.orderId)]).toEqual([
      [98, 99],
      [100, 100],
    ]);
  });

  test('VALIDATION_ERROR by the rule REFUND_EXCEEDS_REQUEST', async () => {
    const { refundId } = await refundRequested(world);
    const { body } = await clerk.decide(refundId, 'approve', { amount: 65.01 });
    expect(body.error).toEqual({
      code: 'VALIDATION_ERROR',
      message: 'The amount cannot exceed the requested 65.00 USD.',
      reason: 'REFUND_EXCEEDS_REQUEST',
      details: { amount: ['must be at most 65.00 USD'] },
    });
  });

  test.each([{ amount: 0 }, { amount: 0.001 }, { amount: -1 }])('VALIDATION_ERROR: %j', async (body) => {
    const { refundId } = await refundRequested(world);
    const answer = await clerk.decide(refundId, 'approve', body);
    expect(outcomeOf(answer)).toBe('400 VALIDATION_ERROR');
    expect(Object.keys(answer.body.error.details)).toEqual(['amount']);
    expect((await requestRow(world, refundId)).status).toBe('PENDING_REVIEW');
  });

  test('NOT_PENDING: it is decided already', async () => {
    const [done, turnedDown] = [await refundRequested(world), await refundRequested(world)];
    await clerk.decide(done.refundId, 'approve');
    await clerk.decide(turnedDown.refundId, 'reject');
    for (const { refundId } of [done, turnedDown])
      expect(outcomeOf(await clerk.decide(refundId, 'approve'))).toBe('400 NOT_PENDING');
  });

  test('REFUND_NOT_FOUND: there is none', async () => {
    expect(outcomeOf(await clerk.decide(randomUUID(), 'approve'))).toBe('404 REFUND_NOT_FOUND');
  });

  test('FORBIDDEN: one’s own refund; a buyer', async () => {
    const { ada, refundId } = await refundRequested(world);
    expect(outcomeOf(await clerk.decide(refundId, 'approve', {}, ada.token))).toBe('403 FORBIDDEN');
    await execute(world.db, `UPDATE users SET roles = '{USER,ADMIN}' WHERE id = $1`, [ada.buyer.id]);
    const answer = await clerk.decide(refundId, 'approve', {}, await signIn(world, ada.buyer));
    expect(outcomeOf(answer)).toBe('403 FORBIDDEN');
    expect((await requestRow(world, refundId)).status).toBe('PENDING_REVIEW');
  });
});

describe('POST /admin/refunds/:id/reject', () => {
  test('the request is REJECTED, the buyer gets a mail with the reason, and may request it again', async () => {
    const { orderId, refundId, ask } = await refundRequested(world);
    const { status, body } = await clerk.decide(refundId, 'reject', { reason: 'It was worn.' });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      id: refundId,
      status: 'REJECTED',
      approvedAmount: null,
      decidedBy: clerk.id,
    });
    expect(await orderRow(world, orderId)).toEqual({ status: 'DELIVERED', paymentStatus: 'PAID' });
    expect((await requestRow(world, refundId)).note).toBe('It was worn.');
    const mails = await owedMessages(world.db, 'reference = $1', [`refund:${refundId}:rejected`]);
    expect(mails).toMatchObject([{ text: expect.stringContaining('It was worn.') }]);
    expect((await ask()).status).toBe(201);
  });

  test.each([{}, { reason: '' }, { reason: 'x'.repeat(501) }])('VALIDATION_ERROR: %j', async (body) => {
    const { refundId } = await refundRequested(world);
    const answer = await clerk.decide(refundId, 'reject', body);
    expect(outcomeOf(answer)).toBe('400 VALIDATION_ERROR');
    expect(Object.keys(answer.body.error.details)).toEqual(['reason']);
  });

  test('NOT_PENDING: it is decided already', async () => {
    const { refundId } = await refundRequested(world);
    await clerk.decide(refundId, 'approve');
    expect(outcomeOf(await clerk.decide(refundId, 'reject'))).toBe('400 NOT_PENDING');
  });

  test('REFUND_NOT_FOUND: there is none', async () => {
    expect(outcomeOf(await clerk.decide(randomUUID(), 'reject'))).toBe('404 REFUND_NOT_FOUND');
  });

  test('FORBIDDEN: one’s own refund', async () => {
    const { ada, refundId } = await refundRequested(world);
    await execute(world.db, `UPDATE users SET roles = '{USER,ADMIN}' WHERE id = $1`, [ada.buyer.id]);
    const answer = await clerk.decide(refundId, 'reject', undefined, await signIn(world, ada.buyer));
    expect(outcomeOf(answer)).toBe('403 FORBIDDEN');
  });
});

describe('decisions at once', () => {
  let other: Awaited<ReturnType<typeof staff>>;
  beforeAll(async () => {
    other = await staff(world);
  });
  afterEach(async () => expect(await violations(world.db)).toEqual([]));

  const ROUNDS = 4;
  const rounds = Array.from({ length: ROUNDS }, (_, round) => round);

  test.each(rounds)('two approvals at once: one decides, the money goes once (%i)', async () => {
    const { orderId, refundId } = await refundRequested(world, { method: 'CARD' });
    const answers = await Promise.all([clerk.decide(refundId, 'approve'), other.decide(refundId, 'approve')]);
    expect(answers.map(outcomeOf).sort()).toEqual(['200', '400 NOT_PENDING']);
    await eventually(async () => expect((await orderRow(world, orderId)).status).toBe('REFUNDED'));
    const sent = await rows(world.db, 'SELECT 1 FROM payment_refunds WHERE order_id = $1', [orderId]);
    expect(sent).toHaveLength(1);
  });

  test.each(rounds)('an approval and a rejection at once: one of them (%i)', async (round) => {
    const { orderId, refundId } = await refundRequested(world);
    const verbs = round % 2 === 0 ? (['approve', 'reject'] as const) : (['reject', 'approve'] as const);
    const answers = await Promise.all(verbs.map((verb) => clerk.decide(refundId, verb)));
    expect(answers.map(outcomeOf).sort()).toEqual(['200', '400 NOT_PENDING']);
    const { status } = await requestRow(world, refundId);
    expect(status).toBe(answers.find((answer) => answer.status === 200)!.body.data.status);
    expect((await orderRow(world, orderId)).status).toBe(status === 'COMPLETED' ? 'REFUNDED' : 'DELIVERED');
  });

  test.each(rounds)(
    'the parcel leaves while the buyer cancels and asks for a refund: one of the two (%i)',
    async () => {
      const { ada, orderId, ask } = await returning(world, { to: null });
      const left = moves(world, orderId, 'SHIPPED').then(
        () => true,
        () => false,
      );
      const [cancelled, asked] = await Promise.all([
        ada.post(`/orders/${orderId}/cancel`, { reason: 'Too late?' }),
        ask(),
      ]);
      const { status } = await orderRow(world, orderId);
      if (await left) {
        expect([status, outcomeOf(cancelled)]).toEqual(['SHIPPED', '400 CANNOT_CANCEL']);
        expect(['201', '400 CANNOT_REFUND']).toContain(outcomeOf(asked));
      } else
        expect([status, outcomeOf(cancelled), outcomeOf(asked)]).toEqual([
          'CANCELLED',
          '200',
          '400 CANNOT_REFUND',
        ]);
    },
  );

  test.each(rounds)(
    'an approval while the buyer tries to cancel: what has left is refunded (%i)',
    async () => {
      const { ada, orderId, refundId } = await refundRequested(world, { to: 'SHIPPED' });
      const [approved, cancelled] = await Promise.all([
        clerk.decide(refundId, 'approve'),
        ada.post(`/orders/${orderId}/cancel`, { reason: 'Or so.' }),
      ]);
      expect([outcomeOf(approved), outcomeOf(cancelled)]).toEqual(['200', '400 CANNOT_CANCEL']);
      expect((await orderRow(world, orderId)).status).toBe('REFUNDED');
    },
  );

  test.each(rounds)(
    'an approval while the money comes a second time: both go back, each once (%i)',
    async () => {
      const { orderId, refundId } = await refundRequested(world, { method: 'CARD' });
      const [attempt] = await rows<{ attemptId: string; amountMinor: number }>(
        world.db,
        `SELECT id AS attempt_id, amount_minor FROM payment_attempts WHERE order_id = $1`,
        [orderId],
      );
      const event = await storedReport(world.db, 'PAID', attempt!);
      const [approved] = await Promise.all([
        clerk.decide(refundId, 'approve'),
        world.processes.start(paymentEventProcess, event),
      ]);
      expect(outcomeOf(approved)).toBe('200');
      await eventually(async () => {
        const sent = await rows(
          world.db,
          `SELECT reason, status, amount_minor AS amount FROM payment_refunds WHERE order_id = $1 ORDER BY reason`,
          [orderId],
        );
        expect(sent).toEqual([
          { reason: 'DUPLICATE_PAYMENT', status: 'COMPLETED', amount: 6_500 },
          { reason: 'REFUND', status: 'COMPLETED', amount: 6_500 },
        ]);
      });
      await eventually(async () => expect((await orderRow(world, orderId)).status).toBe('REFUNDED'));
      const bySandbox = await rows(
        world.db,
        `SELECT r.key FROM sandbox_refunds r JOIN payment_refunds p ON r.key = p.id || ':1' WHERE p.order_id = $1`,
        [orderId],
      );
      expect(bySandbox).toHaveLength(2);
    },
  );
});
