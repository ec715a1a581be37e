import { defineProcess } from '../../kit/process';

/** The number of differences that are not resolved. */
export interface InvestmentFindings {
  differences: number;
}

/** Compares participations with what their providers reported, and sets the returns of strategies by month. */
export const investmentReconciliationProcess = defineProcess<Record<string, never>, InvestmentFindings>({
  type: 'investmentReconciliation',
  queue: 'batch',
  area: 'investment',
  id: () => 'investment-reconciliation',
  entityId: () => 'investment-reconciliation',
  summary: () => 'Participations against the reports of their providers',
  repeatable: true,
});

export interface InvestmentReconciliationActivities {
  /** `at`, in ISO 8601, is the time of the comparison. Repeated, it only refreshes what it found. */
  reconcileInvestments: (comparison: { at: string }) => Promise<InvestmentFindings>;
  /** Sets the returns by month of all strategies, of the months that have ended at `at` (ISO 8601). */
  refreshStrategyReturns: (refresh: { at: string }) => Promise<{ changed: number }>;
}
