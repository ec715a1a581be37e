import { v7 } from 'uuid';
import { enterSandboxPayments } from '../../../../api/sandbox/enter-payments.command';
import { firstRow } from '../../../../db/sql/query';
import type { PaymentOutcome } from '../../../../workflows/commerce/payment/payment-report.rules';
import { violations } from '../../../support/checks/violations';
import { ownDatabase } from '../../../support/servers/database';
import { lookForMoney } from '../../../support/checks/look-for-money';
import {
  orderStep,
  orderSteps,
  placedOrder,
  PRICE_MINOR,
  TWO_SOLD,
} from '../../../support/builders/ordering';

/** Orders with two attempts to pay in the sandbox, at the end of their window. */
const own = ownDatabase();
const at = new Date().toISOString();
const ended = new Date(Date.parse(at) + 40 * 60_000).toISOString();

afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

/** Two attempts; the first was given up for the second. */
async function twoAttempts() {
  const steps = orderSteps(own.db);
  const order = await placedOrder(own.db, {}, { at });
  const { orderId, attemptId: first } = order;
  const second = v7();
  await steps.openPayment({ orderId, attemptId: second, paymentMethod: 'EWALLET', at });
  return { order, orderId, first, second, steps };
}

const unreported = (key: string, ...outcomes: PaymentOutcome[]): Promise<unknown> =>
  enterSandboxPayments(own.db, { key, amountMinor: PRICE_MINOR, currency: 'USD', at: new Date() }, () =>
    outcomes.map((status) => ({ status, delayMs: 0 })),
  );

test.each<[PaymentOutcome[], PaymentOutcome[]]>([
  [['PAID'], ['EXPIRED']],
  [['EXPIRED', 'PAID'], ['DECLINED']],
  [['DECLINED'], ['EXPIRED', 'PAID']],
])('attempts that ended %p and %p: the order is paid', async (ofFirst, ofSecond) => {
  const { order, orderId, first, second, steps } = await twoAttempts();
  await unreported(first, ...ofFirst);
  await unreported(second, ...ofSecond);
  for (let times = 0; times < 2; times++)
    expect(await lookForMoney(steps, { orderId, at: ended })).toEqual([]);
  expect(await orderStep(own.db, order)).toMatchObject({ order: 'PAID PAID', refunds: [], ...TWO_SOLD });
});

test('both attempts were paid: the oldest money pays the order, the other goes back', async () => {
  const { order, orderId, first, second, steps } = await twoAttempts();
  await unreported(second, 'PAID');
  await unreported(first, 'PAID');
  expect(await lookForMoney(steps, { orderId, at: ended })).toHaveLength(1);
  const paid = await firstRow(
    own.db,
    `SELECT id FROM payment_attempts WHERE order_id = $1 AND status = 'PAID'`,
    [orderId],
  );
  expect(paid).toEqual({ id: first });
  expect((await orderStep(own.db, order)).refunds).toEqual(['DUPLICATE_PAYMENT PROCESSING']);
});

test('unless all attempts were looked up, only money is applied', async () => {
  const { order, orderId, second, steps } = await twoAttempts();
  const expired = {
    paymentId: v7(),
    status: 'EXPIRED' as const,
    amountMinor: PRICE_MINOR,
    currency: 'USD',
  };
  const found = [{ attemptId: second, report: expired }];
  await steps.applyLookUps({ orderId, found, complete: false, at: ended });
  expect((await orderStep(own.db, order)).order).toBe('PENDING_PAYMENT PENDING');
});
