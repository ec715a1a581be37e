import { currencyDigits } from '../../../workflows/commerce/money.rules';
import { execute, type Tx } from '../../sql/query';

/** Counts debts that `which` selects: $1 the time, $2 the most that one may owe in whole units, $3 the minor units of currencies. */
const counted = (which: string): string =>
  `INSERT INTO investment_provider_debts AS counted (provider_code, currency, owed_minor, counted_at, beyond_since)
     SELECT provider_code, currency, owed_minor, $1::timestamptz,
            CASE WHEN owed_minor > $2::numeric * coalesce($3::jsonb ->> currency, '100')::numeric
              THEN $1::timestamptz END
       FROM investment_provider_debts_now ${which}
     ON CONFLICT (provider_code, currency) DO UPDATE
       SET owed_minor = excluded.owed_minor, counted_at = excluded.counted_at,
         beyond_since = CASE WHEN excluded.beyond_since IS NOT NULL
           THEN coalesce(counted.beyond_since, excluded.beyond_since) END`;

/**
 * Adds up what each provider owes us. `limit`: what one may owe, in whole units of each currency; the time since when it owes
 * more is kept. In a transaction that sees the database as of its start, so that a payment at the same time is not lost
 * from the sum: the transaction fails instead, and is repeated.
 */
export async function countDebts(tx: Tx, at: Date, limit: number, units: string): Promise<void> {
  await execute(tx, counted(''), [at, limit, units]);
}

/** Counts the debt of one provider and currency. */
export async function countDebt(
  tx: Tx,
  { providerCode, currency }: { providerCode: string; currency: string },
  at: Date,
  limit: number,
): Promise<void> {
  const units = JSON.stringify({ [currency]: 10 ** currencyDigits(currency) });
  const which = 'WHERE provider_code = $4 AND currency = $5';
  await execute(tx, counted(which), [at, limit, units, providerCode, currency]);
}
