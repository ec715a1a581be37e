import { z } from 'zod';
import { namesOther } from '../../../workflows/catalog/slug.rules';
import type {
  CategoryRecord,
  CountedCategory,
} from '../../../db/catalog/category/administered-category.reads';
import { byParent } from '../../categories/category.view';
import { text } from '../../http/request/fields';
import { categoryReference } from '../../http/request/ids/references';
import { idOf } from '../../http/request/ids/id-of';

/** The path parameters of one category. */
export const oneCategory = z.object({ id: categoryReference() });

const MOST_POSITION = 1_000_000;

export const slugField = () =>
  z
    .string()
    .trim()
    .normalize('NFKC')
    .toLowerCase()
    .max(100)
    .regex(
      /^[\p{L}\p{M}\p{N}]+(?:-[\p{L}\p{M}\p{N}]+)*$/u,
      'must be letters and digits with single hyphens between them',
    )
    .refine((slug) => !namesOther(slug), 'is a part of the API’s paths, or looks like an id')
    .meta({ example: 'travel-headphones' });

export const imageUrlField = () =>
  z
    .string()
    .max(1000)
    .regex(/^https?:\/\/[^\s"'<>\\]+$/, 'must be an http or https URL')
    .meta({ example: 'https://images.example.com/headphones.jpg' });

/** The body of a request for a new category. Nullable fields may be left out. */
export const CategoryRequest = z
  .object({
    name: text({ min: 1, max: 100 }).meta({ example: 'Travel headphones' }),
    slug: slugField()
      .optional()
      .meta({ description: 'If left out, made from the name, with a number if it is taken.' }),
    description: text({ min: 1, max: 2000 }).nullish().meta({ example: 'Small ones that fold.' }),
    imageUrl: imageUrlField().nullish(),
    parentId: idOf('category')
      .nullish()
      .meta({ description: 'Null for the top of the tree.', example: null }),
    position: z
      .int()
      .min(0)
      .max(MOST_POSITION)
      .optional()
      .meta({ description: 'Among its siblings; if left out, after the last.', example: 3 }),
    isActive: z
      .boolean()
      .default(true)
      .meta({ description: 'Whether visitors see it and the categories below it.' }),
  })
  .meta({ id: 'CategoryRequest' });

/** The body of a change; fields left out stay, null empties a field. */
export const CategoryChange = z
  .object({
    ...CategoryRequest.shape,
    slug: slugField(),
    isActive: z.boolean().describe('False: kept for administrators, hidden from the shop.'),
  })
  .partial()
  .meta({ id: 'CategoryChange', example: { name: 'Headphones for travelling', isActive: true } });

/** A category as administrators see it after a change. */
export const SetCategory = z
  .object({
    id: z.uuid().describe('Identifies the category; a UUID.'),
    name: z.string(),
    slug: z.string(),
    description: z.string().nullable(),
    imageUrl: z.string().nullable(),
    parentId: z.uuid().nullable().describe('The category above; null at the top.'),
    position: z.int(),
    isActive: z.boolean().describe('False: kept for administrators, hidden from the shop.'),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'SetCategory' });

/** A category as administrators see it in the tree. */
export const AdminCategory = SetCategory.extend({
  level: z.int().meta({ description: '0 for a category without a parent.' }),
  productCount: z.int().meta({
    description: 'Products in it and below it that are ACTIVE or OUT_OF_STOCK.',
  }),
  ownProductCount: z.int().meta({
    description:
      'Products in it without its subcategories, drafts and archived ones too: while there are any, it cannot be deleted.',
  }),
  get children() {
    return z.array(AdminCategory).describe('The categories directly below.');
  },
}).meta({ id: 'AdminCategory' });

type AdminCategoryView = z.input<typeof AdminCategory>;

export const categoryRecordView = (category: CategoryRecord): z.input<typeof SetCategory> => ({
  ...category,
  createdAt: category.createdAt.toISOString(),
  updatedAt: category.updatedAt.toISOString(),
});

/** All categories as a tree. */
export function adminTree(rows: readonly CountedCategory[]): AdminCategoryView[] {
  const childrenOf = byParent(rows);
  const branch = (parentId: string | null, level: number): AdminCategoryView[] =>
    (childrenOf.get(parentId) ?? []).map(({ products, allProducts, ...row }) => {
      const children = branch(row.id, level + 1);
      const productCount = children.reduce((sum, child) => sum + child.productCount, products);
      return { ...categoryRecordView(row), level, productCount, ownProductCount: allProducts, children };
    });
  return branch(null, 0);
}

/** A tree as one list, in which the categories below one follow it. */
export const flattened = (tree: readonly AdminCategoryView[]): AdminCategoryView[] =>
  tree.flatMap((category) => [{ ...category, children: [] }, ...flattened(category.children)]);
