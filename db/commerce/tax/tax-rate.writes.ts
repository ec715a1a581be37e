import { execute, type Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { TaxRate } from './tax-rate.model';

/** Locks all rates against other changes until the transaction ends, which also serialises first rates of a country. */
export async function lockTaxRates(tx: Tx): Promise<void> {
  await execute(tx, 'LOCK TABLE tax_rates IN SHARE ROW EXCLUSIVE MODE');
}

/** Sets the rate of a country, in basis points. */
export async function saveTaxRate(tx: Tx, country: string, rateBp: number): Promise<void> {
  await execute(
    tx,
    `INSERT INTO tax_rates (country, rate_bp) VALUES ($1, $2)
     ON CONFLICT ON CONSTRAINT tax_rates_pkey DO UPDATE SET rate_bp = $2`,
    [country, rateBp],
  );
}

export async function deleteTaxRate(tx: Tx, country: string): Promise<void> {
  await table(tx, TaxRate).remove({ country });
}
