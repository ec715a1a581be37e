import { audited } from '../../../db/administration/audit/audit.writes';
import { markShippingMethodDeleted } from '../../../db/commerce/shipping/shipping-method-record.writes';
import { lockShippingZones } from '../../../db/commerce/shipping/shipping-zone.writes';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type { Actor } from '../actor';
import { requireShippingMethod } from './method-settings';
import { setZones } from './set-zones';

/** Deletes a shipping method for good; orders that use it keep it. Refused: SHIPPING_METHOD_NOT_FOUND. */
export function removeShippingMethod(db: Db, id: string, by: Actor): Promise<void> {
  return inTransaction(db, async (tx) => {
    await lockShippingZones(tx);
    const before = await requireShippingMethod(tx, id);
    const at = new Date();
    await markShippingMethodDeleted(tx, id, at);
    await setZones(tx, id, []);
    await audited(
      tx,
      { ...by, at },
      'shipping-method.delete',
      id,
      { name: before.name, zones: before.zones, deletedAt: null },
      { zones: [], deletedAt: at },
    );
  });
}
