import { generateKeyPairSync } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KeyRing } from '../../../db/sealing/key-ring';

/** The configuration of a platform under test; its limits are so wide that only tests of limits reach them. */
export type Variables = Readonly<Record<string, string>>;

/** The password of the database role of programs, which nearly all tests use too. */
export const PROGRAM_PASSWORD = 'programs';

const signingKey = {
  kid: 'test',
  ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }),
};

const sealingKey = Buffer.alloc(32, 8);

/** The keys of `testVariables`. */
export const testKeys = new KeyRing([{ id: 'test', key: sealingKey }]);

export const testVariables: Variables = {
  NODE_ENV: 'test',
  JWT_KEYS: JSON.stringify([signingKey]),
  SEALING_KEYS: `test:${sealingKey.toString('base64')}`,
  SANDBOX_SECRET: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
  RATE_LIMIT_SCALE: '1000',
  // Forty may wait for each: races of a hundred are let in.
  PASSWORD_CHECKS_AT_ONCE: '4',
  BLOB_DIR: join(tmpdir(), 'blobs-of-tests'),
  BANK_FILE_DEBTOR_NAME: 'Demo Shop',
  BANK_FILE_DEBTOR_IBAN: 'DE02120300000000202051',
  BANK_FILE_DEBTOR_BIC: 'BYLADEM1001',
  LOG_LEVEL: process.env['TEST_LOG_LEVEL'] ?? 'silent',
};

/** The usual variables with these; empty ones are left out, as programs leave them out of their environment. */
export const usualWith = (variables: Variables): Variables =>
  Object.fromEntries(Object.entries({ ...testVariables, ...variables }).filter(([, value]) => value !== ''));

/** Sets them for the few modules that read the environment when they are first used. */
export function setVariables(variables: Variables): void {
  Object.assign(process.env, variables);
}
