import { log } from '@temporalio/activity';
import { providersToSync } from '../../../db/investment/kyc-push/kyc-push.reads';
import type { Db } from '../../../db/sql/query';
import { kycPushProcess } from '../../../workflows/investment/kyc-sync/kyc-push.contract';
import { slotOf } from '../../../workflows/investment/kyc-sync/kyc-sync.rules';
import type { JobWork } from '../../administration/job/job-work';
import type { StartProcess } from '../../commerce/webhook/webhook-sweep.activities';

const AT_ONCE = 20;

/** A run of the schedule. */
export const kycSyncWork =
  ({ longDb: db, start }: { longDb: Db; start: StartProcess }): JobWork =>
  async ({ at }) => {
    const slot = slotOf(at);
    const done = await startKycPushes({ db, start }, slot);
    return { done, words: `Pushes of ${slot} that were started: ${done}` };
  };

/**
 * Starts the push of a slot for each provider. A start that fails stops no other; the first failure is thrown at the end,
 * and repeated only those are started that were not.
 */
export async function startKycPushes(
  { db, start }: { db: Db; start: StartProcess },
  slot: string,
): Promise<number> {
  let started = 0;
  let failure: PromiseRejectedResult | undefined;
  let codes = await providersToSync(db, { after: '', limit: AT_ONCE });
  while (codes.length > 0) {
    const outcomes = await Promise.allSettled(
      codes.map((providerCode) => start(kycPushProcess, { providerCode, slot })),
    );
    for (const [index, outcome] of outcomes.entries()) {
      if (outcome.status === 'fulfilled') started += outcome.value === 'started' ? 1 : 0;
      else {
        failure ??= outcome;
        log.error('a push was not started', { providerCode: codes[index], error: outcome.reason as unknown });
      }
    }
    codes = await providersToSync(db, { after: codes.at(-1) ?? '', limit: AT_ONCE });
  }
  if (failure) throw failure.reason;
  return started;
}
