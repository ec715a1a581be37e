import { z } from 'zod';
import type { ProductRecord } from '../../../db/catalog/product/administered-product.reads';
import { PLATFORM_CURRENCY, toMinor } from '../../../workflows/commerce/money.rules';
import { money, text } from '../../http/request/fields';
import type { SentFields } from '../../http/request/sent-fields';
import { idOf } from '../../http/request/ids/id-of';
import { ATTRIBUTES, ProductStatusField } from '../../products/product.view';

/** A number with at most this many decimals. */
const decimal = (decimals: 1 | 2 | 3, max: number) =>
  z
    .number()
    .min(0)
    .max(max)
    .refine(
      (n) => Number(n.toFixed(decimals)) === n,
      `must have at most ${decimals} ${decimals === 1 ? 'decimal' : 'decimals'}`,
    )
    .meta({ multipleOf: 10 ** -decimals });

/** Chosen: more than any parcel service accepts. */
const MOST_KILOGRAMS = 10_000;
const MOST_CENTIMETRES = 10_000;
const MOST_UNITS = 1_000_000_000;
const MOST_TAGS = 50;
const MOST_ATTRIBUTES = 50;

/** Chosen: no comma, which separates tags in the shop's filter and in files. */
const tag = text({ min: 1, max: 50 }).regex(/^[^,]*$/, 'must not contain a comma');

/** A number as a spreadsheet writes a long one: digits of the code are lost. */
export const REWRITTEN = /^\d+(?:[.,]\d+)?E\+\d+$/i;

export const NO_SKU = 'was rewritten by a spreadsheet: format the column as text';

/** The stock-keeping unit, unique among products and variants as `codeKey` compares it. */
export const sku = () =>
  text({ min: 1, max: 64 })
    .refine((code) => !REWRITTEN.test(code), NO_SKU)
    .meta({ example: 'KETTLE-1L' });

export const units = () => z.int().min(0).max(MOST_UNITS);

export const attributes = () =>
  z
    .record(z.string().min(1).max(100), text({ max: 500 }))
    .refine(
      (map) => Object.keys(map).length <= MOST_ATTRIBUTES,
      `must have at most ${MOST_ATTRIBUTES} entries`,
    )
    .meta({ maxProperties: MOST_ATTRIBUTES, example: { material: 'steel' } });

export const Dimensions = z
  .object({
    length: decimal(1, MOST_CENTIMETRES).describe('Centimetres.'),
    width: decimal(1, MOST_CENTIMETRES).describe('Centimetres.'),
    height: decimal(1, MOST_CENTIMETRES).describe('Centimetres.'),
  })
  .meta({ description: 'In centimetres.', example: { length: 22, width: 16.5, height: 25 } });

const fields = {
  name: text({ min: 1, max: 200 }).meta({ example: 'Enamel kettle' }),
  description: text({ min: 1, max: 20_000 }).meta({ example: 'Boils a litre in four minutes.' }),
  shortDescription: text({ max: 500 }).meta({ description: 'An empty text removes it.' }),
  price: money().describe('The price of one unit, in USD.'),
  compareAtPrice: money(),
  sku: sku(),
  categoryId: idOf('category').meta({ description: 'The category of the product.' }),
  stockQuantity: units().meta({
    description:
      'Units of the product itself, without its variants, that may be ordered from now on. Stock is then tracked, unless `trackInventory` is false.',
  }),
  trackInventory: z.boolean().meta({ description: 'Whether stock limits the sale.' }),
  weight: decimal(3, MOST_KILOGRAMS).meta({ description: 'In kilograms.', example: 0.85 }),
  dimensions: Dimensions,
  attributes: attributes().describe(ATTRIBUTES),
  tags: z
    .array(tag)
    .max(MOST_TAGS)
    .meta({ description: 'Words to find the product by.', example: ['kitchen'] }),
  commissionPercentage: decimal(2, 100).meta({
    description: 'Percent of the price from which commissions of partners are paid.',
    example: 10,
  }),
  careerPointsPercentage: decimal(2, 10_000).meta({
    description: 'Percent of the price that counts as career points of partners.',
    example: 100,
  }),
};

