import { bookArrived, bookCredited } from '../../../db/investment/withdrawal/withdrawal-ledger.transitions';
import {
  endWithdrawal,
  type Withdrawal,
  type WithdrawalEnd,
} from '../../../db/investment/withdrawal/withdrawal.transitions';
import type { Tx } from '../../../db/sql/query';
import { queueWithdrawalMail } from './queue-withdrawal-mail';

/** A withdrawal whose money `provider` sends, or a person. */
export type SentWithdrawal = Withdrawal & { provider: string };

/**
 * Ends a locked withdrawal that is on its way, with its money: what arrived was our money with the provider, what was
 * refused goes to the wallet. Its owner gets a mail.
 */
export async function endTransfer(
  tx: Tx,
  withdrawal: SentWithdrawal,
  end: WithdrawalEnd,
  at: Date,
): Promise<void> {
  if (!(await endWithdrawal(tx, withdrawal.id, end, at)))
    throw new Error(`Withdrawal ${withdrawal.id} is no longer on its way.`);
  const isSent = end.status === 'COMPLETED';
  if (isSent) await bookArrived(tx, withdrawal, withdrawal.provider, at);
  else await bookCredited(tx, withdrawal, at);
  await queueWithdrawalMail(tx, withdrawal, isSent ? 'SENT' : 'CREDITED');
}
