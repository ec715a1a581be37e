import { z } from 'zod';
import { deleteTaxRate } from '../../../db/commerce/tax/tax-rate.writes';
import { refusal } from '../../../workflows/errors';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { oneCountry } from './tax-rate.view';

export const removeTaxRateEndpoint = endpoint({
  method: 'delete',
  path: '/admin/tax-rates/:country',
  summary: 'Remove the tax rate of a destination',
  description: 'No tax is taken there from then on.',
  tag: 'Administration: taxes',
  auth: 'admin',
  limit: perMinute(200),

  params: oneCountry,
  success: 200,
  data: z.object({ message: z.string().meta({ example: 'The tax rate is removed.' }), country: z.string() }),
  errors: { TAX_RATE_NOT_FOUND: 404 },

  async handle({ params: { country } }, { caller, db, request }) {
    const by = { actorId: caller.id, clientAddress: request.clientAddress };
    if (!(await deleteTaxRate(db, country, by)))
      throw refusal('TAX_RATE_NOT_FOUND', 'No tax rate is set for this country.');
    return { message: 'The tax rate is removed.', country };
  },
});
