import type { Attributes } from 'sequelize';
import { v7 } from 'uuid';
import type { Reading } from '../../../workflows/commerce/reconciliation/reconciliation.contract';
import { execute, firstRow, type Tx } from '../../sql/query';
import type { ProviderMovement } from './provider-movement.model';

/** Begins to read a day of a provider's statement, also one that was read before. */
export async function beginReading(
  tx: Tx,
  { provider, day, at }: { provider: string; day: string; at: Date },
): Promise<Reading> {
  const begun = await firstRow<Reading>(
    tx,
    `INSERT INTO provider_reconciliations AS r (id, provider, day, reading, started_at) VALUES ($1, $2, $3, 1, $4)
     ON CONFLICT (provider, day) DO UPDATE SET reading = r.reading + 1, started_at = $4, compared_at = NULL
     RETURNING id AS run_id, reading`,
    [v7(), provider, day, at],
  );
  if (!begun) throw new Error(`The reading of ${day} of ${provider} was not recorded.`);
  return begun;
}

/** A movement as a provider says it. */
type SaidMovement = Pick<
  Attributes<ProviderMovement>,
  | 'kind'
  | 'providerId'
  | 'chargebackId'
  | 'reference'
  | 'reverses'
  | 'amountMinor'
  | 'currency'
  | 'occurredAt'
>;

/** Records a page of movements; false, and nothing recorded, if another reading has begun or the day is compared. */
export async function recordMovements(
  tx: Tx,
  { runId, reading }: Reading,
  said: readonly SaidMovement[],
): Promise<boolean> {
  const run = await firstRow<{ provider: string; day: string }>(
    tx,
    `SELECT provider, day::text AS day FROM provider_reconciliations
     WHERE id = $1 AND reading = $2 AND compared_at IS NULL FOR KEY SHARE`,
    [runId, reading],
  );
  if (!run) return false;
  // The same one twice on a page would be changed twice by one statement.
  const movements = [...new Map(said.map((one) => [`${one.kind} ${one.providerId}`, one])).values()];
  await execute(
    tx,
    `INSERT INTO provider_movements (provider, day, reading, kind, provider_id, chargeback_id, reference, reverses, amount_minor,
       currency, occurred_at)
     SELECT $1, $2, $3, * FROM unnest($4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::bigint[], $10::text[],
       $11::timestamptz[])
     ON CONFLICT (provider, kind, provider_id) DO UPDATE SET day = excluded.day, reading = excluded.reading,
       chargeback_id = excluded.chargeback_id, reference = excluded.reference, reverses = excluded.reverses, amount_minor = excluded.amount_minor,
       currency = excluded.currency, occurred_at = excluded.occurred_at, compared_at = NULL`,
    [
      ...[run.provider, run.day, reading],
      movements.map(({ kind }) => kind),
      movements.map(({ providerId }) => providerId),
      movements.map(({ chargebackId }) => chargebackId),
      movements.map(({ reference }) => reference),
      movements.map(({ reverses }) => reverses),
      movements.map(({ amountMinor }) => amountMinor),
      movements.map(({ currency }) => currency),
      movements.map(({ occurredAt }) => occurredAt),
    ],
  );
  return true;
}

/**
 * Claims the comparisons of a provider until the transaction ends; false, at once, while another transaction has them. Of
 * two days at once, neither would judge what lies between them.
 */
export async function claimComparisons(tx: Tx, provider: string): Promise<boolean> {
  const claim = await firstRow<{ claimed: boolean }>(
    tx,
    `SELECT pg_try_advisory_xact_lock(hashtextextended('reconciliation:' || $1, 0)) AS claimed`,
    [provider],
  );
  return claim?.claimed === true;
}

/**
 * Locks a reading that is to be compared, until the transaction ends. COMPARED: a try before this one has done it.
 * SUPERSEDED: another reading of the day has begun.
 */
export async function lockReading(
  tx: Tx,
  { runId, reading }: Reading,
): Promise<'LOCKED' | 'COMPARED' | 'SUPERSEDED'> {
  const run = await firstRow<{ isCompared: boolean }>(
    tx,
    `SELECT compared_at IS NOT NULL AS is_compared FROM provider_reconciliations
     WHERE id = $1 AND reading = $2 FOR UPDATE`,
    [runId, reading],
  );
  if (!run) return 'SUPERSEDED';
  return run.isCompared ? 'COMPARED' : 'LOCKED';
}

/** Forgets what an earlier reading of the day found and this one did not. The run is locked. */
export async function forgetUnread(tx: Tx, { runId, reading }: Reading): Promise<void> {
  await execute(
    tx,
    `DELETE FROM provider_movements m USING provider_reconciliations r
     WHERE r.id = $1 AND m.provider = r.provider AND m.day = r.day AND m.reading < $2`,
    [runId, reading],
  );
}

/** Completes a run whose comparison is in the same transaction. */
export async function completeRun(
  tx: Tx,
  { runId }: Reading,
  { at, feesBooked }: { at: Date; feesBooked: number },
): Promise<void> {
  await execute(
    tx,
    `WITH compared AS (
       UPDATE provider_movements m SET compared_at = $2 FROM provider_reconciliations r
       WHERE r.id = $1 AND m.provider = r.provider AND m.day = r.day RETURNING 1)
     UPDATE provider_reconciliations SET read_at = $2, compared_at = $2, fees_booked = $3,
       movements = (SELECT count(*) FROM compared) WHERE id = $1`,
    [runId, at, feesBooked],
  );
}
