import {
  comparePage,
  compareUnknown,
  minorUnits,
  openDifferences,
} from '../../../db/investment/reconciliation/investment-difference.transitions';
import { countDebts } from '../../../db/investment/reconciliation/provider-debt.transitions';
import { refreshReturns } from '../../../db/investment/strategy/strategy-returns.transitions';
import type { Policy } from '../../../db/policy/config';
import { inLongTransaction } from '../../../db/sql/long-transaction';
import type { Db, Tx } from '../../../db/sql/query';
import type { InvestmentReconciliationActivities } from '../../../workflows/investment/reconciliation/investment-reconciliation.contract';
import { withHeartbeat } from '../../heartbeat';
import { readReports } from './read-reports';

/** Participations that are compared in one transaction. */
const PAGE = 5_000;

/** `longDb`: a pool for long work. `page`: participations of one transaction. */
export const investmentReconciliationActivities = ({
  longDb,
  policy,
  page = PAGE,
}: {
  longDb: Db;
  policy: Pick<Policy, 'eventPatienceDays' | 'providerDebtLimit'>;
  page?: number;
}): InvestmentReconciliationActivities => ({
  reconcileInvestments: ({ at: moment }) =>
    withHeartbeat(async (signal) => {
      const at = new Date(moment);
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
      return { differences: await openDifferences(longDb) };
    }),
  refreshStrategyReturns: ({ at }) =>
    withHeartbeat(async (signal) => {
      const refresh = (tx: Tx) => refreshReturns(tx, new Date(at));
      return { changed: await inLongTransaction(longDb, signal, refresh, { readsCommitted: true }) };
    }),
});
