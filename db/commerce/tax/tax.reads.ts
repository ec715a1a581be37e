import { firstRow, rows, type Db } from '../../sql/query';

/** Tax on goods sent to a country (ISO 3166-1 alpha-2), in basis points; 0 where none is set. */
export async function taxRateBp(db: Db, country: string): Promise<number> {
  const rate = await firstRow<{ rateBp: number }>(db, 'SELECT rate_bp FROM tax_rates WHERE country = $1', [
    country,
  ]);
  return rate?.rateBp ?? 0;
}

/** The tax of one destination, in basis points. */
interface TaxRateRow {
  country: string;
  rateBp: number;
}

/** One page of the rates that are set, by country. */
export async function listTaxRates(
  db: Db,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; rates: TaxRateRow[] }> {
  const counted = await firstRow<{ total: number }>(db, 'SELECT count(*)::int AS total FROM tax_rates');
  const rates = await rows<TaxRateRow>(
    db,
    'SELECT country, rate_bp FROM tax_rates ORDER BY country LIMIT $1 OFFSET $2',
    [limit, offset],
  );
  return { total: counted?.total ?? 0, rates };
}
