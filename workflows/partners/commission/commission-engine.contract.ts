import { defineProcess } from '../../kit/process';

export interface CommissionEngineInput {
  /** From 0; events are divided among the engines by their order, participation or partner. */
  engine: number;
}

/** Counts sales, profits and partners, without end: one process an engine, for all workers. */
export const commissionEngineProcess = defineProcess<CommissionEngineInput, 'RETIRED'>({
  type: 'commissionEngine',
  queue: 'batch',
  area: 'partners',
  id: ({ engine }) => `commission-engine:${engine}`,
  entityId: ({ engine }) => String(engine),
  repeatable: true,
  summary: ({ engine }) => `Commission engine ${engine}`,
});

/** The outcomes of one stretch, as counts of events. */
export interface TakingResult {
  taken: number;
  /** Tries that failed and will be repeated. */
  failed: number;
  /** Events given to a process of their own. */
  parked: number;
  /** True if the policy has fewer engines by now: this one has no events. */
  isRetired: boolean;
}

export interface CommissionEngineActivities {
  /** Takes the engine's events until `forMs` have passed or it is cancelled; ends between events. */
  takeCommissionEvents: (stretch: { engine: number; forMs: number }) => Promise<TakingResult>;
}
