import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { actorOf } from '../actor';
import { setTaxRate } from './set.command';
import { AdminTaxRate, oneCountry, rate } from './tax-rate.view';

export const setTaxRateEndpoint = endpoint({
  id: 'setTaxRate',
  returns: 'The tax rate that now applies',
  method: 'put',
  path: '/admin/tax-rates/:country',
  summary: 'Set the tax rate of a destination',
  description: 'Carts and checkouts use it at once; placed orders keep their tax.',
  tag: 'Administration: taxes',
  auth: 'admin',
  limit: perMinute(200),

  params: oneCountry,
  body: z.object({ rate: rate().describe('The tax in percent.') }),
  success: 200,
  data: AdminTaxRate,
  errors: {},

  async handle({ params: { country }, body: { rate: percent } }, context) {
    await setTaxRate(context.db, country, Math.round(percent * 100), actorOf(context));
    return { country, rate: percent };
  },
});
