import { audited } from '../../../db/administration/audit/audit.writes';
import {
  lockShippingMethod,
  type ShippingMethodRecord,
} from '../../../db/commerce/shipping/shipping-method-record.reads';
import { insertShippingMethod } from '../../../db/commerce/shipping/shipping-method-record.writes';
import { lockShippingZones } from '../../../db/commerce/shipping/shipping-zone.writes';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type { Actor } from '../actor';
import { requireDays, requireShippingMethod, type ShippingMethodSettings } from './method-settings';
import { setZones } from './set-zones';

/**
 * Makes a shipping method; the same id again returns the method that exists. Refused: VALIDATION_ERROR for days in
 * reverse order and for zones that contradict each other.
 */
export function createShippingMethod(
  db: Db,
  id: string,
  { zones, ...fields }: ShippingMethodSettings,
  by: Actor,
): Promise<ShippingMethodRecord> {
  return inTransaction(db, async (tx) => {
    await lockShippingZones(tx);
    const existing = await lockShippingMethod(tx, id);
    if (existing) return existing;
    requireDays(fields);
    const at = new Date();
    await insertShippingMethod(tx, id, fields, at);
    await setZones(tx, id, zones);
    const method = await requireShippingMethod(tx, id);
    const { createdAt: _created, updatedAt: _updated, ...next } = method;
    await audited(tx, { ...by, at }, 'shipping-method.create', id, null, next);
    return method;
  });
}
