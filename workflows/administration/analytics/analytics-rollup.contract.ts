import { defineProcess } from '../../kit/process';

/** The number of facts that a run moved into the rollups. */
export interface AnalyticsRollupResult {
  facts: number;
}

export interface AnalyticsRollupInput {
  /** The facts that earlier histories of this run moved; left out by the schedule. */
  facts?: number;
}

/**
 * Every minute: the facts that were kept since the last run are added to the rollups by which figures are answered quickly.
 * Until then figures count them one by one, so that they are always right.
 */
export const analyticsRollupProcess = defineProcess<AnalyticsRollupInput, AnalyticsRollupResult>({
  type: 'analyticsRollup',
  queue: 'batch',
  area: 'administration',
  id: () => 'analytics-rollup',
  entityId: () => 'analytics-rollup',
  summary: () => 'Rollups of figures',
  repeatable: true,
});

/** `isDone`: no facts were left. */
export interface RolledUpTurn {
  facts: number;
  isDone: boolean;
}

export interface AnalyticsRollupActivities {
  /**
   * Adds the kept facts to the rollups, batch by batch, each in one transaction that also deletes them, until none is left or
   * some time has passed. The facts that are left say how far it is, so any number may run at once or one after the other.
   */
  rollUpFacts: () => Promise<RolledUpTurn>;
}
