import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { sentFields } from '../../http/request/sent-fields';
import { actorOf } from '../actor';
import { changeShippingMethod } from './change.command';
import {
  AdminShippingMethod,
  methodSettingsFrom,
  oneShippingMethod,
  ShippingMethodChange,
  shippingMethodView,
} from './shipping-method.view';

export const changeShippingMethodEndpoint = endpoint({
  id: 'updateShippingMethod',
  returns: 'The shipping method as it is now',
  method: 'patch',
  path: '/admin/shipping-methods/:id',
  summary: 'Change a shipping method',
  description:
    'Fields that are left out stay; `zones` replaces all zones of the method. A zone that no method uses any ' +
    'longer is deleted. Placed orders keep their shipping price.',
  tag: 'Administration: shipping',
  auth: 'admin',
  limit: perMinute(200),

  params: oneShippingMethod,
  body: ShippingMethodChange,
  success: 200,
  data: AdminShippingMethod,
  errors: { SHIPPING_METHOD_NOT_FOUND: 404 },

  async handle({ params: { id }, body }, context) {
    const changes = methodSettingsFrom(sentFields(body));
    return shippingMethodView(await changeShippingMethod(context.db, id, changes, actorOf(context)));
  },
});
