import { v7 } from 'uuid';
import { firstRow } from '../../../../db/sql/query';
import { violations } from '../../../support/checks/violations';
import { ownDatabase } from '../../../support/servers/database';
import { make } from '../../../support/builders/make';
import {
  NOTHING_HELD,
  orderStep,
  orderSteps,
  paidOrder,
  placedOrder,
  PRICE_MINOR,
  TWO_RESERVED,
  TWO_SOLD,
  type OrderCommand,
} from '../../../support/builders/ordering';
import { APPLIED, at, later, refused, transfersOf } from './transfers';

const own = ownDatabase();
const steps = () => orderSteps(own.db);

let staffId: string;
const { transferFor, confirm, auditsOf, expired } = transfersOf(() => ({ db: own.db, staffId }));
beforeAll(async () => {
  staffId = (await make.admin(own.db)).id;
});
afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

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
describe('a transfer of the right amount, while the order waits', () => {
  test('pays it once and names the administrator once', async () => {
    const order = await placedOrder(own.db, { method: 'BANK_TRANSFER' }, { at });
    expect(await confirm(order, 'fits-1')).toEqual(APPLIED);
    expect(await orderStep(own.db, order)).toMatchObject({ order: 'PAID PAID', ...TWO_SOLD });
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
  const returned = (order: OrderCommand, status: string, paymentStatus: string) => ({
    status,
    paymentStatus,
    outcome: 'RETURNED',
    refundsDue: [{ refundId: expect.any(String) as string, orderId: order.orderId }],
  });

  test.each(['BANK_TRANSFER', undefined] as const)(
    'came too late (announced: %s): it goes back, and the order is REFUNDED when it is',
    async (method) => {
      const order = await expired(await placedOrder(own.db, method ? { method } : {}, { at }));
      const entered = await confirm(order, `late-${method ?? 'card'}`);
      expect(entered).toEqual(returned(order, 'CANCELLED', 'FAILED'));
      expect(await orderStep(own.db, order)).toMatchObject({
        order: 'CANCELLED FAILED',
        refunds: ['LATE_PAYMENT PROCESSING'],
        ...NOTHING_HELD,
      });
      const [refund] = entered.refundsDue;
      await steps().completeRefund({ refundId: refund!.refundId, providerRefundId: 'out-1', at: later(90) });
      expect((await orderStep(own.db, order)).order).toBe('CANCELLED REFUNDED');
    },
  );

  test('an order that was paid by another method keeps its payment, and the transfer goes back', async () => {
    const order = await paidOrder(own.db, { at });
    expect(await confirm(order, 'twice-1')).toEqual(returned(order, 'PAID', 'PAID'));
    expect(await orderStep(own.db, order)).toMatchObject({
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
    expect(await orderStep(own.db, order)).toMatchObject({
      order: 'PENDING_PAYMENT PENDING',
      refunds: ['AMOUNT_MISMATCH PROCESSING'],
      ...TWO_RESERVED,
    });
    expect(await confirm(order, 'less-2', { onMismatch: 'RETURN' })).toEqual(APPLIED);
  });

  test('an order that expires after its returned transfer was sent back is REFUNDED', async () => {
    const order = await placedOrder(own.db, { method: 'BANK_TRANSFER' }, { at });
    const entered = await confirm(order, 'less-3', { amountMinor: PRICE_MINOR - 1, onMismatch: 'RETURN' });
    const [refund] = entered.refundsDue;
    await steps().completeRefund({ refundId: refund!.refundId, providerRefundId: 'out-3', at: later(90) });
    await expired(order);
    expect((await orderStep(own.db, order)).order).toBe('CANCELLED REFUNDED');
  });
});
