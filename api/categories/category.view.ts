import { z } from 'zod';
import type { CategoryRow } from '../../db/catalog/shop/shop-category.reads';

/** A category with all that is below it. */
export const Category = z
  .object({
    id: z.uuid(),
    name: z.string(),
    slug: z.string(),
    description: z.string().nullable(),
    imageUrl: z.string().nullable(),
    parentId: z.uuid().nullable().describe('The category above; null at the top.'),
    level: z.number().meta({ description: '0 for a category without a parent.' }),
    position: z.number(),
    productCount: z
      .number()
      .nullable()
      .meta({ description: 'Products in the category and below it; null unless `includeProducts` is true.' }),
    get children() {
      return z.array(Category).describe('The categories directly below.');
    },
    isActive: z.boolean().describe('Always true: inactive ones are shown to administrators only.'),
  })
  .meta({ id: 'Category' });

type CategoryView = z.input<typeof Category>;

/**
 * The children of `parentId` (null: the top of the tree), each with its own tree. Categories below an inactive one are
 * not in the tree, so its children are an empty list.
 */
export function categoryTree(rows: readonly CategoryRow[], parentId: string | null): CategoryView[] {
  const tree = branch(byParent(rows), null, 0);
  return parentId === null ? tree : (find(tree, parentId)?.children ?? []);
}

/** Categories by their parent; null for the top of the tree. */
export function byParent<Row extends { parentId: string | null }>(
  rows: readonly Row[],
): Map<string | null, Row[]> {
  const children = new Map<string | null, Row[]>();
  for (const row of rows) {
    const siblings = children.get(row.parentId);
    if (siblings) siblings.push(row);
    else children.set(row.parentId, [row]);
  }
  return children;
}

function branch(
  rows: Map<string | null, CategoryRow[]>,
  parentId: string | null,
  level: number,
): CategoryView[] {
  return (rows.get(parentId) ?? []).map(({ products, ...row }) => {
    const children = branch(rows, row.id, level + 1);
    const below = children.reduce((sum, child) => sum + (child.productCount ?? 0), 0);
    return {
      ...row,
      level,
      productCount: products === null ? null : products + below,
      children,
      isActive: true,
    };
  });
}

function find(tree: readonly CategoryView[], id: string): CategoryView | null {
  for (const node of tree) {
    const found = node.id === id ? node : find(node.children, id);
    if (found) return found;
  }
  return null;
}
