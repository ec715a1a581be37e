import {
  comparePage,
  compareUnknown,
  minorUnits,
  openDifferences,
} from '../../../db/investment/reconciliation/investment-difference.transitions';
import { countDebts } from '../../../db/investment/provider-payment/provider-debt.transitions';
import { refreshReturns } from '../../../db/investment/strategy/strategy-returns.transitions';
import type { Policy } from '../../../db/policy/config';
import { inLongTransaction } from '../../../db/sql/long-transaction';
import type { Db } from '../../../db/sql/query';
import type { JobWork } from '../../administration/job/job-work';
import { readReports } from './read-reports';

/** Participations that are compared in one transaction. */
const PAGE = 5_000;

interface ComparisonDeps {
  /** A pool for long work. */
  longDb: Db;
  policy: Pick<Policy, 'eventPatienceDays' | 'providerDebtLimit'>;
  /** Participations of one transaction. */
  page?: number;
}

/** The daily comparison. */
export const investmentReconciliationWork =
  (deps: ComparisonDeps): JobWork =>
  async ({ at }, signal) => {
    const differences = await reconcileInvestments(deps, at, signal);
    await inLongTransaction(deps.longDb, signal, (tx) => refreshReturns(tx, at), { readsCommitted: true });
    return { done: differences, words: wordsOf(differences) };
  };

const wordsOf = (differences: number): string =>
  differences === 0
    ? 'What providers reported is what is held.'
    : `**${differences} differences.** GET /admin/investment/differences lists them.`;

/** Compares as of `at`; returns the number of differences that are not resolved. Repeated, it only refreshes what it found. */
export async function reconcileInvestments(
  { longDb, policy, page = PAGE }: ComparisonDeps,
  at: Date,
  signal: AbortSignal,
): Promise<number> {
  await readReports(longDb, at, signal);
  const comparison = { at, patienceDays: policy.eventPatienceDays };
  const units = await minorUnits(longDb);
  let after: string | null = null;
  do {
    const from: string | null = after;
    after = await inLongTransaction(longDb, signal, (tx) =>
      comparePage(tx, comparison, { after: from, limit: page, units }),
    );
  } while (after !== null);
  await inLongTransaction(longDb, signal, (tx) => compareUnknown(tx, comparison, units));
  await inLongTransaction(longDb, signal, (tx) => countDebts(tx, at, policy.providerDebtLimit, units));
  return openDifferences(longDb);
}
