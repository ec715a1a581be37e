import { z } from 'zod';
import { secretTimes } from '../../../db/investment/provider/provider.reads';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { actorOf } from '../actor';
import { addProvider } from './create.command';
import { AdminProvider, ProviderRequest, providerView, ssoKey, webhookSecret } from './provider.view';
import { requireSavableAddresses } from './savable-address';

export const createProvider = endpoint({
  id: 'createInvestmentProvider',
  returns: 'The new provider, with its secrets',
  method: 'post',
  path: '/admin/providers',
  summary: 'Add an investment provider',
  description: 'Its secrets are in this answer and in no other: hand them to the provider at once.',
  tag: 'Administration: investment',
  auth: 'super-admin',
  limit: perMinute(200),
  // An answer stored for repeated requests would be secrets in plain text.
  idempotent: false,

  body: ProviderRequest,
  success: 201,
  data: z
    .object({
      ...AdminProvider.shape,
      webhookSecret: webhookSecret().describe(
        'The secret of reports in both directions, as Standard Webhooks has it. It is shown this once.',
      ),
      ssoKey: ssoKey().describe(
        'The key of the tokens that sign users in there, 32 bytes in base64url. It is shown this once.',
      ),
    })
    .meta({ id: 'NewProvider' }),
  errors: {},

  async handle({ body }, context) {
    const { db, providerAddresses } = context;
    const { code, name, apiBase = null, ssoAudience = null, ssoUrl = null, limit = null, isActive } = body;
    await requireSavableAddresses({ apiBase, ssoUrl }, providerAddresses);
    const fields = { code, name, apiBase, ssoAudience, ssoUrl, webhooksPerMinute: limit, isActive };
    const { provider, ...secrets } = await addProvider(db, fields, actorOf(context));
    return { ...providerView(provider, await secretTimes(db, [code], new Date()), []), ...secrets };
  },
});
