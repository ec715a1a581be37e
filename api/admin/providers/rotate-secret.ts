import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { actorOf } from '../actor';
import { oneProvider, ssoKey, webhookSecret, SecretPurposeField } from './provider.view';
import { rotateSecret } from './rotate-secret.command';

export const rotateProviderSecret = endpoint({
  id: 'rotateInvestmentProviderSecret',
  returns: 'The new secret',
  method: 'post',
  path: '/admin/providers/:code/rotate-secret',
  summary: 'Replace a secret of an investment provider',
  description:
    'The new one is used from now on; it is in this answer and in no other. The secret of reports before it is accepted ' +
    'for 24 hours, so that the provider has time to change; replaced again within them, the oldest is refused at once. ' +
    'A replaced key of sign-in tokens is not used any more.',
  tag: 'Administration: investment',
  auth: 'super-admin',
  limit: perMinute(200),
  // An answer stored for repeated requests would be secrets in plain text.
  idempotent: false,

  params: oneProvider,
  body: z
    .object({ secret: SecretPurposeField.default('WEBHOOK').describe('The secret to replace.') })
    .meta({ id: 'RotateProviderSecretRequest' }),
  success: 200,
  data: z
    .object({
      code: z.string().describe('The code of the provider.'),
      secret: SecretPurposeField.describe('The secret that was replaced.'),
      webhookSecret: webhookSecret()
        .optional()
        .describe(
          'The secret of reports in both directions, as Standard Webhooks has it. It is shown this once.',
        ),
      ssoKey: ssoKey()
        .optional()
        .describe(
          'The key of the tokens that sign users in there, 32 bytes in base64url. It is shown this once.',
        ),
      previousValidUntil: z.iso
        .datetime()
        .nullable()
        .describe('Until when the secret before it is accepted; null: not any more.'),
    })
    .meta({ id: 'RotatedProviderSecret' }),
  errors: { PROVIDER_NOT_FOUND: 404 },

  async handle({ params: { code }, body: { secret: purpose } }, context) {
    const { secret, previousValidUntil } = await rotateSecret(context, { code, purpose }, actorOf(context));
    return {
      code,
      secret: purpose,
      ...(purpose === 'WEBHOOK' ? { webhookSecret: secret } : { ssoKey: secret }),
      previousValidUntil: previousValidUntil?.toISOString() ?? null,
    };
  },
});
