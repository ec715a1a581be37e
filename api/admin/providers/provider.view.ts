import { z } from 'zod';
import type { CountedDebt } from '../../../db/investment/provider-payment/provider-payment.reads';
import type { ProviderRecord, SecretTimes } from '../../../db/investment/provider/provider.reads';
import { SECRET_PURPOSES } from '../../../workflows/investment/strategy/strategy.rules';
import { text } from '../../http/request/fields';
import { OwedField, owedView } from './payments/payment.view';
import { identifying } from '../../http/request/ids/identified';

export const SecretPurposeField = z.enum(SECRET_PURPOSES).meta({
  id: 'SecretPurpose',
  description: 'WEBHOOK signs reports in both directions, SSO tokens that sign users in.',
});

const CODE = /^[a-z][a-z0-9-]{1,39}$/;

const code = () =>
  z.string().regex(CODE, 'must be 2 to 40 small letters, digits and hyphens, beginning with a letter');

/** The path parameters of one provider. */
export const oneProvider = z.object({
  code: identifying(
    z
      .string()
      .regex(/^[a-z0-9-]{1,40}$/, 'must be a code like alpha')
      .meta({ description: 'The code of the provider.', example: 'alpha' }),
    'investment provider',
  ),
});

const fields = {
  name: text({ min: 1, max: 100 }).meta({
    description: 'Its name, as people read it.',
    example: 'Gamma Capital',
  }),
  apiBase: text({ min: 1, max: 500 }).nullish().meta({
    description: 'The https address of its API, which must be public; its path stays. Null: it has none.',
    example: 'https://gamma.example/api',
  }),
  ssoAudience: z
    .string()
    .regex(/^[\x21-\x7e]{1,200}$/, 'must be 1 to 200 printable ASCII characters without spaces')
    .nullish()
    .meta({
      description: 'The audience of the tokens that sign users in there. Null: it takes none.',
      example: 'gamma.example',
    }),
  ssoUrl: text({ min: 1, max: 500 }).nullish().meta({
    description:
      'The https address that users are led to with a token, which must be public. Null: `/sso` below `apiBase`.',
    example: 'https://gamma.example/sign-in',
  }),
  limit: z.int().min(1).max(1_000_000).nullish().meta({
    description: 'Signed reports that it may send in a minute. Null: the number of the policy.',
    example: 600,
  }),
};

/** A provider as an administrator sends it. */
export const ProviderRequest = z
  .object({
    code: code().meta({ description: 'Its name in addresses; it stays for good.', example: 'gamma' }),
    ...fields,
    isActive: z
      .boolean()
      .default(true)
      .describe('False: nobody is signed in there, and its strategies take no new participations.'),
  })
  .meta({ id: 'ProviderRequest' });

/** A change of a provider, as an administrator sends it: a field that is left out stays, null clears an optional one. */
export const ProviderChange = z
  .object({
    ...fields,
    isActive: z
      .boolean()
      .describe('False: nobody is signed in there, and its strategies take no new participations.'),
  })
  .partial()
  .meta({ id: 'ProviderChange', example: { name: 'Alpha Capital', isActive: true } });

const Secret = z
  .object({
    purpose: SecretPurposeField.describe(
      'WEBHOOK signs reports in both directions, SSO the tokens that sign users in there.',
    ),
    createdAt: z.iso.datetime().describe('When the secret was made.'),
    validUntil: z.iso
      .datetime()
      .nullable()
      .describe('Until when it is accepted; null for the one that signs now.'),
  })
  .meta({ id: 'ProviderSecret' });

export const AdminProvider = z
  .object({
    code: z.string().describe('Names it in addresses; it stays for good.'),
    name: z.string().describe('Its name, as people read it.'),
    apiBase: z.string().nullable().describe('The https address of its API; null if it has none.'),
    ssoAudience: z
      .string()
      .nullable()
      .describe('The audience of the tokens that sign users in there; null if it takes none.'),
    ssoUrl: z
      .string()
      .nullable()
      .describe('The https address that users are led to with a token; null: `/sso` below `apiBase`.'),
    limit: z
      .int()
      .nullable()
      .describe('Signed reports that it may send in a minute; null: the usual number.'),
    isActive: z
      .boolean()
      .describe('False: nobody is signed in there, and its strategies take no new participations.'),
    secrets: z.array(Secret).describe('The secrets that are accepted now, without what they are.'),
    owes: OwedField,
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'AdminProvider' });

/** A secret of reports, as its provider is told it once. */
export const webhookSecret = () =>
  z
    .string()
    .regex(/^whsec_[A-Za-z0-9+/]{43}=$/)
    .meta({ example: 'whsec_bWFkZS11cC1mb3ItdGhlLWRvY3VtZW50YXRpb24tMTI=' });

/** A key of sign-in tokens, as its provider is told it once. */
export const ssoKey = () =>
  z
    .string()
    .regex(/^[A-Za-z0-9_-]{43}$/)
    .meta({ example: 'bWFkZS11cC1mb3ItdGhlLWRvY3VtZW50YXRpb24tMTI' });

/** A provider, with the times of those of these secrets, and with those of these debts, that are its own. */
export const providerView = (
  { webhooksPerMinute: limit, createdAt, updatedAt, ...shown }: ProviderRecord,
  secrets: readonly SecretTimes[],
  debts: readonly CountedDebt[],
): z.output<typeof AdminProvider> => ({
  ...shown,
  limit,
  secrets: secrets
    .filter(({ providerCode }) => providerCode === shown.code)
    .map(({ purpose, createdAt: made, validUntil }) => ({
      purpose,
      createdAt: made.toISOString(),
      validUntil: validUntil?.toISOString() ?? null,
    })),
  owes: owedView(debts.filter(({ providerCode }) => providerCode === shown.code)),
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
});
