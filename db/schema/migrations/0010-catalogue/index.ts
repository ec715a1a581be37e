import type { QueryInterface } from 'sequelize';
import { CHANGES } from './changes';
import { COUNTS } from './counts';
import { PRODUCTS } from './products';
import { STOCK } from './stock';

/** The goods of the shop, their stock, and the changes of them that are announced and counted. */
export async function up(query: QueryInterface): Promise<void> {
  for (const part of [PRODUCTS, STOCK, CHANGES, COUNTS]) await query.sequelize.query(part);
}

export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    DROP TABLE catalogue_counts, product_daily_sales, stock_movements, stock_items, product_variants,
      product_images, products, categories, catalogue_changes;
    DROP FUNCTION count_catalogue(), announce_stock(), announce_product_updates(), announce_catalogue_rows(),
      announce_catalogue_change(text[]), code_key(text);
  `);
}
