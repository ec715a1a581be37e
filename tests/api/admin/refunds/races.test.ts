import { rows } from '../../../../db/sql/query';
import { paymentEventProcess } from '../../../../workflows/commerce/payment/payment-event.contract';
import { violations } from '../../../support/checks/violations';
import { moves } from '../../../support/builders/delivering';
import { eventually } from '../../../support/checks/eventually';
import { storedReport } from '../../../support/builders/ordering';
import { orderRow } from '../../../support/builders/sandbox';
import { startWorld, type World } from '../../../support/worlds/world';
import { askedBack, requestRow, returning, staff } from '../../orders/returning';
import { outcomeOf } from '../admin-world';

let world: World;
let clerk: Awaited<ReturnType<typeof staff>>;
let other: Awaited<ReturnType<typeof staff>>;
beforeAll(async () => {
  world = await startWorld();
  [clerk, other] = [await staff(world), await staff(world)];
});
afterEach(async () => expect(await violations(world.db)).toEqual([]));
afterAll(() => world.teardown());

const ROUNDS = 4;
const rounds = Array.from({ length: ROUNDS }, (_, round) => round);

test.each(rounds)('two approvals at once: one decides, the money goes once (%i)', async () => {
  const { orderId, refundId } = await askedBack(world, { method: 'CARD' });
  const answers = await Promise.all([clerk.decide(refundId, 'approve'), other.decide(refundId, 'approve')]);
  expect(answers.map(outcomeOf).sort()).toEqual(['200', '400 NOT_PENDING']);
  await eventually(async () => expect((await orderRow(world, orderId)).status).toBe('REFUNDED'));
  const sent = await rows(world.db, 'SELECT 1 FROM payment_refunds WHERE order_id = $1', [orderId]);
  expect(sent).toHaveLength(1);
});

test.each(rounds)('an approval and a rejection at once: one of them (%i)', async (round) => {
  const { orderId, refundId } = await askedBack(world);
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

test.each(rounds)('an approval while the buyer tries to cancel: what has left is refunded (%i)', async () => {
  const { ada, orderId, refundId } = await askedBack(world, { to: 'SHIPPED' });
  const [approved, cancelled] = await Promise.all([
    clerk.decide(refundId, 'approve'),
    ada.post(`/orders/${orderId}/cancel`, { reason: 'Or so.' }),
  ]);
  expect([outcomeOf(approved), outcomeOf(cancelled)]).toEqual(['200', '400 CANNOT_CANCEL']);
  expect((await orderRow(world, orderId)).status).toBe('REFUNDED');
});

test.each(rounds)(
  'an approval while the money comes a second time: both go back, each once (%i)',
  async () => {
    const { orderId, refundId } = await askedBack(world, { method: 'CARD' });
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
      'SELECT r.key FROM sandbox_refunds r JOIN payment_refunds p ON p.id::text = r.key WHERE p.order_id = $1',
      [orderId],
    );
    expect(bySandbox).toHaveLength(2);
  },
);
