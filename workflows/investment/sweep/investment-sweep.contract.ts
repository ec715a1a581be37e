import { defineProcess } from '../../kit/process';

/** The number of processes that the sweep started. */
export interface InvestmentSweepResult {
  started: number;
}

/**
 * Hourly: starts the processes of participations, withdrawals, payouts and refunds that should have moved on and have none any more,
 * because it was lost or abandoned. One that runs, or waits for an operator, is left as it is.
 */
export const investmentSweepProcess = defineProcess<Record<string, never>, InvestmentSweepResult>({
  type: 'investmentSweep',
  queue: 'batch',
  area: 'investment',
  id: () => 'investment-sweep',
  entityId: () => 'investment-sweep',
  summary: () => 'Participations and withdrawals that nobody follows any more',
  repeatable: true,
});

/** The last row of the batch before, by the order of their moments (ISO 8601). */
export interface InvestmentSweepPosition {
  due: string;
  id: string;
}

/** `after`: null when there are no more. */
export interface InvestmentSweepBatch {
  started: number;
  after: InvestmentSweepPosition | null;
}

export interface InvestmentSweepActivities {
  /**
   * Starts the processes of the next participations that are mature, or past their payment window, and of the next
   * withdrawals on their way, without one; with the first batch, those of all payouts and refunds on their way.
   */
  startForgottenInvestments: (sweep: {
    at: string;
    after: InvestmentSweepPosition | null;
  }) => Promise<InvestmentSweepBatch>;
}
