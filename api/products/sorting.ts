import { z } from 'zod';
import type { ProductOrder } from '../../db/catalog/shop/shop-product-list.reads';
import { SortOrderField } from '../http/answer/paging';

/** Chosen: the direction of a sort without one: names and prices ascend, the newest and most popular come first. */
const DEFAULT_DIRECTION: Record<ProductOrder['by'], ProductOrder['direction']> = {
  price: 'asc',
  name: 'asc',
  createdAt: 'desc',
  popularity: 'desc',
};

const ProductSorting = z
  .enum(['price', 'name', 'createdAt', 'popularity'])
  .meta({ id: 'ProductSorting', description: 'The field that products are sorted by.' });

/** The query parameters that sort products; to be spread into those of an endpoint. */
export const sorting = () => ({
  sortBy: ProductSorting.default('createdAt'),
  sortOrder: SortOrderField.optional(),
});

/** The order that a query requests. */
export const orderOf = ({
  sortBy,
  sortOrder,
}: {
  sortBy: ProductOrder['by'];
  sortOrder?: ProductOrder['direction'] | undefined;
}): ProductOrder => ({ by: sortBy, direction: sortOrder ?? DEFAULT_DIRECTION[sortBy] });
