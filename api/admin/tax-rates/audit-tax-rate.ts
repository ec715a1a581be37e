import { recordAudit } from '../../../db/administration/audit/audit.writes';
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
): Promise<void> =>
  recordAudit(tx, {
    ...by,
    action,
    entityType: 'tax-rate',
    entityId: country,
    previous: { rateBp: before },
    next: { rateBp: after },
    at: new Date(),
  });
