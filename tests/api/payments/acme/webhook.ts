import { createHmac } from 'node:crypto';
import type { PaymentWebhook } from '../../../../activities/providers/payments/webhook';
import { idAt, valueAt } from '../../../../workflows/commerce/webhook/report-subject.rules';
import { acmeMessage } from './message';
import { acmeVariables } from './variables';

export const acmeSignature = (body: Buffer | string, secret: string): string =>
  createHmac('sha256', secret).update(body).digest('hex');

/** Acme's own form: a signature over the body alone, and ids in it. */
export const acmeWebhook = {
  code: 'acme',
  variables: acmeVariables,
  words: 'sends its own events with `Acme-Signature`',
  hasStatement: false,
  formOf: ({ ACME_WEBHOOK_SECRET: secret }) =>
    secret === undefined
      ? null
      : {
          isSigned: ({ rawBody, header }) => header('acme-signature') === acmeSignature(rawBody, secret),
          idOf: (_header, event) => ({ name: 'no', id: valueAt(event, ['no']) }),
          isKnown: (_type, event) => acmeMessage(event) !== null,
          factsOf: (type, event) => ({
            subject: idAt(event, ['order']),
            movement: type === 'acme.settled' ? idAt(event, ['charge']) : null,
            outcome: type === 'acme.settled' ? 'PAID' : null,
            amountMinor: null,
          }),
        },
  readMessage: acmeMessage,
} satisfies PaymentWebhook<{ ACME_WEBHOOK_SECRET?: string | undefined }>;
