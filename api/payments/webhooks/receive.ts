import { z } from 'zod';
import { paymentWebhooks } from '../../../activities/providers/payments/webhooks';
import { paymentEventProcess } from '../../../workflows/commerce/payment-event/payment-event.contract';
import { refusal } from '../../../workflows/errors';
import { endpoint } from '../../http/endpoint';
import type { Context } from '../../http/handler-context';
import { webhookLimit } from '../../http/limits/limits';
import type { Intake } from '../../http/request/intake';
import { ReceivedReport, receiveReport } from '../../webhooks/receive-report';
import { UNKNOWN_ID } from '../../http/request/ids/demo-ids';

/** `sandbox` sends …; `stripe` sends …. */
const FORMS = `${paymentWebhooks.map(({ code, words }) => `\`${code}\` ${words}`).join('; ')}.`;

export const receivePaymentReport = endpoint({
  id: 'receivePaymentReport',
  returns: { 200: 'A report that was received before', 202: 'The report is stored and will be processed' },
  method: 'post',
  path: '/payments/webhooks/:provider',
  summary: 'Take a payment provider’s report',
  description: `${FORMS} The report is stored before the answer and applied after it, exactly once.`,
  tag: 'Payments',
  auth: 'public',
  limit: webhookLimit,
  idempotent: false,
  raw: true,

  params: z.object({
    provider: z.string().max(50).meta({ description: 'The short name of the provider.', example: 'sandbox' }),
  }),
  example: {
    type: 'payment.captured',
    timestamp: '2026-01-31T12:00:00.000Z',
    data: { key: UNKNOWN_ID },
  },
  success: [202, 200],
  data: ReceivedReport,
  errors: { PROVIDER_NOT_FOUND: 404, INVALID_SIGNATURE: 401 },

  sender: ({ provider }, context) => ({ name: provider, isSigned: intakeOf(provider, context).isSigned }),

  handle: ({ params: { provider } }, context) =>
    receiveReport(
      intakeOf(provider, context),
      { kind: 'PAYMENT', provider, process: paymentEventProcess },
      context,
    ),
});

/** The intake of this provider's reports; refused PROVIDER_NOT_FOUND. */
function intakeOf(provider: string, { paymentIntake }: Pick<Context, 'paymentIntake'>): Intake {
  const intake = paymentIntake(provider);
  if (!intake) throw refusal('PROVIDER_NOT_FOUND', 'No such payment provider.');
  return intake;
}
