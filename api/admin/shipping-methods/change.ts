import { changeShippingMethod } from '../../../db/commerce/shipping/shipping-method-record.writes';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { given } from '../../users/given';
import {
  AdminShippingMethod,
  methodSettingsFrom,
  noSuchShippingMethod,
  oneShippingMethod,
  ShippingMethodChange,
  shippingMethodView,
} from './shipping-method.view';

export const changeShippingMethodEndpoint = endpoint({
  method: 'patch',
  path: '/admin/shipping-methods/:id',
  summary: 'Change a shipping method',
  description:
    'What is left out stays as it is; `zones` takes the place of all zones before. A zone where no method goes any ' +
    'more is forgotten. Orders that were placed keep what shipping cost.',
  tag: 'Administration: shipping',
  auth: 'admin',
  limit: perMinute(200),

  params: oneShippingMethod,
  body: ShippingMethodChange,
  success: 200,
  data: AdminShippingMethod,
  errors: { SHIPPING_METHOD_NOT_FOUND: 404 },

  async handle({ params: { id }, body }, { caller, db, request }) {
    const by = { actorId: caller.id, clientAddress: request.clientAddress };
    const method = await changeShippingMethod(db, id, methodSettingsFrom(given(body)), by);
    if (!method) throw noSuchShippingMethod();
    return shippingMethodView(method);
  },
});
