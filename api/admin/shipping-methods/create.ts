import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { sentFields } from '../../http/request/sent-fields';
import { actorOf } from '../actor';
import { createShippingMethod } from './create.command';
import {
  AdminShippingMethod,
  methodSettingsFrom,
  ShippingMethodRequest,
  shippingMethodView,
  zoneFrom,
} from './shipping-method.view';

export const createShippingMethodEndpoint = endpoint({
  id: 'createShippingMethod',
  returns: 'The new shipping method',
  method: 'post',
  path: '/admin/shipping-methods',
  summary: 'Add a shipping method',
  description: 'New zones are created; existing ones are shared with the other methods.',
  tag: 'Administration: shipping',
  auth: 'admin',
  limit: perMinute(200),

  body: ShippingMethodRequest,
  example: {
    name: 'Parcel shop',
    zones: [{ name: 'European Union', basePrice: 3.9, pricePerKg: 0.5 }],
  },
  success: 201,
  data: AdminShippingMethod,
  errors: {},

  async handle({ body }, context) {
    const { method: id } = await context.mint('method');
    const { name, carrier, currency, estimatedDays, isActive, position, zones } = body;
    const settings = {
      ...{ description: null, freeThresholdMinor: null, trackingUrlTemplate: null },
      ...methodSettingsFrom(sentFields(body)),
      ...{ name, carrier, currency, isActive, position },
      ...{ minDays: estimatedDays.min, maxDays: estimatedDays.max, zones: zones.map(zoneFrom) },
    };
    return shippingMethodView(await createShippingMethod(context.db, id, settings, actorOf(context)));
  },
});
