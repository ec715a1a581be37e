import { firstRow, type Db } from '../sql';

/** Tax on goods sent to a country (ISO 3166-1 alpha-2), in basis points; 0 where none is set. */
export async function taxRateBp(db: Db, country: string): Promise<number> {
  const rate = await firstRow<TaxRate>(db, 'SELECT rate_bp AS "rateBp" FROM tax_rates WHERE country = $1', [
    country,
  ]);
  return rate?.rateBp ?? 0;
}

/** The same for a user's default address; 0 also without one. */
export async function taxRateAtHomeBp(db: Db, userId: string): Promise<number> {
  const rate = await firstRow<TaxRate>(
    db,
    `SELECT t.rate_bp AS "rateBp" FROM addresses a JOIN tax_rates t ON t.country = a.country
     WHERE a.user_id = $1 AND a.is_default`,
    [userId],
  );
  return rate?.rateBp ?? 0;
}

interface TaxRate {
  rateBp: number;
}
