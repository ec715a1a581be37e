import { rows, firstRow, type Tx } from '../../sql/query';

/** The identity verifications that wait. */
export interface KycFigures {
  /** By status; each status of a review has a row. */
  reviews: { status: string; reviews: number }[];
  /** Those that no reviewer decided in the time that they had; escalated ones have been given more since. */
  overdue: number;
  /** Those that were escalated and wait for a reviewer. */
  escalated: number;
  /** Time since the submission of the one that has waited for a reviewer longest; 0 if none waits. */
  oldestSeconds: number;
}

/** Reads them by the index of the review queue. */
export async function kycFigures(tx: Tx): Promise<KycFigures> {
  const reviews = await rows<KycFigures['reviews'][number]>(
    tx,
    `SELECT waiting.status, count(v.id)::int AS reviews
       FROM unnest(ARRAY['SUBMITTED', 'UNDER_REVIEW', 'NEEDS_INFO']) AS waiting (status)
       LEFT JOIN kyc_verifications v ON v.status = waiting.status AND v.status IN ('SUBMITTED', 'UNDER_REVIEW', 'NEEDS_INFO')
       GROUP BY waiting.status ORDER BY waiting.status`,
  );
  const waiting = await firstRow<Omit<KycFigures, 'reviews'>>(
    tx,
    `SELECT count(*) FILTER (WHERE escalated_at IS NOT NULL OR due_at < now())::int AS overdue,
            count(*) FILTER (WHERE escalated_at IS NOT NULL)::int AS escalated,
            coalesce(greatest(extract(epoch FROM now() - min(submitted_at)), 0), 0)::float8 AS oldest_seconds
       FROM kyc_verifications WHERE status IN ('SUBMITTED', 'UNDER_REVIEW')`,
  );
  if (!waiting) throw new Error('PostgreSQL answered no row to a count.');
  return { reviews, ...waiting };
}
