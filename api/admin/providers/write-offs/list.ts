import { z } from 'zod';
import {
  listProviderWriteOffs,
  unrecoveredOf,
} from '../../../../db/investment/provider-payment/provider-write-off.reads';
import { providerByCode } from '../../../../db/investment/provider/provider.reads';
import { figureInMajor } from '../../../../workflows/commerce/money.rules';
import { paging, windowOf } from '../../../http/answer/paging';
import { endpoint } from '../../../http/endpoint';
import { perMinute } from '../../../http/limits/limits';
import { noSuchProvider } from '../no-such-provider';
import { oneProvider } from '../provider.view';
import { ProviderWriteOff, providerWriteOffView } from './write-off.view';

export const listProviderWriteOffsEndpoint = endpoint({
  id: 'listProviderWriteOffs',
  returns: 'One page of write-offs',
  method: 'get',
  path: '/admin/providers/:code/write-offs',
  summary: 'List the write-offs of an investment provider',
  description: 'Newest first. `recovered` of its payments is what it has paid of them since.',
  tag: 'Administration: investment',
  auth: 'admin',
  limit: perMinute(200),

  params: oneProvider,
  query: z.object(paging(100)),
  success: 200,
  paginated: true,
  data: z.object({
    writeOffs: z.array(ProviderWriteOff).meta({
      description: 'One page of what the provider owed and was written off, newest first.',
    }),
    unrecovered: z.array(z.object({ currency: z.string(), amount: z.number() })).meta({
      description: 'What the provider has not paid of all of them; empty: nothing is left.',
    }),
  }),
  errors: { PROVIDER_NOT_FOUND: 404 },

  async handle({ params: { code }, query: { page, pageSize } }, { db, reply }) {
    if (!(await providerByCode(db, code))) throw noSuchProvider();
    const { total, writeOffs } = await listProviderWriteOffs(db, code, windowOf({ page, pageSize }));
    reply.page({ total, page, pageSize });
    const unrecovered = (await unrecoveredOf(db, code)).map(({ currency, unrecoveredMinor }) => ({
      currency,
      amount: figureInMajor(unrecoveredMinor, currency),
    }));
    return { writeOffs: writeOffs.map(providerWriteOffView), unrecovered };
  },
});
