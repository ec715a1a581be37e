import { listReconciliationDifferences } from './list-differences';
import { listReconciliationRuns } from './list-runs';
import { resolveReconciliationDifference } from './resolve';
import { startReconciliationRun } from './start-run';

export const reconciliationEndpoints = [
  listReconciliationRuns,
  startReconciliationRun,
  listReconciliationDifferences,
  resolveReconciliationDifference,
];
