import type { Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { ShippingMethod } from './shipping-method.model';
import type { ShippingMethodRecord } from './shipping-method-record.reads';

/** The columns of a shipping method that administrators set. */
export type ShippingMethodFields = Omit<ShippingMethodRecord, 'id' | 'zones' | 'createdAt' | 'updatedAt'>;

export async function insertShippingMethod(
  tx: Tx,
  id: string,
  fields: ShippingMethodFields,
  at: Date,
): Promise<void> {
  await table(tx, ShippingMethod).insert({ ...fields, id, createdAt: at, updatedAt: at });
}

/** Changes columns of a locked method. */
export async function updateShippingMethod(
  tx: Tx,
  id: string,
  changes: Partial<ShippingMethodFields>,
  at: Date,
): Promise<void> {
  await table(tx, ShippingMethod).update({ ...changes, updatedAt: at }, { id });
}

export async function markShippingMethodDeleted(tx: Tx, id: string, at: Date): Promise<void> {
  await table(tx, ShippingMethod).update({ deletedAt: at, updatedAt: at }, { id });
}
