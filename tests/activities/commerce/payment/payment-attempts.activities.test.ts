import { v7 } from 'uuid';
import { execute, firstRow, rows } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { postTransfer } from '../../../../db/ledger/ledger.transitions';
import { policyFrom } from '../../../../db/policy/config';
import type { PaymentMethod } from '../../../../workflows/commerce/payment/payment.rules';
import { violations } from '../../../support/checks/violations';
import { ownDatabase } from '../../../support/servers/database';
import {
  NOTHING_HELD,
  orderStep,
  orderSteps,
  placedOrder,
  PRICE_MINOR,
  storedReport,
  TWO_RESERVED,
  TWO_SOLD,
  orderCommand,
} from '../../../support/builders/ordering';

const own = ownDatabase();
const at = new Date().toISOString();
const later = (minutes: number): string => new Date(Date.parse(at) + minutes * 60_000).toISOString();
const steps = (policy = policyFrom({})) => orderSteps(own.db, undefined, policy);
const pay = (orderId: string, paymentMethod: PaymentMethod, when: string, by = steps()) =>
  by.openPayment({ orderId, attemptId: v7(), paymentMethod, at: when });
const attemptsOf = async (orderId: string): Promise<string[]> =>
  (
    await rows<{ attempt: string }>(
      own.db,
      `SELECT method || ' ' || amount_minor || ' ' || status AS attempt FROM payment_attempts
       WHERE order_id = $1 ORDER BY sequence`,
      [orderId],
    )
  ).map(({ attempt }) => attempt);
const methodOf = async (orderId: string): Promise<string | undefined> =>
  (
    await firstRow<{ method: string }>(own.db, 'SELECT payment_method AS method FROM orders WHERE id = $1', [
      orderId,
    ])
  )?.method;
const reported = async (
  outcome: 'PAID' | 'EXPIRED' | 'DECLINED',
  attemptId: string,
  amountMinor = PRICE_MINOR,
) =>
  steps().applyPaymentEvent({
    webhookEventId: (await storedReport(own.db, outcome, { attemptId, amountMinor })).webhookEventId,
    at: later(45),
  });

afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

describe('windows', () => {
  test('a new attempt never shortens the window; its answer has its own deadline', async () => {
    const order = await placedOrder(own.db, { method: 'BANK_TRANSFER' }, { at });
    const offered = await pay(order.orderId, 'CARD', later(60));
    expect(offered.standing.payBy).toBe(later(72 * 60));
    expect(offered.payment.expiresAt).toBe(later(90));
  });

  test('a page that expires leaves the order to the transfer that was given longer', async () => {
    const order = await placedOrder(own.db, { method: 'BANK_TRANSFER' }, { at });
    const attemptId = v7();
    await steps().openPayment({ orderId: order.orderId, attemptId, paymentMethod: 'CARD', at: later(1) });
    await reported('EXPIRED', attemptId);
    const early = await steps().expireOrder({ orderId: order.orderId, at: later(72 * 60 - 1) });
    expect(early.status).toBe('PENDING_PAYMENT');
    expect(await orderStep(own.db, order)).toMatchObject({
      order: 'PENDING_PAYMENT FAILED',
      ...TWO_RESERVED,
    });
    await steps().expireOrder({ orderId: order.orderId, at: later(72 * 60) });
    expect(await orderStep(own.db, order)).toMatchObject({ order: 'CANCELLED FAILED', ...NOTHING_HELD });
  });

  test('windows and their longest sum are those of the policy', async () => {
    const policy = policyFrom({ POLICY_CARD_WINDOW_MINUTES: '10', POLICY_LONGEST_PAYMENT_HOURS: '1' });
    const order = await orderCommand(own.db);
    const placed = await steps(policy).placeOrder({ ...order, ...order.command, at });
    expect(placed.standing.payBy).toBe(later(10));
    const offered = await pay(order.orderId, 'BANK_TRANSFER', later(9), steps(policy));
    expect(offered.standing.payBy).toBe(later(60));
  });

  test('at the very end of the window nothing is opened', async () => {
    const order = await placedOrder(own.db, {}, { at });
    await expect(pay(order.orderId, 'EWALLET', later(30))).rejects.toMatchObject({ type: 'NOT_PAYABLE' });
    await pay(order.orderId, 'EWALLET', new Date(Date.parse(later(30)) - 1).toISOString());
  });
});

