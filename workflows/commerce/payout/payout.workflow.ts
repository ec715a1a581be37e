import { localTransactions } from '../../kit/proxies';
import type { PayoutActivities, PayoutInput, PayoutResult } from './payout.contract';
import { followPayout } from './follow-payout';

/** The payout of a partner's available balance. Its completion marks commissions as paid, however many they are. */
export function payout(input: PayoutInput): Promise<PayoutResult> {
  const { payoutId } = input;
  const local = localTransactions<PayoutActivities>();
  return followPayout(input, {
    settledAt: 'POST /admin/payouts/:id/complete',
    async whenCompleted() {
      while ((await local.payCommissions({ payoutId })) > 0);
    },
  });
}
