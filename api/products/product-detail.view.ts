import { z } from 'zod';
import type { ProductDetailRow } from '../../db/catalog/shop/shop-product.reads';
import { toMajor } from '../../workflows/commerce/money.rules';
import { ATTRIBUTES, CategoryLink, Product, productView } from './product.view';
import { RatingSummary, ratingSummaryOf } from './rating.view';

const Attributes = z.record(z.string(), z.string());

const Variant = z.object({
  id: z.uuid(),
  name: z.string(),
  sku: z.string(),
  price: z.number().describe('The price of one unit, in the currency of the product.'),
  stockQuantity: z.number().nullable().meta({ description: 'Null when stock is not tracked.' }),
  attributes: Attributes,
});

const RelatedProduct = z.object({
  id: z.uuid().describe('Identifies the product; a UUID.'),
  name: z.string(),
  slug: z.string(),
  price: z.number().describe('The price of one unit, in USD.'),
  thumbnailUrl: z.string().nullable().describe('The URL of a small version; null without one.'),
});

/** A product as its own page shows it. */
export const ProductDetail = Product.extend({
  category: CategoryLink.extend({
    breadcrumb: z.array(CategoryLink).meta({ description: 'From the top down to the category itself.' }),
  })
    .nullable()
    .describe('The category that the product is in; null without one.'),
  images: z
    .array(Product.shape.images.element.extend({ position: z.number() }))
    .describe('The images in their order.'),
  rating: RatingSummary.describe('What reviews say in sum.'),
  trackInventory: z.boolean().describe('False: the product can be ordered whatever its stock is.'),
  weight: z.number().nullable().meta({ description: 'Kilograms.' }),
  dimensions: z
    .object({
      length: z.number().describe('Centimetres.'),
      width: z.number().describe('Centimetres.'),
      height: z.number().describe('Centimetres.'),
    })
    .nullable()
    .meta({ description: 'Centimetres.' }),
  variants: z.array(Variant).describe('The versions of the product that can be ordered.'),
  attributes: Attributes.describe(ATTRIBUTES),
  relatedProducts: z.array(RelatedProduct).describe('Other products of the category.'),
  updatedAt: z.iso.datetime(),
}).meta({ id: 'ProductDetail' });

const GRAMS_PER_KILOGRAM = 1000;
const MILLIMETRES_PER_CENTIMETRE = 10;

/** The view of a product on its own page. */
export function productDetailView(row: ProductDetailRow): z.input<typeof ProductDetail> {
  return {
    ...productView(row),
    category: row.category && { ...row.category, breadcrumb: row.breadcrumb },
    images: row.images,
    rating: ratingSummaryOf(row.ratings),
    trackInventory: row.trackInventory,
    weight: row.weightGrams === null ? null : row.weightGrams / GRAMS_PER_KILOGRAM,
    dimensions: dimensionsOf(row),
    variants: row.variants.map(({ priceMinor, ...variant }) => ({
      ...variant,
      price: toMajor(priceMinor, row.currency),
    })),
    attributes: row.attributes,
    relatedProducts: row.relatedProducts.map(({ priceMinor, currency, ...related }) => ({
      ...related,
      price: toMajor(priceMinor, currency),
    })),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** Chosen: a product without one of its dimensions has none. */
function dimensionsOf({
  lengthMm,
  widthMm,
  heightMm,
}: ProductDetailRow): z.input<typeof ProductDetail>['dimensions'] {
  if (lengthMm === null || widthMm === null || heightMm === null) return null;
  return {
    length: lengthMm / MILLIMETRES_PER_CENTIMETRE,
    width: widthMm / MILLIMETRES_PER_CENTIMETRE,
    height: heightMm / MILLIMETRES_PER_CENTIMETRE,
  };
}
