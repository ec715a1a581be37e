import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { addAddress, MOST_ADDRESSES } from './add.command';
import { AddressRequest, addressView, AddressView } from './address.view';

export const addMyAddress = endpoint({
  id: 'createAddress',
  returns: 'The saved address',
  method: 'post',
  path: '/users/me/addresses',
  summary: 'Save an address',
  description: `The first address becomes the default; a new default replaces the old. At most ${MOST_ADDRESSES} are kept.`,
  tag: 'Account',
  auth: 'user',
  limit: perMinute(100),

  body: AddressRequest,
  success: 201,
  data: AddressView,
  errors: {},

  async handle({ body }, { caller, db, mint }) {
    const { address: id } = await mint('address');
    const address = await addAddress(db, {
      ...body,
      id,
      userId: caller.id,
      label: body.label ?? null,
      isDefault: body.isDefault ?? false,
      region: body.region ?? null,
      phone: body.phone ?? null,
    });
    return addressView(address);
  },
});
