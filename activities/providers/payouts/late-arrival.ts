import { recordLateArrival } from '../../../db/commerce/reconciliation/late-arrival.writes';
import type { Tx } from '../../../db/sql/query';
import type { ArrivedTransfer } from './attempted-transfer';

/** A payout or a withdrawal that is locked. */
interface Booked {
  id: string;
  currency: string;
  status: string;
  provider: string | null;
  transferReference: string | null;
}

/**
 * Records the transfer of an attempt that has ended otherwise meanwhile: the money has left, and is not booked as sent by it. Does
 * nothing for the transfer that has completed the payout or the withdrawal.
 */
export async function keepLateArrival(
  tx: Tx,
  { id, currency, status, provider, transferReference }: Booked,
  arrived: ArrivedTransfer,
  at: Date,
): Promise<void> {
  const isBooked =
    status === 'COMPLETED' && provider === arrived.provider && transferReference === arrived.transferId;
  if (!isBooked) await recordLateArrival(tx, { currency, ...arrived, subjectId: id }, at);
}
