import { rows, type Db } from '../../sql/query';

/** Looks up the SKU of a product by its name and price; null if there is none. */
export type SkuOf = (name: string, priceMinor: number) => string | null;

const keyOf = (name: string, priceMinor: number): string => `${priceMinor} ${name}`;

/** Reads the products of these names that are not deleted, all products in one pass; of several alike, the first SKU counts. */
export async function productsNamed(db: Db, names: readonly string[]): Promise<SkuOf> {
  const found = await rows<{ name: string; priceMinor: number; sku: string }>(
    db,
    `SELECT name, price_minor, min(sku) AS sku FROM products
      WHERE name = ANY ($1::text[]) AND deleted_at IS NULL GROUP BY name, price_minor`,
    [[...new Set(names)]],
  );
  const skus = new Map(found.map(({ name, priceMinor, sku }) => [keyOf(name, priceMinor), sku]));
  return (name, priceMinor) => skus.get(keyOf(name, priceMinor)) ?? null;
}
