import { z } from 'zod';
import type {
  CategoryRecord,
  CountedCategory,
} from '../../../db/catalog/category/administered-category.reads';
import { byParent } from '../../categories/category.view';
import { text, uuid } from '../../http/request/fields';

/** The path of everything about one category. */
export const oneCategory = z.object({ id: uuid() });

const MOST_POSITION = 1_000_000;

const slug = () =>
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
    .meta({ example: 'travel-headphones' });

const imageUrl = () =>
  z
    .string()
    .max(1000)
    .regex(/^https?:\/\/[^\s"'<>\\]+$/, 'must be an address that begins with http:// or https://')
    .meta({ example: 'https://images.example.com/headphones.jpg' });

/** What an administrator sends of a category. What may be null may be left out. */
export const CategoryRequest = z
  .object({
    name: text({ min: 1, max: 100 }).meta({ example: 'Travel headphones' }),
    slug: slug()
      .optional()
      .meta({ description: 'Made of the name if it is left out, with a number if need be.' }),
    description: text({ min: 1, max: 2000 }).nullish().meta({ example: 'Small ones that fold.' }),
    imageUrl: imageUrl().nullish(),
    parentId: uuid().nullish().meta({ description: 'Null for the top of the tree.', example: null }),
    position: z
      .int()
      .min(0)
      .max(MOST_POSITION)
      .optional()
      .meta({ description: 'Among its siblings; the last of them if it is left out.', example: 3 }),
    isActive: z
      .boolean()
      .default(true)
      .meta({ description: 'Whether visitors see it and, by it, what hangs below it.' }),
  })
  .meta({ id: 'CategoryRequest' });

/** The same for a change: what is left out stays, null empties what may be empty. */
export const CategoryChange = z
  .object({ ...CategoryRequest.shape, slug: slug(), isActive: z.boolean() })
  .partial()
  .meta({ id: 'CategoryChange', example: { name: 'Headphones for travelling', isActive: true } });

/** A category as the administrator sees it who just set it. */
export const SetCategory = z
  .object({
    id: z.uuid(),
    name: z.string(),
    slug: z.string(),
    description: z.string().nullable(),
    imageUrl: z.string().nullable(),
    parentId: z.uuid().nullable(),
    position: z.int(),
    isActive: z.boolean(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'SetCategory' });

/** A category as administrators see it among the others. */
export const AdminCategory = SetCategory.extend({
  level: z.int().meta({ description: '0 for a category without a parent.' }),
  productCount: z.int().meta({
    description: 'Products in it and below it that are ACTIVE or OUT_OF_STOCK.',
  }),
  ownProductCount: z.int().meta({
    description: 'Products in it alone, drafts and archived ones too: while there are any, it stays.',
  }),
  get children() {
    return z.array(AdminCategory);
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

/** A tree as one list, each category followed by what is below it. */
export const flattened = (tree: readonly AdminCategoryView[]): AdminCategoryView[] =>
  tree.flatMap((category) => [{ ...category, children: [] }, ...flattened(category.children)]);
