import { payoutProcess } from '../../../workflows/commerce/payout/payout.contract';
import { walletWithdrawalProcess } from '../../../workflows/commerce/payout/wallet-withdrawal.contract';
import { driven, type Driven } from '../driven';

const drivenPayout = (process: typeof payoutProcess, kind: 'PARTNER' | 'WALLET', name: string): Driven =>
  driven(
    process,
    {
      table: 'payouts',
      columns: `id AS payout_id, user_id`,
      open: {
        // One that waits for a decision needs none: the decision starts it.
        where: `kind = '${kind}' AND status = 'PROCESSING'`,
        detail: `'the ${name} is ' || status`,
        since: 'processed_at',
      },
      settled: {
        where: `kind = '${kind}' AND ended_at IS NOT NULL`,
        detail: `'the ${name} is ' || status`,
        since: 'ended_at',
      },
    },
    ({ payoutId = '', userId = '' }) => ({ payoutId, userId }),
  );

/** Payouts of partners and withdrawals from wallets, and the processes that drive them. */
export const drivenPayouts = [
  drivenPayout(payoutProcess, 'PARTNER', 'payout'),
  drivenPayout(walletWithdrawalProcess, 'WALLET', 'withdrawal'),
];
