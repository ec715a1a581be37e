import { v7 } from 'uuid';
import { execute, firstRow, type Db } from '../../../../db/sql/query';
import { given } from '../../../support/builders/given';
import { make } from '../../../support/builders/make';
import { refundByShop } from '../../../support/builders/refunding';
import { takeAllEvents } from '../../../support/checks/take-events';
import type { disputes } from '../../commerce/chargeback/charged-back';

/** Counted sales with a refund, and what is left of them. */
export function refundedSales(own: { readonly db: Db }, { bank, steps, send }: ReturnType<typeof disputes>) {
  /** Sends a refund, which its provider may have sent before; answers the provider's id of it. */
  async function complete(refundId: string): Promise<string> {
    const sent = await send(refundId, 2);
    if (sent.sentBy !== 'PROVIDER') throw new Error(`${sent.sentBy} has sent it.`);
    const { providerRefundId } = sent;
    await steps().completeRefund({ refundId, providerRefundId, at: new Date().toISOString() });
    return providerRefundId;
  }

  /** A counted order of 100.00 of a referred buyer, `cardMinor` of it by card, and a refund by card that is not sent. */
  async function refunded({ cardMinor = 100_00, amountMinor = 30_00 } = {}) {
    const order = await given(own.db)
      .order({
        ...{ lines: [{ priceMinor: 100_00, quantity: 1 }], discountBp: 0, shippingMinor: 0 },
        ...{ provider: bank(), partnerMinor: 100_00 - cardMinor },
      })
      .paid();
    const partner = await make.partner(own.db);
    await execute(own.db, 'UPDATE users SET sponsor_id = $2 WHERE id = $1', [order.userId, partner.id]);
    await takeAllEvents(own.db);
    const { refundsDue } = await refundByShop(own.db, order, { refundRequestId: v7(), amountMinor });
    return { order, partner, refundId: refundsDue[0]!.refundId };
  }

  const minorOf = async (sql: string, id: string): Promise<number> =>
    (await firstRow<{ minor: number }>(own.db, sql, [id]))!.minor;
  const leftOf = ({ orderId }: { orderId: string }) =>
    minorOf(
      'SELECT coalesce(sum(base_minor), 0)::bigint AS minor FROM partner_sales WHERE source_id = $1',
      orderId,
    );
  const pendingOf = ({ userId }: { userId: string }) =>
    minorOf(
      `SELECT coalesce(sum(balance_minor), 0)::bigint AS minor FROM ledger_balances
        WHERE user_id = $1 AND account = 'partner_pending'`,
      userId,
    );

  return { complete, refunded, leftOf, pendingOf };
}
