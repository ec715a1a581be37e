import { z } from 'zod';
import type { ProductSheet } from '../../../../db/catalog/sheet/product-sheet.reads';
import { toMajor } from '../../../../workflows/commerce/money.rules';
import { ATTRIBUTES, CategoryLink, ProductStatusField } from '../../../products/product.view';
import { RatingSummary, ratingSummaryOf } from '../../../products/rating.view';
import { AdminImage, imageView } from '../images/image.view';
import { Dimensions } from '../product.request';

const units = {
  stockQuantity: z
    .int()
    .nullable()
    .meta({ description: 'Units that may be ordered; null when stock is not tracked.', example: 40 }),
  reservedQuantity: z
    .int()
    .nullable()
    .meta({ description: 'Units that orders hold and that are not sent yet.', example: 2 }),
};

const Variant = z
  .object({
    id: z.uuid(),
    name: z.string(),
    sku: z.string(),
    price: z.number().describe('The price of one unit, in the currency of the product.'),
    attributes: z.record(z.string(), z.string()),
    ...units,
  })
  .meta({ id: 'AdminProductVariant' });

/** A product with every field that PATCH can change, under the same name and in the same form. */
export const AdminProductDetail = z
  .object({
    id: z.uuid(),
    slug: z.string().meta({ example: 'enamel-kettle' }),
    name: z.string(),
    sku: z.string(),
    status: ProductStatusField.meta({ description: 'As it was set.' }),
    shopStatus: ProductStatusField.meta({
      description: 'As visitors see it: an ACTIVE product whose tracked stock has run out is OUT_OF_STOCK.',
    }),
    description: z.string(),
    shortDescription: z.string().nullable().describe('The description in a sentence; null without one.'),
    price: z.number().describe('The price of one, in the currency next to it.'),
    compareAtPrice: z.number().nullable().describe('The former price, shown crossed out; null without one.'),
    currency: z.string().meta({ example: 'USD' }),
    categoryId: z.uuid().nullable().describe('The category of the product.'),
    category: CategoryLink.nullable().meta({ description: 'Also one that visitors do not see.' }),
    trackInventory: z.boolean().meta({ description: 'Whether stock limits the sale.' }),
    ...units,
    maxPerLine: z.int().meta({ description: 'Most units of it in one line of a cart.' }),
    weight: z.number().nullable().meta({ description: 'In kilograms.', example: 0.85 }),
    dimensions: Dimensions.nullable().describe('The size of the packed product; null if unknown.'),
    attributes: z.record(z.string(), z.string()).describe(ATTRIBUTES),
    tags: z.array(z.string()).describe('Words to find the product by.'),
    commissionPercentage: z
      .number()
      .describe('Percent of the price from which commissions of partners are paid.'),
    careerPointsPercentage: z
      .number()
      .describe('Percent of the price that counts as career points of partners.'),
    images: z.array(AdminImage).meta({ description: 'The primary one first.' }),
    variants: z.array(Variant).meta({ description: 'Those that are not deleted.' }),
    rating: RatingSummary.describe('Stars from 1 to 5.'),
    unitsSold90Days: z.int().meta({ description: 'Units sold in the last 90 days.' }),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    deletedAt: z.iso.datetime().nullable().meta({
      description: 'The time of its deletion; null again as soon as it gets another status.',
    }),
  })
  .meta({ id: 'AdminProductDetail' });

export function productSheetView(row: ProductSheet): z.output<typeof AdminProductDetail> {
  const { priceMinor, compareAtPriceMinor, currency, variants, images, ratings, unitsSold90d, ...rest } = row;
  const { weightGrams, lengthMm, widthMm, heightMm, commissionBp, careerPointsBp, ...shown } = rest;
  return {
    ...shown,
    currency,
    price: toMajor(priceMinor, currency),
    compareAtPrice: compareAtPriceMinor === null ? null : toMajor(compareAtPriceMinor, currency),
    weight: weightGrams === null ? null : weightGrams / 1000,
    dimensions: dimensionsOf({ lengthMm, widthMm, heightMm }),
    commissionPercentage: commissionBp / 100,
    careerPointsPercentage: careerPointsBp / 100,
    images: images.map(imageView),
    variants: variants.map(({ priceMinor: minor, ...variant }) => ({
      ...variant,
      price: toMajor(minor, currency),
    })),
    rating: ratingSummaryOf(ratings),
    unitsSold90Days: unitsSold90d,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    deletedAt: row.deletedAt?.toISOString() ?? null,
  };
}

type Sides = Pick<ProductSheet, 'lengthMm' | 'widthMm' | 'heightMm'>;

function dimensionsOf({ lengthMm, widthMm, heightMm }: Sides): z.output<typeof Dimensions> | null {
  if (lengthMm === null || widthMm === null || heightMm === null) return null;
  return { length: lengthMm / 10, width: widthMm / 10, height: heightMm / 10 };
}
