import type { Attributes } from 'sequelize';
import { v7 } from 'uuid';
import { SECRET_PURPOSES, type SecretPurpose } from '../../../workflows/investment/strategy/strategy.rules';
import type { KeyRing } from '../../sealing/key-ring';
import { execute, type Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { newSecret, sealSecret } from './provider-secret';
import { ProviderSecret } from './provider-secret.model';
import { Provider } from './provider.model';

/** The fields of a provider that administrators set. */
export type ProviderFields = Pick<
  Attributes<Provider>,
  'name' | 'apiBase' | 'ssoAudience' | 'ssoUrl' | 'webhooksPerMinute' | 'isActive'
>;

/** The secrets that a provider is given; they are shown once. */
export interface NewSecrets {
  /** Signs reports in both directions: `whsec_` and base64. */
  webhookSecret: string;
  /** Signs the tokens that sign users in at the provider: base64url. */
  ssoKey: string;
}

/** Adds a provider and makes its secrets; null, with nothing done, if the code is taken. */
export async function createProvider(
  tx: Tx,
  keys: KeyRing,
  { code, ...fields }: ProviderFields & { code: string },
  at: Date,
): Promise<NewSecrets | null> {
  const { name, apiBase, ssoAudience, ssoUrl, webhooksPerMinute, isActive } = fields;
  const added = await execute(
    tx,
    `INSERT INTO investment_providers (code, name, api_base, sso_audience, sso_url, webhooks_per_minute, is_active, connected_at,
         created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8, $8) ON CONFLICT (code) DO NOTHING`,
    [code, name, apiBase, ssoAudience, ssoUrl, webhooksPerMinute, isActive, at],
  );
  if (added === 0) return null;
  const [webhookSecret, ssoKey] = SECRET_PURPOSES.map(newSecret) as [string, string];
  await addSecret(tx, keys, { code, purpose: 'WEBHOOK', secret: webhookSecret }, at);
  await addSecret(tx, keys, { code, purpose: 'SSO', secret: ssoKey }, at);
  return { webhookSecret, ssoKey };
}

const INTERNAL = 'internal';

/**
 * The code of the platform itself as the provider of strategies that no other company runs, which is added where it is missing:
 * without an address and without secrets, so that it reports nothing and signs nobody in.
 */
export async function internalProvider(tx: Tx, at: Date): Promise<string> {
  await execute(
    tx,
    `INSERT INTO investment_providers (code, name, connected_at, created_at, updated_at)
     VALUES ($1, 'Own strategies', $2, $2, $2) ON CONFLICT (code) DO NOTHING`,
    [INTERNAL, at],
  );
  return INTERNAL;
}

/** Changes a provider that the caller has locked. One that is not connected is connected at this time at the earliest. */
export async function updateProvider(
  tx: Tx,
  code: string,
  changes: Partial<ProviderFields>,
  at: Date,
): Promise<void> {
  await execute(
    tx,
    'UPDATE investment_providers SET connected_at = $2 WHERE code = $1 AND NOT (is_active AND api_base IS NOT NULL)',
    [code, at],
  );
  await table(tx, Provider).update({ ...changes, updatedAt: at }, { code });
}

/**
 * Makes the secret that is used from now on. The one before it is accepted until `untilThen`, null: not any more; older
 * ones are deleted. The caller has locked the provider.
 */
export async function replaceSecret(
  tx: Tx,
  keys: KeyRing,
  { code, purpose, untilThen }: { code: string; purpose: SecretPurpose; untilThen: Date | null },
  at: Date,
): Promise<string> {
  await execute(
    tx,
    `DELETE FROM investment_provider_secrets
      WHERE provider_code = $1 AND purpose = $2 AND (valid_until IS NOT NULL OR $3::timestamptz IS NULL)`,
    [code, purpose, untilThen],
  );
  await table(tx, ProviderSecret).update(
    { validUntil: untilThen },
    { providerCode: code, purpose, validUntil: null },
  );
  const secret = newSecret(purpose);
  await addSecret(tx, keys, { code, purpose, secret }, at);
  return secret;
}

async function addSecret(
  tx: Tx,
  keys: KeyRing,
  { code, purpose, secret }: { code: string; purpose: SecretPurpose; secret: string },
  at: Date,
): Promise<void> {
  const id = v7();
  await table(tx, ProviderSecret).insert({
    id,
    providerCode: code,
    purpose,
    secret: sealSecret(keys, id, secret),
    createdAt: at,
    validUntil: null,
  });
}
