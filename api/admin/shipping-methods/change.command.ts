import { audited } from '../../../db/administration/audit/audit.writes';
import { changedFields } from '../../../db/administration/audit/changed-fields';
import type { ShippingMethodRecord } from '../../../db/commerce/shipping/shipping-method-record.reads';
import { updateShippingMethod } from '../../../db/commerce/shipping/shipping-method-record.writes';
import { lockShippingZones } from '../../../db/commerce/shipping/shipping-zone.writes';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type { Actor } from '../actor';
import { requireDays, requireShippingMethod, type ShippingMethodSettings } from './method-settings';
import { setZones } from './set-zones';

/**
 * Changes the settings that are sent. Refused: SHIPPING_METHOD_NOT_FOUND, VALIDATION_ERROR as on creation. Changes that
 * make no difference are not recorded.
 */
export function changeShippingMethod(
  db: Db,
  id: string,
  { zones, ...changes }: Partial<ShippingMethodSettings>,
  by: Actor,
): Promise<ShippingMethodRecord> {
  return inTransaction(db, async (tx) => {
    await lockShippingZones(tx);
    const before = await requireShippingMethod(tx, id);
    const settings = { ...before, ...changes };
    requireDays(settings);
    if (zones) await setZones(tx, id, zones);
    const after = { ...settings, zones: (await requireShippingMethod(tx, id)).zones };
    const changed = changedFields(before, after);
    if (!changed) return before;
    const at = new Date();
    await updateShippingMethod(tx, id, changes, at);
    await audited(tx, { ...by, at }, 'shipping-method.update', id, before, after);
    return { ...after, updatedAt: at };
  });
}
