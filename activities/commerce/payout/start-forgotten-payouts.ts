import { processingPayouts, type SentPayout } from '../../../db/commerce/payout/forgotten-payout.reads';
import type { Db } from '../../../db/sql/query';
import { amountInWords } from '../../../workflows/commerce/money.rules';
import { payoutProcess } from '../../../workflows/commerce/payout/payout.contract';
import { walletWithdrawalProcess } from '../../../workflows/commerce/payout/wallet-withdrawal.contract';
import { startInPages } from '../webhook/start-in-pages';
import type { StartProcess } from '../webhook/webhook-sweep.activities';

/**
 * Starts the processes of payouts whose money may be on its way, where they have none any more; returns their number. A payout
 * that waits for a decision needs none: the decision starts it.
 */
export const startForgottenPayouts = (
  { db, start, signal }: { db: Db; start: StartProcess; signal: AbortSignal },
  before: Date,
): Promise<number> =>
  startInPages<SentPayout>(
    {
      read: (page) => processingPayouts(db, { ...page, before }),
      start: ({ id, kind, userId, amountMinor, currency }) =>
        start(kind === 'PARTNER' ? payoutProcess : walletWithdrawalProcess, {
          ...{ payoutId: id, userId, exists: true },
          label: amountInWords(amountMinor, currency),
        }),
    },
    signal,
  );
