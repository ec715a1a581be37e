import { z } from 'zod';
import type { ImageRow } from '../../db/catalog/image/product-image.reads';
import type { ProductRow } from '../../db/catalog/shop/shop-product-columns.reads';
import { PRODUCT_STATUSES } from '../../workflows/catalog/product/product.rules';
import { toMajor } from '../../workflows/commerce/money.rules';
import { Rating, ratingOf } from './rating.view';

export const ProductStatusField = z.enum(PRODUCT_STATUSES).meta({
  id: 'ProductStatus',
  description: 'ACTIVE and OUT_OF_STOCK are shown in the shop, DRAFT and ARCHIVED are not.',
});

/** The text of the attributes of a product; those of a variant are what their name usually says. */
export const ATTRIBUTES = 'Facts about the product, such as material: steel.';

/** A category as a link to it. */
export const CategoryLink = z
  .object({ id: z.uuid().describe('Identifies the category; a UUID.'), name: z.string(), slug: z.string() })
  .meta({ id: 'CategoryLink' });

const Image = z.object({
  id: z.uuid(),
  url: z.string().describe('The URL of the image.'),
  thumbnailUrl: z.string().describe('The URL of a small version.'),
  alt: z.string().nullable().describe('A text for people who cannot see the image.'),
  isPrimary: z.boolean().describe('True for the image that stands for the product in lists.'),
});

/** A product as lists show it. */
export const Product = z
  .object({
    id: z.uuid(),
    name: z.string(),
    slug: z.string(),
    description: z.string(),
    shortDescription: z.string().nullable().describe('The description in a sentence; null without one.'),
    sku: z.string(),
    price: z.number().describe('The price of one, in the currency next to it.'),
    compareAtPrice: z.number().nullable().describe('The former price, shown crossed out; null without one.'),
    currency: z.string(),
    status: ProductStatusField,
    stockQuantity: z.number().nullable().meta({ description: 'Null when stock is not tracked.' }),
    category: CategoryLink.nullable().describe('The category that the product is in; null without one.'),
    images: z.array(Image).meta({ description: 'The primary one first.' }),
    tags: z.array(z.string()).describe('Words to find the product by.'),
    rating: Rating.describe('What reviews say in sum.'),
    commissionPercentage: z
      .number()
      .describe('Percent of the price from which commissions of partners are paid.'),
    careerPointsPercentage: z
      .number()
      .describe('Percent of the price that counts as career points of partners.'),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'Product' });

/** The view of a product in lists. */
export function productView(row: ProductRow): z.input<typeof Product> {
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    description: row.description,
    shortDescription: row.shortDescription,
    sku: row.sku,
    price: toMajor(row.priceMinor, row.currency),
    compareAtPrice: row.compareAtPriceMinor === null ? null : toMajor(row.compareAtPriceMinor, row.currency),
    currency: row.currency,
    status: row.status,
    stockQuantity: row.stockQuantity,
    category: row.category,
    images: row.images.map(imageView),
    tags: row.tags,
    rating: ratingOf(row.ratings),
    commissionPercentage: row.commissionBp / 100,
    careerPointsPercentage: row.careerPointsBp / 100,
    createdAt: row.createdAt.toISOString(),
  };
}

function imageView({ id, url, thumbnailUrl, alt, isPrimary }: ImageRow): z.input<typeof Image> {
  return { id, url, thumbnailUrl, alt, isPrimary };
}
