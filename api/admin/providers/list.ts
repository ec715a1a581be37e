import { z } from 'zod';
import { countedDebts } from '../../../db/investment/provider-payment/provider-payment.reads';
import { listProviders, secretTimes } from '../../../db/investment/provider/provider.reads';
import { paging, windowOf } from '../../http/answer/paging';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { AdminProvider, providerView } from './provider.view';

export const listProvidersEndpoint = endpoint({
  id: 'listInvestmentProviders',
  returns: 'One page of providers',
  method: 'get',
  path: '/admin/providers',
  summary: 'List investment providers by code',
  description: 'With what they owe. Of their secrets only the times are shown.',
  tag: 'Administration: investment',
  auth: 'admin',
  limit: perMinute(200),

  query: z.object(paging(100)),
  success: 200,
  paginated: true,
  data: z.object({
    providers: z.array(AdminProvider).describe('One page of the companies that run strategies, by code.'),
  }),
  errors: {},

  async handle({ query: { page, pageSize } }, { db, reply }) {
    const { total, providers } = await listProviders(db, windowOf({ page, pageSize }));
    reply.page({ total, page, pageSize });
    const codes = providers.map(({ code }) => code);
    const secrets = await secretTimes(db, codes, new Date());
    const debts = await countedDebts(db, codes);
    return { providers: providers.map((provider) => providerView(provider, secrets, debts)) };
  },
});
