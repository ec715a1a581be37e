import type { Response } from 'supertest';
import { firstRow, rows, type Db } from '../../../../db/sql/query';
import { nextNumber } from '../../../support/builders/make/insert';

/** The body of a request for a new product. */
export const productRequest = (fields: Record<string, unknown> = {}): Record<string, unknown> => ({
  name: `Kettle ${nextNumber()}`,
  description: 'Boils a litre in four minutes.',
  price: 24.5,
  sku: `KETTLE-${nextNumber()}`,
  status: 'ACTIVE',
  commissionPercentage: 10,
  careerPointsPercentage: 100,
  ...fields,
});

/** The status and code of a refusal, and the fields that it names. */
export const refusalOf = ({ status, body }: Response) => {
  const { error } = body as { error: { code: string; details?: Record<string, string[]> } };
  return {
    status,
    code: error.code,
    fields: Object.keys(error.details ?? {}),
  };
};

export interface Audited {
  action: string;
  previous: Record<string, unknown> | null;
  next: Record<string, unknown> | null;
}

/** The audit records of a product, in order. */
export const auditsOf = (db: Db, productId: string): Promise<Audited[]> =>
  rows<Audited>(
    db,
    `SELECT action, previous, next FROM audit_records
     WHERE entity_type = 'product' AND entity_id = $1 ORDER BY sequence`,
    [productId],
  );

/** A product as stored. */
export const keptProduct = (db: Db, id: string) =>
  firstRow<Record<string, unknown>>(db, 'SELECT * FROM products WHERE id = $1', [id]);

/** The stock movements of a product or variant, oldest first. */
export const movementsOf = (db: Db, productId: string, variantId: string | null = null) =>
  rows<{ kind: string; availableDelta: number; countedBy: string | null }>(
    db,
    `SELECT m.kind, m.available_delta, m.counted_by
     FROM stock_movements m JOIN stock_items s ON s.id = m.stock_item_id
     WHERE s.product_id = $1 AND s.variant_id IS NOT DISTINCT FROM $2::uuid ORDER BY m.created_at, m.id`,
    [productId, variantId],
  );

/** The number of answers by status or error code. */
export function outcomes(answers: readonly Response[]): Record<string, number> {
  const counted: Record<string, number> = {};
  for (const { status, body } of answers) {
    const outcome = (body as { error?: { code: string } }).error?.code ?? String(status);
    counted[outcome] = (counted[outcome] ?? 0) + 1;
  }
  return counted;
}
