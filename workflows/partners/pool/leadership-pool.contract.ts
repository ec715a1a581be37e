import { defineProcess } from '../../kit/process';
import type { PoolKind } from './pool-period.rules';

/** The names of the periods whose pool was started, such as 2026-W47. */
export interface LeadershipPoolResult {
  started: string[];
}

/** The process that starts the pools of a kind that are due. */
export const opener = (kind: PoolKind, type: string) =>
  defineProcess<Record<string, never>, LeadershipPoolResult>({
    type,
    queue: 'batch',
    area: 'partners',
    id: () => `leadership-pool-${kind.toLowerCase()}`,
    entityId: () => `leadership-pool-${kind.toLowerCase()}`,
    summary: () => `Leadership pools that are due · ${kind}`,
    repeatable: true,
  });

export interface LeadershipPoolActivities {
  /**
   * Starts the process of the period that closed last before `at`, and of earlier ones since the first partner joined that
   * have no completed run: at most 60, the oldest first. One that runs goes on.
   */
  startPools: (due: { kind: PoolKind; at: string }) => Promise<LeadershipPoolResult>;
}
