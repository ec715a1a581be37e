import { countedDebts } from '../../../db/investment/provider-payment/provider-payment.reads';
import { providerByCode, secretTimes } from '../../../db/investment/provider/provider.reads';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { noSuchProvider } from './no-such-provider';
import { AdminProvider, oneProvider, providerView } from './provider.view';

export const showProvider = endpoint({
  id: 'getInvestmentProvider',
  returns: 'The provider',
  method: 'get',
  path: '/admin/providers/:code',
  summary: 'Show an investment provider',
  description: 'With what it owes. Of its secrets only the times are shown.',
  tag: 'Administration: investment',
  auth: 'admin',
  limit: perMinute(200),

  params: oneProvider,
  success: 200,
  data: AdminProvider,
  errors: { PROVIDER_NOT_FOUND: 404 },

  async handle({ params: { code } }, { db }) {
    const provider = await providerByCode(db, code);
    if (!provider) throw noSuchProvider();
    const secrets = await secretTimes(db, [code], new Date());
    return providerView(provider, secrets, await countedDebts(db, [code]));
  },
});
