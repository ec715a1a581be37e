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
    'provider is booked by itself and is not entered. A provider pays no more than it owes (MORE_THAN_OWED): a payment ' +
    'ahead of that is entered once the investments that it is for have ended, or their profits are reported. One by mistake ' +
    'that was refused so, such as money paid twice, is not entered, and neither is its return. No more is sent ' +
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
