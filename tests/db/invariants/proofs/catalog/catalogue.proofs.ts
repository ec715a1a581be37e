import { change, find, type Proof } from '../../proof';

const NOWHERE = '00000000-0000-0000-0000-000000000000';

export const catalogueProofs: readonly Proof[] = [
  {
    invariant: 'catalogue.products-are-counted',
    how: 'a count that is one too high',
    async breaks(tx) {
      await change(tx, `UPDATE catalogue_counts SET products = products + 1 WHERE category_id = $1`, [
        NOWHERE,
      ]);
      return NOWHERE;
    },
  },
  {
    invariant: 'catalogue.products-are-counted',
    how: 'a product with a tag that nobody counted',
    async breaks(tx) {
      const product = await find(tx, 'SELECT id AS found FROM products ORDER BY id LIMIT 1');
      await change(tx, `UPDATE products SET tags = '{new}' WHERE id = $1`, [product]);
      return `${NOWHERE} new`;
    },
  },
  {
    invariant: 'catalogue.skus-name-one-thing',
    how: 'a variant that is called like a product',
    async breaks(tx) {
      const sku = await find(tx, 'SELECT sku AS found FROM products ORDER BY id LIMIT 1');
      await change(
        tx,
        `INSERT INTO product_variants (id, product_id, name, sku, price_minor, created_at)
         SELECT gen_random_uuid(), id, 'Twin', sku, 1, now() FROM products WHERE sku = $1`,
        [sku],
      );
      return sku;
    },
  },
  {
    invariant: 'catalogue.deleted-variants-are-withdrawn',
    how: 'goods of a product that nobody deleted',
    async breaks(tx) {
      const item = await find(tx, 'SELECT id AS found FROM stock_items ORDER BY id LIMIT 1');
      await change(tx, 'UPDATE stock_items SET withdrawn = true WHERE id = $1', [item]);
      return item;
    },
  },
];
