import type { Attributes } from 'sequelize';
import { execute, type Tx } from '../../sql/query';
import type { ProviderDayTotal } from './provider-day-total.model';

/**
 * Adds to what a provider has promised today (UTC), in one conditional update, which lets one report after the other by;
 * false when that would be more than the limit.
 */
export async function addToDay(
  tx: Tx,
  of: Pick<Attributes<ProviderDayTotal>, 'providerCode' | 'currency'>,
  { amountMinor, limitMinor, at }: { amountMinor: number; limitMinor: number; at: Date },
): Promise<boolean> {
  const added = await execute(
    tx,
    `INSERT INTO provider_day_totals AS t (provider_code, currency, day, credited_minor)
       SELECT $1, $2, ($3::timestamptz AT TIME ZONE 'UTC')::date, $4::bigint WHERE $4::bigint <= $5::bigint
     ON CONFLICT (provider_code, currency, day) DO UPDATE SET credited_minor = t.credited_minor + excluded.credited_minor
       WHERE t.credited_minor + excluded.credited_minor <= $5::bigint`,
    [of.providerCode, of.currency, at, amountMinor, limitMinor],
  );
  return added === 1;
}
