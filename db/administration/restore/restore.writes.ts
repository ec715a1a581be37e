import { v7 } from 'uuid';
import { execute, firstRow, type Db } from '../../sql/query';

/** The sequences of numbers that people see: those of orders, participations, top-ups and entrances, which transfers name. */
export const NUMBER_SEQUENCES = [
  'order_numbers',
  'participation_numbers',
  'top_up_numbers',
  'partner_entrance_numbers',
] as const;

/**
 * Chosen: far more than are given out between a copy and its restore, and few enough for ninety restores, since numbers have
 * eight digits (`ORD-2026-00000001`).
 */
export const NUMBER_GAP = 1_000_000;
const LARGEST_NUMBER = 99_999_999;

/**
 * Records that this database was restored from a copy, which holds payouts and refunds, and leaves out the numbers that may have
 * been given out after the copy. Reports of providers that are not dealt with count as not started, since Temporal's copy may be older
 * and have no process of them: the sweep starts those, and marks the others. Returns false, changing nothing, when there are not so
 * many numbers left.
 */
export async function beginRestore(db: Db, copiedAt: Date): Promise<boolean> {
  const last = NUMBER_SEQUENCES.map((name) => `(SELECT last_value FROM ${name})`);
  const advanced = NUMBER_SEQUENCES.map((name, index) => `setval('${name}', ${last[index]} + ${NUMBER_GAP})`);
  const begun = await firstRow(
    db,
    `WITH begun AS (
       INSERT INTO restores (id, copied_at, restored_at)
       SELECT $1::uuid, $2::timestamptz, now() WHERE greatest(${last.join(', ')}) + ${NUMBER_GAP} <= ${LARGEST_NUMBER}
       RETURNING id
     ), reports AS (
       UPDATE webhook_events SET started_at = NULL
        WHERE started_at IS NOT NULL AND status IN ('RECEIVED', 'WAITING') AND EXISTS (SELECT 1 FROM begun))
     SELECT id, ${advanced.join(', ')} FROM begun`,
    [v7(), copiedAt],
  );
  return begun !== null;
}

/** Releases every restore that is not released; returns how many there were. */
export const releaseRestores = (
  db: Db,
  { releasedBy, note }: { releasedBy: string; note: string },
): Promise<number> =>
  execute(
    db,
    'UPDATE restores SET released_at = now(), released_by = $1, note = $2 WHERE released_at IS NULL',
    [releasedBy, note],
  );
