import type { ChargebackStatus } from '../../../workflows/commerce/payment/payment-report.rules';
import { ownerOf, type PayableRef } from '../../../workflows/commerce/payable/payable.rules';
import type { Tx } from '../../sql/query';
import { announce, type RefundOwed } from './domain-event.writes';

/** A chargeback of money that had paid for something, as it is decided. */
interface DecidedChargeback {
  chargebackId: string;
  status: ChargebackStatus;
  amountMinor: number;
  currency: string;
  /** The money of announced refunds that it had paid, and that is owed again by its return; left out: none. */
  refundsOwed?: RefundOwed[];
}

/**
 * Announces that a chargeback is lost for good, or that one which was lost is returned, each once. Nothing of a top-up, which is no
 * sale.
 */
export async function announceDecision(
  tx: Tx,
  { ref, userId }: { ref: PayableRef; userId: string },
  { status, refundsOwed = [], ...chargeback }: DecidedChargeback,
  at: string,
): Promise<void> {
  const type = status === 'LOST' ? 'chargeback.lost' : 'chargeback.returned';
  const { column, id } = ownerOf(ref);
  const of = { type, userId, ...chargeback } as const;
  if (column === 'orderId') await announce(tx, { ...of, orderId: id, refundsOwed }, at);
  if (column === 'participationId') await announce(tx, { ...of, participationId: id }, at);
  if (column === 'entranceId') await announce(tx, { ...of, entranceId: id }, at);
}
