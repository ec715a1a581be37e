import { z } from 'zod';
import { addressOf, type SavedAddress } from '../../../db/identity/address/address.reads';
import type { Db } from '../../../db/sql/query';
import { refusal } from '../../../workflows/errors';
import { demo } from '../../http/request/ids/demo-ids';
import { idOf } from '../../http/request/ids/id-of';

export const addressParams = z.object({
  id: idOf('address').meta({
    description: 'One of your addresses: `id` in the list.',
    example: demo.address,
  }),
});

/** The refusal for an id that none of the caller's addresses has. */
export const noSuchAddress = () => refusal('ADDRESS_NOT_FOUND');

/** One address of this user. Refuses with ADDRESS_NOT_FOUND, also for the address of another. */
export async function ownAddress(db: Db, userId: string, id: string): Promise<SavedAddress> {
  const address = await addressOf(db, userId, id);
  if (!address) throw noSuchAddress();
  return address;
}
