import { z } from 'zod';
import { setTaxRate } from '../../../db/commerce/tax/tax-rate.writes';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { AdminTaxRate, oneCountry, rate } from './tax-rate.view';

export const setTaxRateEndpoint = endpoint({
  method: 'put',
  path: '/admin/tax-rates/:country',
  summary: 'Set the tax rate of a destination',
  description: 'Carts and checkouts follow at once; orders that were placed keep their tax.',
  tag: 'Administration: taxes',
  auth: 'admin',
  limit: perMinute(200),

  params: oneCountry,
  body: z.object({ rate: rate() }),
  success: 200,
  data: AdminTaxRate,
  errors: {},

  async handle({ params: { country }, body: { rate: percent } }, { caller, db, request }) {
    const by = { actorId: caller.id, clientAddress: request.clientAddress };
    await setTaxRate(db, country, Math.round(percent * 100), by);
    return { country, rate: percent };
  },
});
