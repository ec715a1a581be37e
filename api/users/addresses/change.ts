import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { sentFields } from '../../http/request/sent-fields';
import { AddressChange, addressView, AddressView } from './address.view';
import { changeAddress } from './change.command';
import { addressParams } from './own-address';

export const changeMyAddress = endpoint({
  id: 'updateAddress',
  returns: 'The address as it is now',
  method: 'patch',
  path: '/users/me/addresses/:id',
  summary: 'Change one of my addresses',
  description:
    'What is left out stays. `isDefault: true` makes it the default in place of the one before; `false` does not change the default, since another address has to replace it.',
  tag: 'Account',
  auth: 'user',
  limit: perMinute(100),

  params: addressParams,
  body: AddressChange,
  success: 200,
  data: AddressView,
  errors: { ADDRESS_NOT_FOUND: 404 },

  async handle({ params, body }, { caller, db }) {
    return addressView(await changeAddress(db, caller.id, params.id, sentFields(body)));
  },
});
