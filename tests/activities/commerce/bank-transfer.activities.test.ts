import { v7 } from 'uuid';
import { firstRow, rows } from '../../../db/sql';
import type { BankTransfer } from '../../../workflows/commerce/bank-transfer.contract';
import { brokenBooks } from '../../support/books';
import { ownDatabase } from '../../support/database';
import { make } from '../../support/make';
import {
  NOTHING_HELD,
  noteOf,
  orderBook,
  orderBooks,
  paidOrder,
  placedOrder,
  PRICE_MINOR,
  storedReport,
  TWO_RESERVED,
  TWO_SOLD,
  type WishedOrder,
} from '../../support/ordering';

const own = ownDatabase();
const at = new Date().toISOString();
const later = (minutes: number): string => new Date(Date.parse(at) + minutes * 60_000).toISOString();
const steps = () => orderBooks(own.db);

let staffId: string;
beforeAll(async () => {
  staffId = (await make.admin(own.db)).id;
});
afterEach(async () => {
  expect(await brokenBooks(own.db)).toEqual([]);
});

const transferFor = async (
  { orderId }: Pick<WishedOrder, 'orderId'>,
  transactionId: string,
  wishes: Partial<Pick<BankTransfer, 'amountMinor' | 'onMismatch'>> = {},
) => ({
  orderId,
  captureId: v7(),
  amountMinor: PRICE_MINOR,
  transactionId,
  onMismatch: 'REFUSE' as const,
  noteId: await noteOf(own.db, staffId, null),
  at: later(60),
  ...wishes,
});

/** Enters a transfer as a worker does that crashed before its answer was heard: both answers are the same. */
async function confirm(...entered: Parameters<typeof transferFor>) {
  const transfer = await transferFor(...entered);
  const first = await steps().confirmTransfer(transfer);
  expect(await steps().confirmTransfer(transfer)).toEqual(first);
  return first;
}
const APPLIED = { status: 'PAID', paymentStatus: 'PAID', outcome: 'APPLIED', refundsDue: [] };
const refused = (type: string, field: string) => ({ type, details: [{ [field]: [expect.any(String)] }] });
const auditsOf = ({ orderId }: WishedOrder) =>
  rows<{ actor: string; outcome: string; status: string }>(
    own.db,
    `SELECT actor_id AS actor, next ->> 'outcome' AS outcome, next ->> 'status' AS status FROM audit_records
     WHERE entity_id = $1 AND action = 'order.confirm-transfer'`,
    [orderId],
  );
const paidBy = (orderId: string) =>
  firstRow(
    own.db,
    `SELECT o.payment_method AS method, a.method AS attempt, c.provider, c.amount_minor AS minor
     FROM orders o JOIN payment_attempts a ON a.order_id = o.id AND a.status = 'PAID'
     JOIN payment_captures c ON c.attempt_id = a.id AND c.applied WHERE o.id = $1`,
    [orderId],
  );
const BY_TRANSFER = {
  method: 'BANK_TRANSFER',
  attempt: 'BANK_TRANSFER',
  provider: 'bank',
  minor: PRICE_MINOR,
};
const expired = async (method?: 'BANK_TRANSFER') => {
  const order = await placedOrder(own.db, method ? { method } : {}, { at });
  await steps().expireOrder({ orderId: order.orderId, at: later(72 * 60) });
  return order;
};

describe('a transfer of the right amount, while the order waits', () => {
  test('pays it once and names the administrator once', async () => {
    const order = await placedOrder(own.db, { method: 'BANK_TRANSFER' }, { at });
    expect(await confirm(order, 'fits-1')).toEqual(APPLIED);
    expect(await orderBook(own.db, order)).toMatchObject({ order: 'PAID PAID', ...TWO_SOLD });
    expect(await paidBy(order.orderId)).toEqual(BY_TRANSFER);
    expect(await auditsOf(order)).toEqual([{ actor: staffId, outcome: 'APPLIED', status: 'PAID' }]);
  });

  test('pays it although the buyer turned to a card meanwhile, whose page is closed with it', async () => {
    const order = await placedOrder(own.db, { method: 'BANK_TRANSFER' }, { at });
    const card = { orderId: order.orderId, attemptId: v7(), paymentMethod: 'CARD' as const, at: later(1) };
    await steps().openPayment(card);
    expect(await confirm(order, 'fits-2')).toEqual(APPLIED);
    expect(await paidBy(order.orderId)).toEqual(BY_TRANSFER);
  });

  test('pays it although no transfer was ever announced', async () => {
    const order = await placedOrder(own.db, { method: 'CARD' }, { at });
    expect(await confirm(order, 'fits-3')).toEqual(APPLIED);
    expect(await paidBy(order.orderId)).toEqual(BY_TRANSFER);
  });

  test('is what the partner balance leaves', async () => {
    const order = await placedOrder(own.db, { method: 'BANK_TRANSFER', partnerMinor: 1_000 }, { at });
    await expect(steps().confirmTransfer(await transferFor(order, 'fits-4'))).rejects.toMatchObject(
      refused('AMOUNT_MISMATCH', 'amount'),
    );
    expect(await confirm(order, 'fits-4', { amountMinor: PRICE_MINOR - 1_000 })).toEqual(APPLIED);
  });
});

