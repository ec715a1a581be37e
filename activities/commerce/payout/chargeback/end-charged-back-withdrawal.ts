import { lockUnsentWithdrawal, type PayoutRow } from '../../../../db/commerce/payout/payout.transitions';
import { lockUserStanding } from '../../../../db/kyc/standing/user-standing.writes';
import type { Tx } from '../../../../db/sql/query';
import { endUnsentPayout } from '../end-unsent-payout';
import { auditPayout } from '../make-decision';
import { queuePayoutMail } from '../queue-payout-mail';

/** The words for the owner, and for administrators. */
const REASON = 'Your bank took back a payment into your balance.';

/**
 * Ends the withdrawal that holds money of a wallet of which a bank has taken back a top-up, unless a provider was asked to send it:
 * its amount is in the wallet again, and its owner gets a mail. Locks the owner, then the payout, as decisions on it do, and leaves
 * the wallet to the caller. Returns what records it in the audit trail, to be called last; null when no withdrawal was ended.
 */
export async function endChargedBackWithdrawal(
  tx: Tx,
  owner: Pick<PayoutRow, 'userId' | 'currency'>,
  { chargebackId }: { chargebackId: string },
  at: Date,
): Promise<(() => Promise<void>) | null> {
  await lockUserStanding(tx, owner.userId);
  const payout = await lockUnsentWithdrawal(tx, owner);
  if (!payout) return null;
  const end = { status: 'REJECTED', reason: REASON, returnsFunds: true } as const;
  await endUnsentPayout(tx, payout, { ...end, by: { chargebackId } }, at);
  await queuePayoutMail(tx, payout, 'REJECTED', { reason: REASON, fundsReturned: true });
  const next = { status: 'REJECTED', reason: REASON, fundsReturned: true, chargebackId };
  return () => auditPayout(tx, { payout, actorId: null, clientAddress: null, at }, 'reject', next);
}
