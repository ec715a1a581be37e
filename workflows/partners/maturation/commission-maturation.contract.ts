import { defineProcess } from '../../kit/process';

/** The number of commissions that a run approved. */
export interface CommissionMaturationResult {
  matured: number;
}

/** The commission behind which a run goes on; `maturesAt` with microseconds. */
export interface MaturationCursor {
  maturesAt: string;
  id: string;
}

export interface CommissionMaturationProgress extends CommissionMaturationResult {
  /** ISO 8601: what is due at that time matures in this run. */
  at: string;
  after: MaturationCursor | null;
}

export interface CommissionMaturationInput {
  /** Left out by the schedule. */
  progress?: CommissionMaturationProgress;
}

/**
 * Daily: commissions whose time has come become APPROVED, but for those whose order has an open refund, which are looked
 * at again the next day.
 */
export const commissionMaturationProcess = defineProcess<
  CommissionMaturationInput,
  CommissionMaturationResult
>({
  type: 'commissionMaturation',
  queue: 'batch',
  area: 'partners',
  id: () => 'commission-maturation',
  entityId: () => 'commission-maturation',
  summary: () => 'Commissions whose time has come',
  repeatable: true,
});

/** `after`: null when there are no more. */
export interface MaturedBatches {
  matured: number;
  after: MaturationCursor | null;
}

export interface CommissionMaturationActivities {
  /**
   * Approves the commissions behind `after` that are due at `at`, batch by batch, each in two transactions at once, until some time
   * has passed. Tried again it goes on where its last heartbeat was; a batch that is repeated changes nothing.
   */
  matureDueCommissions: (run: { at: string; after: MaturationCursor | null }) => Promise<MaturedBatches>;
}
