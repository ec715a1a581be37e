import { z } from 'zod';
import type { ImageRow } from '../../db/catalog/image/product-image.reads';
import type { ProductRow } from '../../db/catalog/product/shop-product-columns.reads';
import { PRODUCT_STATUSES } from '../../workflows/catalog/product/product.rules';
import { toMajor } from '../../workflows/commerce/money.rules';
import { Rating, ratingOf } from './rating.view';

/** A category as a link to it. */
export const CategoryLink = z
  .object({ id: z.uuid(), name: z.string(), slug: z.string() })
  .meta({ id: 'CategoryLink' });

const Image = z.object({
  id: z.uuid(),
  url: z.string(),
  thumbnailUrl: z.string(),
  alt: z.string().nullable(),
  isPrimary: z.boolean(),
});

/** A product as lists show it. */
export const Product = z
  .object({
    id: z.uuid(),
    name: z.string(),
    slug: z.string(),
    description: z.string(),
    shortDescription: z.string().nullable(),
    sku: z.string(),
    price: z.number(),
    compareAtPrice: z.number().nullable(),
    currency: z.string(),
    status: z.enum(PRODUCT_STATUSES),
    stockQuantity: z.number().nullable().meta({ description: 'Null when stock is not tracked.' }),
    category: CategoryLink.nullable(),
    images: z.array(Image).meta({ description: 'The primary one first.' }),
    tags: z.array(z.string()),
    rating: Rating,
    commissionPercentage: z.number(),
    careerPointsPercentage: z.number(),
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
