import { largestRemainder, sumMinor } from '../order/pricing.rules';

/** The goods of a category in a refund, after discount, before tax and shipping. */
export interface RefundedCategory {
  /** Null: goods without a category. */
  categoryId: string | null;
  goodsMinor: number;
}

/** The goods of an order in one category, in minor units, each after discount. */
export interface CategoryGoods {
  categoryId: string | null;
  soldMinor: number;
  /** In refunds that were announced before. */
  announcedMinor: number;
  /** The units that this refund is of. */
  ownMinor: number;
  /** The units of other refunds that are approved and will be announced. */
  promisedMinor: number;
}

/**
 * Divides the goods of a refund by category: first among its own units, then among what is left of the order's goods and no
 * other refund has promised, at last among all that is left. In whatever order the refunds of an order are announced, no
 * category gets more than was sold of it, and all of them together get what was sold of each.
 */
export function refundedCategories(
  goodsMinor: number,
  categories: readonly CategoryGoods[],
): RefundedCategory[] {
  const given = categories.map(() => 0);
  const left = ({ soldMinor, announcedMinor }: CategoryGoods): number => soldMinor - announcedMinor;
  const steps: readonly ((category: CategoryGoods, givenMinor: number) => number)[] = [
    (category) => Math.min(category.ownMinor, left(category)),
    (category, givenMinor) => left(category) - givenMinor - category.promisedMinor,
    (category, givenMinor) => left(category) - givenMinor,
  ];
  for (const mostOf of steps) {
    const most = categories.map((category, i) => Math.max(0, mostOf(category, given[i] ?? 0)));
    const amountMinor = Math.min(goodsMinor - sumMinor(given), sumMinor(most));
    for (const [i, share] of largestRemainder(amountMinor, most).entries())
      given[i] = (given[i] ?? 0) + share;
  }
  return categories
    .map(({ categoryId }, i) => ({ categoryId, goodsMinor: given[i] ?? 0 }))
    .filter((category) => category.goodsMinor > 0);
}
