import { savedTaxRateBp } from '../../../db/commerce/tax/tax.reads';
import { lockTaxRates, saveTaxRate } from '../../../db/commerce/tax/tax-rate.writes';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type { Actor } from '../actor';
import { auditTaxRate } from './audit-tax-rate';

/** Sets the tax, in basis points, on goods sent to a country (ISO 3166-1 alpha-2). The same rate again is not recorded. */
export function setTaxRate(db: Db, country: string, rateBp: number, by: Actor): Promise<void> {
  return inTransaction(db, async (tx) => {
    await lockTaxRates(tx);
    const before = await savedTaxRateBp(tx, country);
    if (before === rateBp) return;
    await saveTaxRate(tx, country, rateBp);
    await auditTaxRate(tx, by, { action: 'tax-rate.set', country, before, after: rateBp });
  });
}
