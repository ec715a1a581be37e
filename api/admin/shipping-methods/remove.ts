import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { actorOf } from '../actor';
import { removeShippingMethod } from './remove.command';
import { oneShippingMethod } from './shipping-method.view';

export const removeShippingMethodEndpoint = endpoint({
  id: 'deleteShippingMethod',
  returns: 'The shipping method that was deleted',
  method: 'delete',
  path: '/admin/shipping-methods/:id',
  summary: 'Delete a shipping method',
  description: 'It cannot be ordered any longer. Orders that use it keep it.',
  tag: 'Administration: shipping',
  auth: 'admin',
  limit: perMinute(200),

  params: oneShippingMethod,
  success: 200,
  data: z.object({
    message: z.string().meta({ example: 'The shipping method is deleted.' }),
    shippingMethodId: z.uuid().describe('The shipping method that was deleted.'),
  }),
  errors: { SHIPPING_METHOD_NOT_FOUND: 404 },

  async handle({ params: { id } }, context) {
    await removeShippingMethod(context.db, id, actorOf(context));
    return { message: 'The shipping method is deleted.', shippingMethodId: id };
  },
});
