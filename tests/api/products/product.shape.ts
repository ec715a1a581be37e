import { z } from 'zod';

const Category = z.strictObject({ id: z.uuid(), name: z.string(), slug: z.string() });
const image = {
  id: z.uuid(),
  url: z.string(),
  thumbnailUrl: z.string(),
  alt: z.string().nullable(),
  isPrimary: z.boolean(),
};
const product = {
  id: z.uuid(),
  name: z.string(),
  slug: z.string(),
  description: z.string(),
  shortDescription: z.string().nullable(),
  sku: z.string(),
  price: z.number(),
  compareAtPrice: z.number().nullable(),
  currency: z.string().length(3),
  status: z.enum(['ACTIVE', 'OUT_OF_STOCK']),
  stockQuantity: z.int().nullable(),
  tags: z.array(z.string()),
  commissionPercentage: z.number(),
  careerPointsPercentage: z.number(),
  createdAt: z.iso.datetime(),
};

/** Document 1 §2.2, exactly. */
const ListedProduct = z.strictObject({
  ...product,
  category: Category.nullable(),
  images: z.array(z.strictObject(image)),
  rating: z.strictObject({ average: z.number(), count: z.int() }),
});

/** Document 1 §2.1: an answer with a list and its pagination. */
export const ProductList = z.strictObject({
  success: z.literal(true),
  data: z.strictObject({ products: z.array(ListedProduct) }),
  meta: z.strictObject({
    pagination: z.strictObject({
      total: z.int(),
      page: z.int(),
      pageSize: z.int(),
      totalPages: z.int(),
      hasNext: z.boolean(),
      hasPrevious: z.boolean(),
    }),
  }),
});

/** Document 1 §2.3. */
export const ShownProduct = z.strictObject({
  success: z.literal(true),
  data: z.strictObject({
    ...product,
    category: Category.extend({ breadcrumb: z.array(Category) }).nullable(),
    images: z.array(z.strictObject({ ...image, position: z.int() })),
    rating: z.strictObject({
      average: z.number(),
      count: z.int(),
      distribution: z.strictObject({ 1: z.int(), 2: z.int(), 3: z.int(), 4: z.int(), 5: z.int() }),
    }),
    trackInventory: z.boolean(),
    weight: z.number().nullable(),
    dimensions: z.strictObject({ length: z.number(), width: z.number(), height: z.number() }).nullable(),
    variants: z.array(
      z.strictObject({
        id: z.uuid(),
        name: z.string(),
        sku: z.string(),
        price: z.number(),
        stockQuantity: z.int().nullable(),
        attributes: z.record(z.string(), z.string()),
      }),
    ),
    attributes: z.record(z.string(), z.string()),
    relatedProducts: z
      .array(
        z.strictObject({
          id: z.uuid(),
          name: z.string(),
          slug: z.string(),
          price: z.number(),
          thumbnailUrl: z.string().nullable(),
        }),
      )
      .max(4),
    updatedAt: z.iso.datetime(),
  }),
});
