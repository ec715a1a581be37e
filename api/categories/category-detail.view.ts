import { z } from 'zod';
import type { CategoryDetailRow } from '../../db/catalog/shop/shop-category.reads';
import type { ProductRow } from '../../db/catalog/shop/shop-product-columns.reads';
import { PLATFORM_CURRENCY, toMajor } from '../../workflows/commerce/money.rules';
import { CategoryLink, Product, productView } from '../products/product.view';

/** A category's own page, with one page of its products. */
export const CategoryDetail = z
  .object({
    id: z.uuid(),
    name: z.string(),
    slug: z.string(),
    description: z.string().nullable(),
    imageUrl: z.string().nullable(),
    parent: CategoryLink.nullable().describe('The category above; null at the top.'),
    breadcrumb: z.array(CategoryLink).meta({ description: 'From the top down to the category itself.' }),
    children: z
      .array(
        CategoryLink.extend({
          productCount: z.number().meta({ description: 'Products in it and below it.' }),
        }),
      )
      .describe('The categories directly below.'),
    products: z.array(Product).meta({ description: 'Those of subcategories, too.' }),
    filters: z
      .object({
        priceRange: z
          .object({
            min: z.number().describe('The lowest price.'),
            max: z.number().describe('The highest price.'),
          })
          .describe('The lowest and the highest price.'),
        tags: z
          .array(z.object({ name: z.string(), count: z.number().describe('How many there are.') }))
          .meta({
            description: 'The most frequent ones first, at most a hundred.',
          }),
      })
      .meta({ description: 'From all products of the category and below it; 0 to 0 without products.' }),
  })
  .meta({ id: 'CategoryDetail' });

/** The view of a category on its own page. */
export function categoryDetailView(
  { minPriceMinor, maxPriceMinor, tags, ...category }: CategoryDetailRow,
  products: readonly ProductRow[],
): z.input<typeof CategoryDetail> {
  const priceRange = {
    min: toMajor(minPriceMinor ?? 0, PLATFORM_CURRENCY),
    max: toMajor(maxPriceMinor ?? 0, PLATFORM_CURRENCY),
  };
  return { ...category, products: products.map(productView), filters: { priceRange, tags } };
}
