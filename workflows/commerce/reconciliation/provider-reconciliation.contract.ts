import { defineProcess } from '../../kit/process';

/** The days whose comparison was started, such as stripe:2026-11-23. */
export interface ProviderReconciliationResult {
  started: string[];
}

/** Daily: starts the comparison of the day that has ended with every provider, and of earlier days that were missed. */
export const providerReconciliationProcess = defineProcess<
  Record<string, never>,
  ProviderReconciliationResult
>({
  type: 'providerReconciliation',
  queue: 'batch',
  area: 'commerce',
  id: () => 'provider-reconciliation',
  entityId: () => 'provider-reconciliation',
  summary: () => 'Statements of providers that are to be compared',
  repeatable: true,
});

export interface ProviderReconciliationActivities {
  /**
   * Starts the process of the last day that ended an hour before `at`, and of each of the six days before it without a
   * completed run since the first run of the provider. One that runs goes on.
   */
  startReconciliations: (due: { at: string }) => Promise<ProviderReconciliationResult>;
}