describe('attempts', () => {
  test('the method of the open attempt again is that attempt', async () => {
    const order = await placedOrder(own.db, {}, { at });
    const again = await pay(order.orderId, 'CARD', later(10));
    expect(again.payment).toMatchObject({
      expiresAt: later(30),
      paymentUrl: expect.stringContaining(order.attemptId) as string,
    });
    expect(again.standing.payBy).toBe(later(30));
    expect(await attemptsOf(order.orderId)).toEqual([`CARD ${PRICE_MINOR} PENDING`]);
  });

  test('one that was declined, or whose own time is over, is not open', async () => {
    const order = await placedOrder(own.db, { method: 'BANK_TRANSFER' }, { at });
    const attemptId = v7();
    await steps().openPayment({ orderId: order.orderId, attemptId, paymentMethod: 'CARD', at: later(1) });
    await reported('DECLINED', attemptId);
    await pay(order.orderId, 'CARD', later(46));
    await pay(order.orderId, 'CARD', later(46 + 30));
    expect(await attemptsOf(order.orderId)).toEqual([
      `BANK_TRANSFER ${PRICE_MINOR} CANCELLED`,
      `CARD ${PRICE_MINOR} DECLINED`,
      `CARD ${PRICE_MINOR} CANCELLED`,
      `CARD ${PRICE_MINOR} PENDING`,
    ]);
  });

  test('there are as many as the policy has, then NOT_PAYABLE', async () => {
    const policy = policyFrom({ POLICY_PAYMENT_ATTEMPTS: '3' });
    const order = await placedOrder(own.db, { walletMinor: PRICE_MINOR }, { at });
    await pay(order.orderId, 'EWALLET', later(1), steps(policy));
    await pay(order.orderId, 'BANK_TRANSFER', later(2), steps(policy));
    for (const method of ['CARD', 'BALANCE'] as const)
      await expect(pay(order.orderId, method, later(3), steps(policy))).rejects.toMatchObject({
        type: 'NOT_PAYABLE',
      });
    const open = await pay(order.orderId, 'BANK_TRANSFER', later(3), steps(policy));
    expect(open.payment.method).toBe('BANK_TRANSFER');
    expect(await attemptsOf(order.orderId)).toHaveLength(3);
  });

  test('each is for what the partner balance leaves', async () => {
    const order = await placedOrder(own.db, { partnerMinor: 1_200, walletMinor: 4_000 }, { at });
    await pay(order.orderId, 'EWALLET', later(1));
    expect(await attemptsOf(order.orderId)).toEqual(['CARD 3800 CANCELLED', 'EWALLET 3800 PENDING']);
    expect((await pay(order.orderId, 'BALANCE', later(2))).standing.status).toBe('PAID');
    expect(await orderStep(own.db, order)).toMatchObject({
      order: 'PAID PAID',
      walletMinor: 200,
      ...TWO_SOLD,
    });
  });

  test('the order is named after the method of the one that paid', async () => {
    const byFirst = await placedOrder(own.db, {}, { at });
    await pay(byFirst.orderId, 'EWALLET', later(1));
    await reported('PAID', byFirst.attemptId);
    expect(await methodOf(byFirst.orderId)).toBe('CARD');

    const byBalance = await placedOrder(own.db, { walletMinor: PRICE_MINOR }, { at });
    await pay(byBalance.orderId, 'BALANCE', later(1));
    expect(await methodOf(byBalance.orderId)).toBe('BALANCE');
  });
});

describe('partner balances', () => {
  test('one below zero brings nothing: the method pays all', async () => {
    const order = await orderCommand(own.db, { partnerMinor: 100 });
    const clawedBack = [
      { account: 'partner_available' as const, userId: order.userId, amountMinor: -700, currency: 'USD' },
      { account: 'commission_expense' as const, amountMinor: 700, currency: 'USD' },
    ];
    await inTransaction(own.db, (tx) =>
      postTransfer(tx, { reference: `test:${v7()}`, entries: clawedBack, at: new Date(at), clawback: true }),
    );
    const placed = await steps().placeOrder({ ...order, ...order.command, at });
    expect(placed.payment.amountMinor).toBe(PRICE_MINOR);
  });

  test('one that covers all settles the order at once', async () => {
    const order = await orderCommand(own.db, { partnerMinor: PRICE_MINOR });
    const placed = await steps().placeOrder({ ...order, ...order.command, at });
    expect(placed.standing.status).toBe('PAID');
    expect(await attemptsOf(order.orderId)).toEqual(['CARD 0 PAID']);
  });

  test('how much a buyer may order unknown is the policy’s', async () => {
    const order = await orderCommand(own.db);
    await execute(own.db, `UPDATE users SET kyc_level = 'NONE', kyc_status = 'NOT_STARTED' WHERE id = $1`, [
      order.userId,
    ]);
    const command = { ...order, ...order.command, at };
    const strict = steps(policyFrom({ POLICY_ORDER_WITHOUT_KYC: '49' }));
    await expect(strict.placeOrder(command)).rejects.toMatchObject({ type: 'KYC_REQUIRED' });
    const exact = steps(policyFrom({ POLICY_ORDER_WITHOUT_KYC: '50' }));
    expect((await exact.placeOrder(command)).standing.status).toBe('PENDING_PAYMENT');
  });
});
