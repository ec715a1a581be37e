import { z } from 'zod';
import { WebAddress, type ProviderVariables } from '../../../../activities/providers/variables';

export const acmeVariables = {
  api: { ACME_WEBHOOK_SECRET: z.string().min(16).optional() },
  worker: { ACME_KEY: z.string().min(1).optional(), ACME_API_BASE: WebAddress.optional() },
  required: ['ACME_WEBHOOK_SECRET', 'ACME_KEY'],
} satisfies ProviderVariables;
