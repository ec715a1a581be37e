import { firstRow, type Db } from '../../sql/query';

/**
 * Tells whether a reviewer opened a verification, but never as it was submitted at `submittedAt`, which followed a question
 * of another reviewer, and has not claimed it since. The audit trail says which submission each opening showed.
 */
export async function openedEarlierOnly(
  db: Db,
  { kycId, reviewerId, submittedAt }: { kycId: string; reviewerId: string; submittedAt: Date | null },
): Promise<boolean> {
  const found = await firstRow<{ earlierOnly: boolean | null }>(
    db,
    `SELECT bool_and((next ->> 'submittedAt') IS DISTINCT FROM $3)
            AND EXISTS (SELECT 1 FROM (
                  SELECT performed_by, at FROM kyc_history WHERE kyc_id = $4 AND action = 'INFO_REQUESTED'
                   ORDER BY at DESC, id DESC LIMIT 1) AS question
                WHERE question.performed_by <> $5 AND NOT EXISTS (
                  SELECT 1 FROM kyc_history h WHERE h.kyc_id = $4 AND h.action = 'CLAIMED'
                     AND h.performed_by = $5 AND h.at > question.at)) AS earlier_only
       FROM audit_records
      WHERE entity_type = 'kyc' AND entity_id = $1 AND action = 'kyc.open' AND actor_id = $2`,
    [kycId, reviewerId, submittedAt?.toISOString() ?? null, kycId, reviewerId],
  );
  return found?.earlierOnly === true;
}
