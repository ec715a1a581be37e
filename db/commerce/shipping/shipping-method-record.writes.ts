import { refusal } from '../../../workflows/errors';
import { changedFields } from '../../administration/audit/changed-fields';
import { recordAudit, type Change } from '../../administration/audit/audit.writes';
import { execute, type Db, type Tx } from '../../sql/query';
import { inTransaction } from '../../sql/transaction';
import { lockShippingMethod, type ShippingMethodRecord } from './shipping-method-record.reads';
import { setZones, takeZonesTurn, type ZonePrice } from './shipping-zone.writes';

/** Who changes something, and from where. */
type Actor = Pick<Change, 'actorId' | 'clientAddress'>;

/** What an administrator sets of a shipping method. */
export type ShippingMethodSettings = Omit<
  ShippingMethodRecord,
  'id' | 'zones' | 'createdAt' | 'updatedAt'
> & {
  zones: readonly ZonePrice[];
};

/**
 * Makes a shipping method; the same id made again is answered with what is there. Refused: VALIDATION_ERROR for days
 * that run backwards and for zones that cannot be.
 */
export function createShippingMethod(
  db: Db,
  id: string,
  { zones, ...settings }: ShippingMethodSettings,
  by: Actor,
): Promise<ShippingMethodRecord> {
  return inTransaction(db, async (tx) => {
    await takeZonesTurn(tx);
    const already = await lockShippingMethod(tx, id);
    if (already) return already;
    requireDays(settings);
    const at = new Date();
    await execute(
      tx,
      `INSERT INTO shipping_methods (name, carrier, description, min_days, max_days, currency, free_threshold_minor,
         tracking_url_template, is_active, position, updated_at, created_at, id)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11, $12)`,
      [...columns(settings), at, id],
    );
    await setZones(tx, id, zones);
    const method = await locked(tx, id);
    const { createdAt: _created, updatedAt: _updated, ...next } = method;
    await recordAudit(tx, {
      ...by,
      ...entity(id),
      action: 'shipping-method.create',
      previous: null,
      next,
      at,
    });
    return method;
  });
}

/** Changes what is given of a method; null when there is none. Refused as above; no change leaves no trace. */
export function changeShippingMethod(
  db: Db,
  id: string,
  { zones, ...changes }: Partial<ShippingMethodSettings>,
  by: Actor,
): Promise<ShippingMethodRecord | null> {
  return inTransaction(db, async (tx) => {
    await takeZonesTurn(tx);
    const before = await lockShippingMethod(tx, id);
    if (!before) return null;
    const settings = { ...before, ...changes };
    requireDays(settings);
    if (zones) await setZones(tx, id, zones);
    const after = { ...settings, zones: (await locked(tx, id)).zones };
    const changed = changedFields(before, after);
    if (!changed) return before;
    const at = new Date();
    await execute(
      tx,
      `UPDATE shipping_methods SET name = $1, carrier = $2, description = $3, min_days = $4, max_days = $5,
         currency = $6, free_threshold_minor = $7, tracking_url_template = $8, is_active = $9, position = $10,
         updated_at = $11 WHERE id = $12`,
      [...columns(settings), at, id],
    );
    await recordAudit(tx, { ...by, ...entity(id), action: 'shipping-method.update', ...changed, at });
    return { ...after, updatedAt: at };
  });
}

/** Takes a method out of the shop for good; whether there was one. Orders that go by it keep it. */
export function deleteShippingMethod(db: Db, id: string, by: Actor): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    await takeZonesTurn(tx);
    const before = await lockShippingMethod(tx, id);
    if (!before) return false;
    const at = new Date();
    await execute(tx, 'UPDATE shipping_methods SET deleted_at = $2, updated_at = $2 WHERE id = $1', [id, at]);
    await setZones(tx, id, []);
    const previous = { name: before.name, zones: before.zones, deletedAt: null };
    const next = { zones: [], deletedAt: at };
    await recordAudit(tx, { ...by, ...entity(id), action: 'shipping-method.delete', previous, next, at });
    return true;
  });
}

const entity = (id: string) => ({ entityType: 'shipping-method', entityId: id });

type Days = Pick<ShippingMethodSettings, 'minDays' | 'maxDays'>;

function requireDays({ minDays, maxDays }: Days): void {
  if (maxDays < minDays)
    throw refusal('VALIDATION_ERROR', 'The shipping method is not valid.', {
      'estimatedDays.max': ['must not be below estimatedDays.min'],
    });
}

async function locked(tx: Tx, id: string): Promise<ShippingMethodRecord> {
  const method = await lockShippingMethod(tx, id);
  if (!method) throw new Error(`Shipping method ${id} is locked and gone.`);
  return method;
}

const columns = (settings: Omit<ShippingMethodSettings, 'zones'>): unknown[] => [
  settings.name,
  settings.carrier,
  settings.description,
  settings.minDays,
  settings.maxDays,
  settings.currency,
  settings.freeThresholdMinor,
  settings.trackingUrlTemplate,
  settings.isActive,
  settings.position,
];
