import {
  lockShippingMethod,
  type ShippingMethodRecord,
} from '../../../db/commerce/shipping/shipping-method-record.reads';
import type { ShippingMethodFields } from '../../../db/commerce/shipping/shipping-method-record.writes';
import type { Tx } from '../../../db/sql/query';
import { refusal } from '../../../workflows/errors';
import type { ZonePrice } from './set-zones';
import { invalid } from '../../http/validation/validation';

/** A shipping method as an administrator sets it. */
export type ShippingMethodSettings = ShippingMethodFields & { zones: readonly ZonePrice[] };

/** The method, locked against every other change. Refused: SHIPPING_METHOD_NOT_FOUND. */
export async function requireShippingMethod(tx: Tx, id: string): Promise<ShippingMethodRecord> {
  const method = await lockShippingMethod(tx, id);
  if (!method) throw refusal('SHIPPING_METHOD_NOT_FOUND');
  return method;
}

/** Refuses a delivery time whose longest is below its shortest: VALIDATION_ERROR. */
export function requireDays({ minDays, maxDays }: Pick<ShippingMethodSettings, 'minDays' | 'maxDays'>): void {
  if (maxDays < minDays)
    throw invalid({
      'estimatedDays.max': ['must be at least estimatedDays.min'],
    });
}
