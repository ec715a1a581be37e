import { z } from 'zod';
import type { ProductOrder } from '../../db/catalog/product/shop-product-list.reads';

/** Chosen: where only the sort is named, names and prices rise, and the newest and most popular come first. */
const USUAL_DIRECTION: Record<ProductOrder['by'], ProductOrder['direction']> = {
  price: 'asc',
  name: 'asc',
  createdAt: 'desc',
  popularity: 'desc',
};

/** The part of a query that says how products are sorted; spread it into the endpoint's own. */
export const sorting = () => ({
  sortBy: z.enum(['price', 'name', 'createdAt', 'popularity']).default('createdAt'),
  sortOrder: z.enum(['asc', 'desc']).optional(),
});

/** The order that was asked for. */
export const orderOf = ({
  sortBy,
  sortOrder,
}: {
  sortBy: ProductOrder['by'];
  sortOrder?: ProductOrder['direction'] | undefined;
}): ProductOrder => ({ by: sortBy, direction: sortOrder ?? USUAL_DIRECTION[sortBy] });
