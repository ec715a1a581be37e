import { z } from 'zod';
import { listTaxRates } from '../../../db/commerce/tax/tax.reads';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { paging, windowOf } from '../../http/answer/paging';
import { AdminTaxRate } from './tax-rate.view';

export const listTaxRatesEndpoint = endpoint({
  id: 'listTaxRates',
  returns: 'One page of tax rates',
  method: 'get',
  path: '/admin/tax-rates',
  summary: 'List the tax rates of destinations, by country',
  description: 'A country that is not listed has no tax.',
  tag: 'Administration: taxes',
  auth: 'admin',
  limit: perMinute(200),

  query: z.object(paging(100)),
  success: 200,
  paginated: true,
  data: z.object({ taxRates: z.array(AdminTaxRate).describe('One page of tax rates.') }),
  errors: {},

  async handle({ query: { page, pageSize } }, { db, reply }) {
    const { total, rates } = await listTaxRates(db, windowOf({ page, pageSize }));
    reply.page({ total, page, pageSize });
    return { taxRates: rates.map(({ country, rateBp }) => ({ country, rate: rateBp / 100 })) };
  },
});
