import { v7 } from 'uuid';
import type { Db } from '../../../../db/sql/query';
import { insert, nextNumber } from './insert';

const DAY_MS = 86_400_000;

/** A day (UTC) so many days ago. */
export const utcDayAgo = (days: number): string =>
  new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

interface DifferenceOptions {
  provider?: string;
  day?: string;
  kind?: string;
}

/** An open difference with a payment provider, by default a transfer that only the provider knows; and its run. */
export async function difference(
  db: Db,
  {
    provider = 'sandbox',
    day = utcDayAgo(200 + nextNumber()),
    kind = 'MISSING_HERE',
  }: DifferenceOptions = {},
): Promise<{ id: string; runId: string; provider: string; day: string }> {
  const [id, runId, at] = [v7(), v7(), new Date()];
  await insert(db, 'provider_reconciliations', {
    ...{ id: runId, provider, day, reading: 1, started_at: at, read_at: at, compared_at: at },
    ...{ movements: 12, fees_booked: 5 },
  });
  await insert(db, 'reconciliation_differences', {
    ...{ id, run_id: runId, provider, day, kind, movement_kind: 'TRANSFER_OUT', provider_id: `po_${id}` },
    ...{ their_minor: 250_00, their_currency: 'USD', found_at: at, last_seen_at: at },
  });
  return { id, runId, provider, day };
}