/** The body of a request for a new product. */
export const ProductRequest = z
  .object({
    ...fields,
    status: z.enum(['ACTIVE', 'DRAFT', 'ARCHIVED']),
    shortDescription: fields.shortDescription.optional(),
    compareAtPrice: fields.compareAtPrice.optional().describe('The former price, shown crossed out.'),
    categoryId: fields.categoryId.optional().describe('The category of the product.'),
    stockQuantity: fields.stockQuantity.optional(),
    trackInventory: fields.trackInventory.optional(),
    weight: fields.weight.optional(),
    dimensions: fields.dimensions.optional(),
    attributes: fields.attributes.optional().describe(ATTRIBUTES),
    tags: fields.tags.optional().describe('Words to find the product by.'),
  })
  .meta({ id: 'ProductRequest' });

/** The body of a change; fields left out stay. */
export const ProductChange = z
  .object({
    ...fields,
    status: ProductStatusField,
    shortDescription: fields.shortDescription
      .nullable()
      .meta({ description: 'Null or an empty text removes it.' }),
    compareAtPrice: fields.compareAtPrice
      .nullable()
      .describe('The former price, shown crossed out; null without one.'),
    categoryId: fields.categoryId.nullable().describe('The category of the product.'),
    stockQuantity: fields.stockQuantity.nullable().meta({
      description: 'As in a new product; null: stock is no longer tracked, whatever `trackInventory` is.',
    }),
    weight: fields.weight.nullable().describe('Kilograms, with packing.'),
    dimensions: fields.dimensions.nullable().describe('The size of the packed product; null if unknown.'),
  })
  .partial()
  .meta({ id: 'ProductChange', example: { price: 24.5, stockQuantity: 40 } });

type Sent = SentFields<z.output<typeof ProductChange>>;

/** The changes that a request describes, in the units of the database. */
export function productFrom(sent: Sent): Partial<ProductRecord> & { stockQuantity?: number } {
  const { name, description, sku: number, status, categoryId, attributes: map } = sent;
  return {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(number !== undefined && { sku: number }),
    ...(status !== undefined && { status }),
    ...(categoryId !== undefined && { categoryId }),
    ...(map !== undefined && { attributes: map }),
    ...(sent.shortDescription !== undefined && { shortDescription: sent.shortDescription || null }),
    ...(sent.tags !== undefined && { tags: [...new Set(sent.tags)] }),
    ...measuresFrom(sent),
    ...stockFrom(sent),
  };
}

function measuresFrom(sent: Sent): Partial<ProductRecord> {
  const minor = (amount: number) => toMinor(amount, PLATFORM_CURRENCY);
  const times = (n: number | null | undefined, factor: number) =>
    n === null || n === undefined ? null : Math.round(n * factor);
  const { price, compareAtPrice, weight, dimensions } = sent;
  const { commissionPercentage, careerPointsPercentage } = sent;
  return {
    ...(price !== undefined && { priceMinor: minor(price) }),
    ...(compareAtPrice !== undefined && {
      compareAtPriceMinor: compareAtPrice === null ? null : minor(compareAtPrice),
    }),
    ...(weight !== undefined && { weightGrams: times(weight, 1000) }),
    ...(dimensions !== undefined && {
      lengthMm: times(dimensions?.length, 10),
      widthMm: times(dimensions?.width, 10),
      heightMm: times(dimensions?.height, 10),
    }),
    ...(commissionPercentage !== undefined && { commissionBp: Math.round(commissionPercentage * 100) }),
    ...(careerPointsPercentage !== undefined && { careerPointsBp: Math.round(careerPointsPercentage * 100) }),
  };
}

/** Chosen: a stock quantity turns tracking on; null turns it off. */
function stockFrom({ stockQuantity, trackInventory }: Sent): {
  trackInventory?: boolean;
  stockQuantity?: number;
} {
  if (stockQuantity === null) return { trackInventory: false };
  if (stockQuantity === undefined) return trackInventory === undefined ? {} : { trackInventory };
  return { stockQuantity, trackInventory: trackInventory ?? true };
}
