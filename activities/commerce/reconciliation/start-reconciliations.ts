import { daysToCompare } from '../../../db/commerce/reconciliation/reconciliation.reads';
import type { Db } from '../../../db/sql/query';
import { reconciliationProcess } from '../../../workflows/commerce/reconciliation/reconciliation.contract';
import { lastDays } from '../../../workflows/commerce/reconciliation/reconciliation.rules';
import type { JobWork } from '../../administration/job/job-work';
import type { StartProcess } from '../webhook/webhook-sweep.activities';

/** Days that are looked at: the one that has ended, and those before it that may have been missed. */
const DAYS = 7;

/**
 * Starts the process of the last day that ended an hour before a run was due, and of each of the six days before it without a
 * completed run since the first run of the provider. One that runs goes on.
 */
export const startReconciliationsWork =
  ({
    longDb: db,
    start,
    statements,
  }: {
    longDb: Db;
    start: StartProcess;
    statements: ReadonlyMap<string, unknown>;
  }): JobWork =>
  async ({ due }) => {
    const started = await startReconciliations({ db, start, providers: statements.keys() }, due);
    const words = started.length === 0 ? 'No day was due.' : `Days that are compared: ${started.join(', ')}`;
    return { done: started.length, words };
  };

/** Starts the comparisons that are due at a moment, the oldest first; returns their names. */
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
