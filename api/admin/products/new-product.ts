import type { z } from 'zod';
import { PLATFORM_CURRENCY, toMinor } from '../../../workflows/commerce/money.rules';
import { sentFields } from '../../http/request/sent-fields';
import type { NewProduct } from './create.command';
import { productFrom, type ProductRequest } from './product.request';

/** Fields of a new product that were left out. Chosen: uncounted stock does not limit the sale. */
const DEFAULTS = {
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

/** The new product that a request describes. */
export function newProductFrom(sent: z.output<typeof ProductRequest>): NewProduct {
  return {
    ...DEFAULTS,
    name: sent.name,
    description: sent.description,
    sku: sent.sku,
    status: sent.status,
    priceMinor: toMinor(sent.price, PLATFORM_CURRENCY),
    commissionBp: Math.round(sent.commissionPercentage * 100),
    careerPointsBp: Math.round(sent.careerPointsPercentage * 100),
    ...productFrom(sentFields(sent)),
  };
}
