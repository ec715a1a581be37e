import { toMinor } from '../../../../workflows/commerce/money.rules';
import { endpoint } from '../../../http/endpoint';
import { perMinute } from '../../../http/limits/limits';
import { actorOf } from '../../actor';
import { oneProvider } from '../provider.view';
import { enterProviderPayment } from './enter.command';
import { ProviderPayment, ProviderPaymentRequest, providerPaymentView } from './payment.view';

export const enterProviderPaymentEndpoint = endpoint({
  id: 'enterProviderPayment',
  returns: 'The payment, which is booked',
  method: 'post',
  path: '/admin/providers/:code/payments',
  summary: 'Enter a payment of an investment provider',
  description:
    'For money seen on the bank account. What the provider owes falls by it at once. Principal that is passed on to the ' +
    'provider is booked by itself and is not entered. A payment pays what the provider owes first, then what was written off. ' +
    'More than that is refused (MORE_THAN_OWED) unless `ahead` confirms it, as for money that was paid twice, or before what it is ' +
    'for has ended or was reported: the rest is then a credit of the provider, which its next debts use up. No more is sent ' +
    'to it than it has paid (MORE_THAN_RECEIVED). A bank reference, however its letters, dashes and blanks are written, is recorded once; ' +
    'entered again with the same amount it changes nothing and gets the same answer, else it is refused ' +
    '(TRANSFER_ALREADY_USED).',
  tag: 'Administration: investment',
  auth: 'admin',
  limit: perMinute(200),

  params: oneProvider,
  body: ProviderPaymentRequest,
  success: 201,
  data: ProviderPayment,
  errors: { PROVIDER_NOT_FOUND: 404 },

  async handle({ params: { code }, body: { amount, note = null, ...rest } }, context) {
    const amountMinor = toMinor(amount, rest.currency);
    const seen = { ...rest, providerCode: code, amountMinor, note };
    const by = { ...actorOf(context), actorId: context.caller.id };
    return providerPaymentView(await enterProviderPayment(context, seen, by));
  },
});
