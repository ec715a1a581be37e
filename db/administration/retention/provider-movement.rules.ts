import type { RetentionRule } from './retention-rule';

/** Movements that providers named, of days before a moment. One of which a difference is open stays until that is resolved. */
export const providerMovementRule = (before: Date): RetentionRule => ({
  kind: 'providerMovements',
  table: 'provider_movements',
  expired: `day < ($1::timestamptz AT TIME ZONE 'UTC')::date AND NOT EXISTS (SELECT 1 FROM reconciliation_differences d
    WHERE d.resolved_at IS NULL AND d.provider = provider_movements.provider
      AND d.movement_kind = provider_movements.kind AND d.provider_id = provider_movements.provider_id)`,
  before,
});
