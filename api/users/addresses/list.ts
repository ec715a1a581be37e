import { z } from 'zod';
import { addressesOf } from '../../../db/identity/address/address.reads';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { addressView, AddressView } from './address.view';

export const listAddresses = endpoint({
  id: 'listAddresses',
  returns: 'All saved addresses',
  method: 'get',
  path: '/users/me/addresses',
  summary: 'List my addresses, newest first',
  description: 'Saved addresses for checkout, the newest first.',
  tag: 'Account',
  auth: 'user',
  limit: perMinute(100),

  success: 200,
  data: z.object({ addresses: z.array(AddressView).describe('All saved addresses, newest first.') }),
  errors: {},

  async handle(_request, { caller, db }) {
    const addresses = await addressesOf(db, caller.id);
    return { addresses: addresses.map(addressView) };
  },
});
