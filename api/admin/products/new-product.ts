import type { z } from 'zod';
import type { ProductRecord } from '../../../db/catalog/product/product-record.reads';
import { PLATFORM_CURRENCY, toMinor } from '../../../workflows/commerce/money.rules';
import { given } from '../../users/given';
import { productFrom, type ProductRequest } from './product.request';

/** What is not said of a new product. Chosen: what nobody has counted can be ordered without end. */
const UNSAID = {
  shortDescription: null,
  compareAtPriceMinor: null,
  categoryId: null,
  trackInventory: false,
  weightGrams: null,
  lengthMm: null,
  widthMm: null,
  heightMm: null,
  attributes: {},
  tags: [],
};

/** A new product as it is kept, from what was sent of it. */
export function newProductFrom(
  sent: z.output<typeof ProductRequest>,
): ProductRecord & { stockQuantity?: number } {
  return {
    ...UNSAID,
    name: sent.name,
    description: sent.description,
    sku: sent.sku,
    status: sent.status,
    priceMinor: toMinor(sent.price, PLATFORM_CURRENCY),
    commissionBp: Math.round(sent.commissionPercentage * 100),
    careerPointsBp: Math.round(sent.careerPointsPercentage * 100),
    ...productFrom(given(sent)),
  };
}
