import { savedTaxRateBp } from '../../../db/commerce/tax/tax.reads';
import { deleteTaxRate, lockTaxRates } from '../../../db/commerce/tax/tax-rate.writes';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { refusal } from '../../../workflows/errors';
import type { Actor } from '../actor';
import { auditTaxRate } from './audit-tax-rate';

/** Removes the tax of a country. Refused: TAX_RATE_NOT_FOUND. */
export function removeTaxRate(db: Db, country: string, by: Actor): Promise<void> {
  return inTransaction(db, async (tx) => {
    await lockTaxRates(tx);
    const before = await savedTaxRateBp(tx, country);
    if (before === null) throw refusal('TAX_RATE_NOT_FOUND');
    await deleteTaxRate(tx, country);
    await auditTaxRate(tx, by, { action: 'tax-rate.delete', country, before, after: null });
  });
}
