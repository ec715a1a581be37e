import type { PayoutInput, PayoutResult } from './payout.contract';
import { followPayout } from './follow-payout';
import { withdrawalChargedBack } from './wallet-withdrawal.contract';

/** The withdrawal of money from a wallet. */
export function walletWithdrawal(input: PayoutInput): Promise<PayoutResult> {
  return followPayout(input, {
    settledAt: 'POST /admin/wallet-withdrawals/:id/complete',
    endedByOther: withdrawalChargedBack,
  });
}
