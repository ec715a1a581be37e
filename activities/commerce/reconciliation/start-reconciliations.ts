import { daysToCompare } from '../../../db/commerce/reconciliation/reconciliation.reads';
import type { Db } from '../../../db/sql/query';
import { reconciliationProcess } from '../../../workflows/commerce/reconciliation/reconciliation.contract';
import { lastDays } from '../../../workflows/commerce/reconciliation/reconciliation.rules';
import type { StartProcess } from '../webhook/webhook-sweep.activities';

/** Days that are looked at: the one that has ended, and those before it that may have been missed. */
const DAYS = 7;

/** Starts the comparisons that are due at a moment, the oldest first; answers their names. */
export async function startReconciliations(
  { db, start, providers }: { db: Db; start: StartProcess; providers: Iterable<string> },
  at: Date,
): Promise<string[]> {
  const days = lastDays(at, DAYS);
  const started: string[] = [];
  for (const provider of providers)
    for (const day of await daysToCompare(db, provider, days)) {
      await start(reconciliationProcess, { provider, day });
      started.push(`${provider}:${day}`);
    }
  return started;
}
