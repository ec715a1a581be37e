import type { Attributes } from 'sequelize';
import type { SecretPurpose } from '../../../workflows/investment/strategy/strategy.rules';
import type { KeyRing } from '../../sealing/key-ring';
import { rows, type Db, type Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { openSecret } from './provider-secret';
import type { ProviderSecret } from './provider-secret.model';
import { Provider } from './provider.model';

export type ProviderRecord = Omit<Attributes<Provider>, 'connectedAt'>;

const RECORD = [
  'code',
  'name',
  'apiBase',
  'ssoAudience',
  'ssoUrl',
  'webhooksPerMinute',
  'isActive',
  'createdAt',
  'updatedAt',
] as const;

/** The provider, active or not; null for an unknown code. */
export const providerByCode = (db: Db, code: string): Promise<ProviderRecord | null> =>
  table(db, Provider).one(RECORD, { code });

/** The provider, locked against every other change of it and of its secrets; null for an unknown code. */
export const lockProvider = (tx: Tx, code: string): Promise<ProviderRecord | null> =>
  table(tx, Provider).one(RECORD, { code }, { lock: 'NO_KEY_UPDATE' });

/** One page of the providers, by code. */
export async function listProviders(
  db: Db,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; providers: ProviderRecord[] }> {
  const total = await table(db, Provider).count({});
  const providers = await table(db, Provider).all(RECORD, {}, { order: [['code', 'ASC']], limit, offset });
  return { total, providers };
}

/** Every provider, by code. */
export const allProviders = (db: Db): Promise<ProviderRecord[]> =>
  table(db, Provider).all(RECORD, {}, { order: [['code', 'ASC']] });

/** When a secret was made, and until when it is accepted; null: until it is replaced. */
export type SecretTimes = Pick<
  Attributes<ProviderSecret>,
  'providerCode' | 'purpose' | 'createdAt' | 'validUntil'
>;

/** The secrets of these providers that are accepted at a time, newest first, without what they are. */
export const secretTimes = (db: Db, codes: readonly string[], at: Date): Promise<SecretTimes[]> =>
  rows(
    db,
    `SELECT provider_code, purpose, created_at, valid_until FROM investment_provider_secrets
      WHERE provider_code = ANY ($1) AND (valid_until IS NULL OR valid_until > $2)
      ORDER BY provider_code, purpose, (valid_until IS NULL) DESC, created_at DESC`,
    [codes, at],
  );

/**
 * The secrets of a provider that are accepted at a time, opened, newest first: the first one signs. At most two; none
 * for an unknown provider. Throws Unsealable.
 */
export async function providerSecrets(
  db: Db,
  keys: KeyRing,
  code: string,
  purpose: SecretPurpose,
  at: Date,
): Promise<string[]> {
  const live = await rows<Pick<Attributes<ProviderSecret>, 'id' | 'secret'>>(
    db,
    `SELECT id, secret FROM investment_provider_secrets
      WHERE provider_code = $1 AND purpose = $2 AND (valid_until IS NULL OR valid_until > $3)
      ORDER BY (valid_until IS NULL) DESC, created_at DESC`,
    [code, purpose, at],
  );
  return live.map((row) => openSecret(keys, row));
}
