import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { actorOf } from '../actor';
import { removeTaxRate } from './remove.command';
import { oneCountry } from './tax-rate.view';

export const removeTaxRateEndpoint = endpoint({
  id: 'deleteTaxRate',
  returns: 'The country whose tax rate was removed',
  method: 'delete',
  path: '/admin/tax-rates/:country',
  summary: 'Remove the tax rate of a destination',
  description: 'Goods sent there are no longer taxed.',
  tag: 'Administration: taxes',
  auth: 'admin',
  limit: perMinute(200),

  params: oneCountry,
  success: 200,
  data: z.object({ message: z.string().meta({ example: 'The tax rate is removed.' }), country: z.string() }),
  errors: { TAX_RATE_NOT_FOUND: 404 },

  async handle({ params: { country } }, context) {
    await removeTaxRate(context.db, country, actorOf(context));
    return { message: 'The tax rate is removed.', country };
  },
});
