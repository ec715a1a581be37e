import { execute, type Db } from '../../../db/sql/query';
import { make } from '../../support/builders/make';

export const berlin = { country: 'DE', region: 'Berlin', city: 'Berlin', postalCode: '10117' };

/** A product of this weight (grams) and size (millimetres); its id. */
export async function sized(
  db: Db,
  weightGrams: number | null,
  size: readonly number[] | null,
  priceMinor = 1_000,
): Promise<string> {
  const { id } = await make.product(db, { weightGrams, priceMinor });
  const [length = null, width = null, height = null] = size ?? [];
  await execute(db, 'UPDATE products SET length_mm = $2, width_mm = $3, height_mm = $4 WHERE id = $1', [
    id,
    length,
    width,
    height,
  ]);
  return id;
}
