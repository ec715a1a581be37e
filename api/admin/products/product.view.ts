import { z } from 'zod';
import type { AdministeredProduct } from '../../../db/catalog/product/administered-product-list.reads';
import { toMajor } from '../../../workflows/commerce/money.rules';
import { productReference } from '../../http/request/ids/references';
import { demo } from '../../http/request/ids/demo-ids';
import { idOf } from '../../http/request/ids/id-of';
import { ProductStatusField } from '../../products/product.view';

/** The path parameters of one product. */
export const oneProduct = z.object({ id: productReference(demo.editable.product) });

/** A product as administrators see it in a list. */
export const AdminProduct = z
  .object({
    id: z.uuid(),
    name: z.string(),
    sku: z.string(),
    status: ProductStatusField.meta({
      description: 'As visitors see it: an ACTIVE product whose tracked stock has run out is OUT_OF_STOCK.',
    }),
    price: z.number().describe('The price of one unit, in USD.'),
    compareAtPrice: z.number().nullable().describe('The former price, shown crossed out; null without one.'),
    stockQuantity: z
      .int()
      .nullable()
      .meta({ description: 'As visitors see it: of all variants together; null when stock is not tracked.' }),
    category: z.string().nullable().meta({ description: 'Its name.' }),
    ordersCount: z.int().meta({ description: 'Orders of any status that contain it.' }),
    totalRevenue: z.number().meta({
      description:
        'The price of its units in paid orders that were not cancelled, after discounts, without tax.',
    }),
    commissionPercentage: z
      .number()
      .describe('Percent of the price from which commissions of partners are paid.'),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'AdminProduct' });

export function adminProductView(row: AdministeredProduct): z.output<typeof AdminProduct> {
  const { priceMinor, compareAtPriceMinor, currency, totalRevenueMinor, commissionBp, ...shown } = row;
  return {
    ...shown,
    price: toMajor(priceMinor, currency),
    compareAtPrice: compareAtPriceMinor === null ? null : toMajor(compareAtPriceMinor, currency),
    totalRevenue: toMajor(totalRevenueMinor, currency),
    commissionPercentage: commissionBp / 100,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** The query parameters that select products, for lists and files. */
export const productQuery = {
  status: z.enum([...ProductStatusField.options, 'ALL']).default('ALL'),
  categoryId: idOf('category').optional().meta({ description: 'Subcategories are included.' }),
  search: z.string().trim().max(100).optional().meta({ description: 'Part of the name or of the SKU.' }),
};
