import { execute, firstRow, type Db } from '../../sql/query';
import { table } from '../../sql/table';
import { KycSync } from './kyc-sync.model';

/** Records that a run begins; no-op for a run that has begun before. */
export async function beginSync(
  db: Db,
  { providerCode, slot, at }: { providerCode: string; slot: string; at: Date },
): Promise<void> {
  await execute(
    db,
    `INSERT INTO kyc_syncs (provider_code, slot, started_at, next_call_at) VALUES ($1, $2, $3, $3)
     ON CONFLICT (provider_code) DO UPDATE SET slot = excluded.slot, started_at = excluded.started_at, ended_at = NULL,
       accepted = 0, refused = 0, missed = 0, problem = NULL
     WHERE kyc_syncs.started_at < excluded.started_at`,
    [providerCode, slot, at],
  );
}

/** A run of a provider, by its start. */
interface Run {
  providerCode: string;
  startedAt: Date;
}

/** Counts a batch; `missed`: of the refused, those whose content is not the reason. Accepted after problems that only delayed it, it removes them from view. */
export async function countBatch(
  db: Db,
  { providerCode, startedAt }: Run,
  batch: { accepted: number; refused: number; missed: number; problem: string | null },
): Promise<void> {
  await execute(
    db,
    `UPDATE kyc_syncs SET accepted = accepted + $3, refused = refused + $4, missed = missed + $6,
       problem = CASE WHEN refused = 0 OR $5::text IS NOT NULL THEN $5 ELSE problem END
     WHERE provider_code = $1 AND started_at = $2`,
    [providerCode, startedAt, batch.accepted, batch.refused, batch.problem, batch.missed],
  );
}

/** Records why a batch is not accepted yet. */
export async function recordProblem(db: Db, run: Run, problem: string): Promise<void> {
  await table(db, KycSync).update({ problem }, { ...run });
}

/**
 * Records that a run has ended. It completed if it came to the last user (`isWhole`) and the provider was told of everybody:
 * each was accepted, or refused for what it was told of them.
 */
export async function endSync(
  db: Db,
  { providerCode, startedAt }: Run,
  { isWhole, at }: { isWhole: boolean; at: Date },
): Promise<void> {
  await execute(
    db,
    `UPDATE kyc_syncs SET ended_at = $3, completed_at = CASE WHEN $4 AND missed = 0 THEN $3 ELSE completed_at END
     WHERE provider_code = $1 AND started_at = $2 AND ended_at IS NULL`,
    [providerCode, startedAt, at, isWhole],
  );
}

/**
 * Takes the next turn to call the provider, if it comes in time; returns the milliseconds until it, taken or not. Turns of all workers together are as
 * far apart as the number a minute says. The caller has begun a run.
 */
export async function takeTurn(
  db: Db,
  { providerCode, perMinute, withinMs }: { providerCode: string; perMinute: number; withinMs: number },
): Promise<{ isTaken: boolean; waitMs: number }> {
  const turn = await firstRow<{ isTaken: boolean; waitMs: number }>(
    db,
    `WITH next AS (SELECT greatest(clock_timestamp(), next_call_at) AS at, clock_timestamp() AS asked_at FROM kyc_syncs
                    WHERE provider_code = $1 FOR UPDATE),
     taken AS (UPDATE kyc_syncs SET next_call_at = next.at + interval '1 minute' / $2::float8 FROM next
                WHERE provider_code = $1 AND next.at <= next.asked_at + interval '1 millisecond' * $3::float8
                RETURNING true)
     SELECT EXISTS (SELECT 1 FROM taken) AS is_taken,
            ceil(extract(epoch FROM next.at - next.asked_at) * 1000)::float8 AS wait_ms FROM next`,
    [providerCode, perMinute, withinMs],
  );
  if (!turn) throw new Error(`No push to ${providerCode} has begun.`);
  return { isTaken: turn.isTaken, waitMs: Math.max(0, turn.waitMs) };
}
