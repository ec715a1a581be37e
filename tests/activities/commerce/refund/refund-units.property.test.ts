import fc from 'fast-check';
import { v7 } from 'uuid';
import { firstRow } from '../../../../db/sql/query';
import { violations } from '../../../support/checks/violations';
import { ownDatabase } from '../../../support/servers/database';
import { noteOf, orderSteps } from '../../../support/builders/ordering';
import {
  approve,
  arrived,
  askBack,
  ON_THE_SHELF,
  shelf,
  type Arrived,
  type Bought,
} from '../../../support/builders/refunding';

const own = ownDatabase();

const bought = fc.record<Bought>({
  lines: fc.array(
    fc.record({ priceMinor: fc.integer({ min: 1, max: 9_999 }), quantity: fc.integer({ min: 1, max: 4 }) }),
    { minLength: 1, maxLength: 3 },
  ),
  discountBp: fc.constantFrom(0, 1, 333, 5_000),
  taxBp: fc.constantFrom(0, 700, 1_900, 1),
  shippingMinor: fc.constantFrom(0, 499),
  partnerMinor: fc.constantFrom(0, 0, 1, 3_000, 500_000),
  method: fc.constantFrom('CARD', 'BALANCE'),
});
const step = fc.record({
  units: fc.array(fc.nat(3), { minLength: 3, maxLength: 3 }),
  approvedBp: fc.constantFrom(10_000, 10_000, 4_321, 1),
  restock: fc.boolean(),
  decision: fc.constantFrom('approve', 'approve', 'approve', 'give up', 'turn down' as const),
});

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** Requests the units of an order, step by step; then all that is left. */
async function giveBack(order: Arrived, steps: Step[]) {
  const left = order.items.map(({ quantity }) => quantity);
  const onShelf = order.items.map(() => 0);
  const all = { units: left.map(() => 99), approvedBp: 10_000, restock: true, decision: 'approve' as const };
  let backMinor = 0;
  let whole = true;
  for (const { units, approvedBp, restock, decision } of [...steps, all]) {
    const items = order.items
      .map(({ id: itemId }, index) => ({ itemId, quantity: Math.min(units[index] ?? 0, left[index]!) }))
      .filter(({ quantity }) => quantity > 0);
    if (items.length === 0) continue;
    const asked = await askBack(own.db, order, { items }).catch((error: unknown) => {
      expect(error).toMatchObject({ type: 'CANNOT_REFUND' });
      return null;
    });
    if (asked === null) {
      whole = false;
      continue;
    }
    if (decision === 'turn down') {
      await turnDown(asked);
      continue;
    }
    const amountMinor = Math.ceil((asked.requestedMinor * approvedBp) / 10_000);
    const { refundsDue } = await approve(own.db, asked, { amountMinor, restock });
    for (const { refundId } of refundsDue) await conclude(refundId, decision);
    whole &&= amountMinor === asked.requestedMinor && (refundsDue.length === 0 || decision === 'approve');
    backMinor += amountMinor;
    asked.items.forEach(({ itemId, quantity }) => {
      const index = order.items.findIndex(({ id }) => id === itemId);
      left[index]! -= quantity;
      if (restock) onShelf[index]! += quantity;
    });
  }
  return { backMinor, whole, onShelf };
}

async function turnDown({
  refundRequestId,
  orderId,
}: {
  refundRequestId: string;
  orderId: string;
}): Promise<void> {
  const noteId = await noteOf(own.db, v7(), 'No.');
  await orderSteps(own.db).rejectRefund({ refundRequestId, orderId, noteId, at: new Date().toISOString() });
}

async function conclude(refundId: string, decision: string): Promise<void> {
  const activities = orderSteps(own.db);
  const at = new Date().toISOString();
  if (decision === 'give up') await activities.abandonRefund({ refundId, at });
  else await activities.completeRefund({ refundId, providerRefundId: v7(), at });
}

test('in whatever units an order goes back: exact to the cent, never more than was paid, and all invariants hold', async () => {
  await fc.assert(
    fc.asyncProperty(bought, fc.array(step, { maxLength: 4 }), async (options, steps) => {
      const order = await arrived(own.db, options);
      const { backMinor, whole, onShelf } = await giveBack(order, steps);
      const now = await firstRow<{ status: string; backMinor: number; brought: number }>(
        own.db,
        `SELECT status, refunded_minor AS back_minor, (SELECT coalesce(sum(e.amount_minor), 0)::bigint FROM ledger_entries e
             JOIN ledger_transfers t ON t.id = e.transfer_id JOIN refund_requests r ON r.id::text = split_part(t.reference, ':', 2)
           WHERE r.order_id = o.id AND e.account = 'refunds' AND t.reference LIKE 'refund:%' AND e.amount_minor > 0) AS brought
         FROM orders o WHERE id = $1`,
        [order.orderId],
      );
      expect(now).toEqual({
        status: whole && order.totalMinor > 0 ? 'REFUNDED' : 'DELIVERED',
        backMinor,
        brought: backMinor,
      });
      if (whole) expect(backMinor).toBe(order.totalMinor);
      expect(backMinor).toBeLessThanOrEqual(order.totalMinor);
      const sold = order.items.map(({ quantity }, index) => ON_THE_SHELF - quantity + onShelf[index]!);
      expect(await shelf(own.db, order)).toEqual(sold);
      expect(await violations(own.db)).toEqual([]);
    }),
    { numRuns: 60, endOnFailure: true },
  );
}, 300_000);