describe('a transfer for an order that does not want it', () => {
  const returned = (order: WishedOrder, status: string, paymentStatus: string) => ({
    status,
    paymentStatus,
    outcome: 'RETURNED',
    refundsDue: [{ refundId: expect.any(String) as string, orderId: order.orderId }],
  });

  test.each(['BANK_TRANSFER', undefined] as const)(
    'came too late (announced: %s): it goes back, and the order is REFUNDED when it is',
    async (method) => {
      const order = await expired(method);
      const entered = await confirm(order, `late-${method ?? 'card'}`);
      expect(entered).toEqual(returned(order, 'CANCELLED', 'FAILED'));
      expect(await orderBook(own.db, order)).toMatchObject({
        order: 'CANCELLED FAILED',
        refunds: ['LATE_PAYMENT PROCESSING'],
        ...NOTHING_HELD,
      });
      const [refund] = entered.refundsDue;
      await steps().completeRefund({ refundId: refund!.refundId, providerRefundId: 'out-1', at: later(90) });
      expect((await orderBook(own.db, order)).order).toBe('CANCELLED REFUNDED');
    },
  );

  test('an order that was paid otherwise keeps its payment, and the transfer goes back', async () => {
    const order = await paidOrder(own.db, { at });
    expect(await confirm(order, 'twice-1')).toEqual(returned(order, 'PAID', 'PAID'));
    expect(await orderBook(own.db, order)).toMatchObject({
      order: 'PAID PAID',
      refunds: ['DUPLICATE_PAYMENT PROCESSING'],
      ...TWO_SOLD,
    });
    expect(await auditsOf(order)).toEqual([{ actor: staffId, outcome: 'RETURNED', status: 'PAID' }]);
  });

  test('another amount is refused, and goes back only if that is said', async () => {
    const order = await placedOrder(own.db, { method: 'BANK_TRANSFER' }, { at });
    const wrong = { amountMinor: PRICE_MINOR - 1 };
    await expect(steps().confirmTransfer(await transferFor(order, 'less-1', wrong))).rejects.toMatchObject(
      refused('AMOUNT_MISMATCH', 'amount'),
    );
    expect(await auditsOf(order)).toEqual([]);
    const entered = await confirm(order, 'less-1', { ...wrong, onMismatch: 'RETURN' });
    expect(entered).toEqual(returned(order, 'PENDING_PAYMENT', 'PENDING'));
    expect(await orderBook(own.db, order)).toMatchObject({
      order: 'PENDING_PAYMENT PENDING',
      refunds: ['AMOUNT_MISMATCH PROCESSING'],
      ...TWO_RESERVED,
    });
    expect(await confirm(order, 'less-2', { onMismatch: 'RETURN' })).toEqual(APPLIED);
  });
});

describe('one bank reference', () => {
  test('belongs to one order and one amount', async () => {
    const [first, second] = [await placedOrder(own.db, {}, { at }), await placedOrder(own.db, {}, { at })];
    await confirm(first, 'once-1');
    const other = await transferFor(second, 'once-1');
    await expect(steps().confirmTransfer(other)).rejects.toMatchObject(
      refused('VALIDATION_ERROR', 'transactionId'),
    );
    const more = await transferFor(first, 'once-1', { amountMinor: PRICE_MINOR + 1, onMismatch: 'RETURN' });
    await expect(steps().confirmTransfer(more)).rejects.toMatchObject(
      refused('VALIDATION_ERROR', 'transactionId'),
    );
    expect(await orderBook(own.db, second)).toMatchObject({ order: 'PENDING_PAYMENT PENDING' });
  });

  test('entered again for its own order, by whomever, gets the same answer and does nothing', async () => {
    const paid = await placedOrder(own.db, {}, { at });
    const late = await expired();
    for (const [order, reference] of [
      [paid, 'again-1'],
      [late, 'again-2'],
    ] as const) {
      const first = await confirm(order, reference);
      expect(await confirm(order, reference)).toEqual(first);
      expect(await auditsOf(order)).toHaveLength(1);
    }
  });

  test('entered for two orders at once pays one of them; the other is refused and left as it was', async () => {
    for (let round = 0; round < 10; round++) {
      const orders = [await placedOrder(own.db, {}, { at }), await placedOrder(own.db, {}, { at })];
      const transfers = await Promise.all(orders.map((order) => transferFor(order, `race-${round}`)));
      const outcomes = await Promise.allSettled(
        transfers.map((transfer) => steps().confirmTransfer(transfer)),
      );
      const [lost] = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(lost).toMatchObject(refused('VALIDATION_ERROR', 'transactionId'));
      const states = await Promise.all(orders.map(async (order) => (await orderBook(own.db, order)).order));
      expect(states.sort()).toEqual(['PAID PAID', 'PENDING_PAYMENT PENDING']);
      const audits = await Promise.all(orders.map(auditsOf));
      expect(audits.flat()).toHaveLength(1);
    }
  });

  test('entered twice at once for one order is recorded once, and both are told the same', async () => {
    const order = await placedOrder(own.db, {}, { at });
    const transfers = await Promise.all([1, 2, 3, 4].map(() => transferFor(order, 'same-1')));
    const answers = await Promise.all(transfers.map((transfer) => steps().confirmTransfer(transfer)));
    expect(answers).toEqual([APPLIED, APPLIED, APPLIED, APPLIED]);
    expect(await auditsOf(order)).toHaveLength(1);
  });

  test('against the card that pays at the same moment: one pays, the other goes back', async () => {
    for (let round = 0; round < 5; round++) {
      const order = await placedOrder(own.db, {}, { at });
      const { webhookEventId } = await storedReport(own.db, 'PAID', order);
      const transfer = await transferFor(order, `card-${round}`);
      await Promise.all([
        steps().applyPaymentEvent({ webhookEventId, at: later(1) }),
        steps().confirmTransfer(transfer),
      ]);
      expect(await orderBook(own.db, order)).toMatchObject({
        order: 'PAID PAID',
        refunds: ['DUPLICATE_PAYMENT PROCESSING'],
        ...TWO_SOLD,
      });
    }
  });
});
