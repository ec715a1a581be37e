import { execute, firstRow, type Db } from '../../../db/sql/query';

/** The refunds and transfers that the sandbox has carried out or has under way, as JSON. */
export interface ProviderMemory {
  refunds: string;
  transfers: string;
}

/**
 * Reads all that the sandbox knows of money that it sends. A real provider is elsewhere: a restore of our database does not take its
 * memory back to the time of the copy, so a drill carries that over from the machine that was lost.
 */
export async function providerMemory(db: Db): Promise<ProviderMemory> {
  const known = await firstRow<ProviderMemory>(
    db,
    `SELECT (SELECT coalesce(jsonb_agg(to_jsonb(r)), '[]')::text FROM sandbox_refunds r) AS refunds,
       (SELECT coalesce(jsonb_agg(to_jsonb(t)), '[]')::text FROM sandbox_transfers t) AS transfers`,
  );
  return known!;
}

/** Adds what the sandbox has learned since the copy. */
export async function remember(db: Db, { refunds, transfers }: ProviderMemory): Promise<void> {
  await execute(
    db,
    `INSERT INTO sandbox_refunds SELECT * FROM jsonb_populate_recordset(NULL::sandbox_refunds, $1::jsonb)
     ON CONFLICT (key) DO NOTHING`,
    [refunds],
  );
  await execute(
    db,
    `INSERT INTO sandbox_transfers SELECT * FROM jsonb_populate_recordset(NULL::sandbox_transfers, $1::jsonb)
     ON CONFLICT (key) DO UPDATE SET status = excluded.status, copies = excluded.copies, ended_at = excluded.ended_at`,
    [transfers],
  );
}
