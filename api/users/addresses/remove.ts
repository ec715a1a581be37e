import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { addressParams } from './own-address';
import { removeAddress } from './remove.command';

export const removeMyAddress = endpoint({
  id: 'deleteAddress',
  returns: 'The address that was removed',
  method: 'delete',
  path: '/users/me/addresses/:id',
  summary: 'Remove one of my addresses',
  description:
    'If it was the default, the newest of the others becomes the default. Orders keep their own copy.',
  tag: 'Account',
  auth: 'user',
  limit: perMinute(100),

  params: addressParams,
  success: 200,
  data: z.object({
    message: z.string().meta({ example: 'The address is removed.' }),
    addressId: z.uuid().describe('The address that was removed.'),
  }),
  errors: { ADDRESS_NOT_FOUND: 404 },

  async handle({ params: { id } }, { caller, db }) {
    await removeAddress(db, caller.id, id);
    return { message: 'The address is removed.', addressId: id };
  },
});
