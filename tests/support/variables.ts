import { generateKeyPairSync } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What a platform under test is configured with; limits are so wide that only tests of limits meet them. */
export type Variables = Readonly<Record<string, string>>;

const signingKey = {
  kid: 'test',
  ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }),
};

export const testVariables: Variables = {
  NODE_ENV: 'test',
  JWT_KEYS: JSON.stringify([signingKey]),
  SEALING_KEYS: `test:${Buffer.alloc(32, 8).toString('base64')}`,
  SANDBOX_SECRET: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
  RATE_LIMIT_SCALE: '1000',
  // Each has forty waiting for it: races of a hundred are let in.
  PASSWORD_CHECKS_AT_ONCE: '4',
  BLOB_DIR: join(tmpdir(), 'blobs-of-tests'),
  LOG_LEVEL: process.env['TEST_LOG_LEVEL'] ?? 'silent',
};

/** For the few places that read their variables when they are first needed and not when the platform is put together. */
export function setVariables(variables: Variables): void {
  Object.assign(process.env, variables);
}
