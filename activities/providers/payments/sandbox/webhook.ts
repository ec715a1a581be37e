import { createHmac } from 'node:crypto';
import {
  sandboxLinkText,
  SANDBOX_TRANSFERS_TEXT,
  type SandboxLink,
} from '../../../../workflows/commerce/sandbox/sandbox-link.rules';
import { factsOfReport, isKnownReport } from '../../../../workflows/commerce/payment/payment-report.rules';
import { secretKey, standardForm } from '../../webhook';
import { standardMessage } from '../message';
import type { PaymentWebhook } from '../webhook';
import { sandboxVariables } from './variables';

/** The sandbox's reports, and the signatures of its pages, for the side that signs and the side that verifies. */
export const sandboxWebhook = {
  code: 'sandbox',
  variables: sandboxVariables,
  words:
    'sends Standard Webhooks: `webhook-id`, `webhook-timestamp` and `webhook-signature` (`v1,<base64>` ' +
    'HMAC-SHA256 over `id.timestamp.body`)',
  hasStatement: true,
  formOf: ({ SANDBOX_SECRET: secrets }) =>
    standardForm(secrets, { isKnown: isKnownReport, factsOf: factsOfReport }),
  readMessage: standardMessage,
} satisfies PaymentWebhook<{ SANDBOX_SECRET: readonly string[] }>;

/** The signature of a link to the sandbox's page. */
export const linkSignature = (link: SandboxLink, secret: string): Buffer =>
  createHmac('sha256', secretKey(secret)).update(sandboxLinkText(link)).digest();

/** The signature of the address of the sandbox's page of transfers. */
export const transfersSignature = (secret: string): Buffer =>
  createHmac('sha256', secretKey(secret)).update(SANDBOX_TRANSFERS_TEXT).digest();
