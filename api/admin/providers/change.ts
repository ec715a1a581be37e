import { countedDebts } from '../../../db/investment/provider-payment/provider-payment.reads';
import { providerByCode, secretTimes } from '../../../db/investment/provider/provider.reads';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { sentFields } from '../../http/request/sent-fields';
import { actorOf } from '../actor';
import { changeProvider } from './change.command';
import { AdminProvider, oneProvider, ProviderChange, providerView } from './provider.view';
import { requireSavableAddresses } from './savable-address';

export const changeProviderEndpoint = endpoint({
  id: 'updateInvestmentProvider',
  returns: 'The provider as it is now',
  method: 'patch',
  path: '/admin/providers/:code',
  summary: 'Change an investment provider',
  description:
    'Fields that are left out stay. While a provider is not active, nobody is signed in there and its strategies take ' +
    'no new participations.',
  tag: 'Administration: investment',
  auth: 'super-admin',
  limit: perMinute(200),

  params: oneProvider,
  body: ProviderChange,
  success: 200,
  data: AdminProvider,
  errors: { PROVIDER_NOT_FOUND: 404 },

  async handle({ params: { code }, body }, context) {
    const { db, providerAddresses } = context;
    const { limit, ...rest } = body;
    const changes = sentFields({ ...rest, webhooksPerMinute: limit });
    await requireSavableAddresses(changes, providerAddresses, await providerByCode(db, code));
    const provider = await changeProvider(db, code, changes, actorOf(context));
    const secrets = await secretTimes(db, [code], new Date());
    return providerView(provider, secrets, await countedDebts(db, [code]));
  },
});
