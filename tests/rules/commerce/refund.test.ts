import { orderStates, type OrderStatus } from '../../../workflows/commerce/order.states';
import { isRefundable } from '../../../workflows/commerce/refund.rules';

const DAY_MS = 24 * 3_600_000;
const deliveredAt = new Date('2026-03-01T12:00:00.000Z');
const after = (milliseconds: number): Date => new Date(deliveredAt.getTime() + milliseconds);

test('goods on their way may be given back', () => {
  expect(isRefundable({ status: 'SHIPPED', deliveredAt: null }, after(0))).toBe(true);
});

test.each([
  [0, true],
  [14 * DAY_MS, true],
  [14 * DAY_MS + 1, false],
])('delivered goods %i ms after they arrived: %s', (milliseconds, refundable) => {
  expect(isRefundable({ status: 'DELIVERED', deliveredAt }, after(milliseconds))).toBe(refundable);
});

test('goods of which nobody knows when they arrived may not', () => {
  expect(isRefundable({ status: 'DELIVERED', deliveredAt: null }, after(0))).toBe(false);
});

const others = (Object.keys(orderStates.moves) as OrderStatus[]).filter(
  (status) => status !== 'SHIPPED' && status !== 'DELIVERED',
);
test.each(others)('an order that is %s may not: it is cancelled, or over', (status) => {
  expect(isRefundable({ status, deliveredAt }, after(0))).toBe(false);
});
