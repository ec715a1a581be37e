import { z } from 'zod';
import { listShippingMethods } from '../../../db/commerce/shipping/shipping-method-record.reads';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { paging, windowOf } from '../../http/answer/paging';
import { AdminShippingMethod, shippingMethodView } from './shipping-method.view';

export const listShippingMethodsEndpoint = endpoint({
  id: 'listAllShippingMethods',
  returns: 'One page of shipping methods',
  method: 'get',
  path: '/admin/shipping-methods',
  summary: 'List shipping methods in the shop’s order',
  description: 'Including methods that are switched off, without deleted ones.',
  tag: 'Administration: shipping',
  auth: 'admin',
  limit: perMinute(200),

  query: z.object(paging(100)),
  success: 200,
  paginated: true,
  data: z.object({ methods: z.array(AdminShippingMethod).describe('One page of shipping methods.') }),
  errors: {},

  async handle({ query: { page, pageSize } }, { db, reply }) {
    const found = await listShippingMethods(db, windowOf({ page, pageSize }));
    reply.page({ total: found.total, page, pageSize });
    return { methods: found.methods.map(shippingMethodView) };
  },
});
