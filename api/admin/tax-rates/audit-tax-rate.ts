import { audited } from '../../../db/administration/audit/audit.writes';
import type { Tx } from '../../../db/sql/query';
import type { Actor } from '../actor';

interface TaxRateChange {
  action: 'tax-rate.set' | 'tax-rate.delete';
  country: string;
  /** In basis points; null: no rate. */
  before: number | null;
  after: number | null;
}

export const auditTaxRate = (
  tx: Tx,
  by: Actor,
  { action, country, before, after }: TaxRateChange,
): Promise<void> => audited(tx, by, action, country, { rateBp: before }, { rateBp: after });
