import { z } from 'zod';
import { listProviderPayments } from '../../../../db/investment/provider-payment/provider-payment.reads';
import { providerByCode } from '../../../../db/investment/provider/provider.reads';
import { paging, windowOf } from '../../../http/answer/paging';
import { endpoint } from '../../../http/endpoint';
import { perMinute } from '../../../http/limits/limits';
import { noSuchProvider } from '../no-such-provider';
import { oneProvider } from '../provider.view';
import { ProviderPayment, providerPaymentView } from './payment.view';

export const listProviderPaymentsEndpoint = endpoint({
  id: 'listProviderPayments',
  returns: 'One page of payments',
  method: 'get',
  path: '/admin/providers/:code/payments',
  summary: 'List the payments of an investment provider',
  description: 'Newest first. What it still owes is in `owes` of the provider.',
  tag: 'Administration: investment',
  auth: 'admin',
  limit: perMinute(200),

  params: oneProvider,
  query: z.object(paging(100)),
  success: 200,
  paginated: true,
  data: z.object({
    payments: z.array(ProviderPayment).describe('One page of the payments of the provider, newest first.'),
  }),
  errors: { PROVIDER_NOT_FOUND: 404 },

  async handle({ params: { code }, query: { page, pageSize } }, { db, reply }) {
    if (!(await providerByCode(db, code))) throw noSuchProvider();
    const limits = windowOf({ page, pageSize });
    const { total, payments } = await listProviderPayments(db, code, limits);
    reply.page({ total, page, pageSize });
    return { payments: payments.map(providerPaymentView) };
  },
});
