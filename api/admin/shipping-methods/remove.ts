import { z } from 'zod';
import { deleteShippingMethod } from '../../../db/commerce/shipping/shipping-method-record.writes';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { noSuchShippingMethod, oneShippingMethod } from './shipping-method.view';

export const removeShippingMethodEndpoint = endpoint({
  method: 'delete',
  path: '/admin/shipping-methods/:id',
  summary: 'Delete a shipping method',
  description: 'Nothing can be ordered by it from then on. Orders that go by it keep it.',
  tag: 'Administration: shipping',
  auth: 'admin',
  limit: perMinute(200),

  params: oneShippingMethod,
  success: 200,
  data: z.object({
    message: z.string().meta({ example: 'The shipping method is deleted.' }),
    shippingMethodId: z.uuid(),
  }),
  errors: { SHIPPING_METHOD_NOT_FOUND: 404 },

  async handle({ params: { id } }, { caller, db, request }) {
    const by = { actorId: caller.id, clientAddress: request.clientAddress };
    if (!(await deleteShippingMethod(db, id, by))) throw noSuchShippingMethod();
    return { message: 'The shipping method is deleted.', shippingMethodId: id };
  },
});
