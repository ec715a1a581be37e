import { toMinor } from '../../../../workflows/commerce/money.rules';
import { endpoint } from '../../../http/endpoint';
import { perMinute } from '../../../http/limits/limits';
import { actorOf } from '../../actor';
import { oneProvider } from '../provider.view';
import { writeOffDebt } from './write-off.command';
import { ProviderWriteOff, ProviderWriteOffRequest, providerWriteOffView } from './write-off.view';

export const writeOffProviderDebt = endpoint({
  id: 'writeOffProviderDebt',
  returns: 'The write-off, which is booked',
  method: 'post',
  path: '/admin/providers/:code/write-offs',
  summary: 'Write off a debt of an investment provider',
  description:
    'For what a provider owes and will not pay. It is booked as a loss, and what the provider owes falls by it at once, by at most ' +
    'what it owes (MORE_THAN_OWED). The claim stays: what the provider pays beyond its debts later recovers it, when that ' +
    'payment is entered. Without an Idempotency-Key, the same request again writes off as much again.',
  tag: 'Administration: investment',
  auth: 'super-admin',
  limit: perMinute(200),
  atomic: true,

  params: oneProvider,
  body: ProviderWriteOffRequest,
  success: 201,
  data: ProviderWriteOff,
  errors: { PROVIDER_NOT_FOUND: 404 },

  async handle({ params: { code }, body: { amount, currency, reason } }, context) {
    const givenUp = { providerCode: code, amountMinor: toMinor(amount, currency), currency, reason };
    const by = { ...actorOf(context), actorId: context.caller.id };
    return providerWriteOffView(await writeOffDebt(context, givenUp, by));
  },
});
