import type { Attributes } from 'sequelize';
import { firstRow, rows, type Db } from '../../sql/query';
import { table } from '../../sql/table';
import { TaxRate } from './tax-rate.model';

/** Tax on goods sent to a country (ISO 3166-1 alpha-2), in basis points; 0 where none is set. */
export async function taxRateBp(db: Db, country: string): Promise<number> {
  const rate = await firstRow<Pick<TaxRateRow, 'rateBp'>>(
    db,
    'SELECT rate_bp FROM tax_rates WHERE country = $1',
    [country],
  );
  return rate?.rateBp ?? 0;
}

/** The tax of one destination, in basis points. */
type TaxRateRow = Attributes<TaxRate>;

/** The rate that is saved for a country, in basis points; null where none is. */
export async function savedTaxRateBp(db: Db, country: string): Promise<number | null> {
  const rate = await table(db, TaxRate).one(['rateBp'], { country });
  return rate?.rateBp ?? null;
}

/** One page of the rates that are set, by country. */
export async function listTaxRates(
  db: Db,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; rates: TaxRateRow[] }> {
  const total = await table(db, TaxRate).count({});
  const rates = await rows<TaxRateRow>(
    db,
    'SELECT country, rate_bp FROM tax_rates ORDER BY country LIMIT $1 OFFSET $2',
    [limit, offset],
  );
  return { total, rates };
}
