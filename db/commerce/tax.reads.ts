import { firstRow, type Db } from '../sql';

/** Tax on goods sent to a country (ISO 3166-1 alpha-2), in basis points; 0 where none is set. */
export async function taxRateBp(db: Db, country: string): Promise<number> {
  const rate = await firstRow<{ rateBp: number }>(
    db,
    'SELECT rate_bp AS "rateBp" FROM tax_rates WHERE country = $1',
    [country],
  );
  return rate?.rateBp ?? 0;
}
