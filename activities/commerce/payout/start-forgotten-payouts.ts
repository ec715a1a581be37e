import { processingPayouts, type SentPayout } from '../../../db/commerce/payout/forgotten-payout.reads';
import type { Db } from '../../../db/sql/query';
import { amountInWords } from '../../../workflows/commerce/money.rules';
import { payoutProcess } from '../../../workflows/commerce/payout/payout.contract';
import { walletWithdrawalProcess } from '../../../workflows/commerce/payout/wallet-withdrawal.contract';
import { inGroups } from '../webhook/in-groups';
import type { StartProcess } from '../webhook/webhook-sweep.activities';

const BATCH = 200;

/**
 * Starts the processes of payouts whose money may be on its way, where they have none any more; answers their number. A payout
 * that waits for a decision needs none: the decision starts it.
 */
export async function startForgottenPayouts(
  { db, start }: { db: Db; start: StartProcess },
  before: Date,
): Promise<number> {
  let started = 0;
  for (let after: SentPayout | null = null; ;) {
    const found: SentPayout[] = await processingPayouts(db, { before, after, limit: BATCH });
    started += await inGroups(found, (group) =>
      Promise.allSettled(
        group.map(({ id, kind, userId, amountMinor, currency }) =>
          start(kind === 'PARTNER' ? payoutProcess : walletWithdrawalProcess, {
            ...{ payoutId: id, userId, exists: true },
            label: amountInWords(amountMinor, currency),
          }),
        ),
      ),
    );
    after = found.at(-1) ?? null;
    if (found.length < BATCH) return started;
  }
}
