import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import { chmod, readFile, rename, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { codeOf } from '../failure';

const Secrets = z.object({
  JWT_KEYS: z.string(),
  SANDBOX_SECRET: z.string(),
  /** Of the embedded server's superuser, who owns the schema. */
  DATABASE_PASSWORD: z.string(),
  /** Of the role that API and workers sign in as. */
  DATABASE_PROGRAM_PASSWORD: z.string(),
  SEALING_KEYS: z.string(),
});

export type Secrets = z.output<typeof Secrets>;

const KEY_BYTES = 32;
const PASSWORD_BYTES = 24;

/** A private ES256 key; its id is its own thumbprint (RFC 7638), so that it never names another key. */
function signingKey() {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = privateKey.export({ format: 'jwk' });
  const { crv, kty, x, y } = jwk;
  const kid = createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url');
  return { ...jwk, kid, alg: 'ES256', use: 'sig' };
}

const makeSecrets = (): Secrets => ({
  JWT_KEYS: JSON.stringify([signingKey()]),
  SANDBOX_SECRET: `whsec_${randomBytes(KEY_BYTES).toString('base64')}`,
  DATABASE_PASSWORD: randomBytes(PASSWORD_BYTES).toString('base64url'),
  DATABASE_PROGRAM_PASSWORD: randomBytes(PASSWORD_BYTES).toString('base64url'),
  SEALING_KEYS: `${randomBytes(4).toString('hex')}:${randomBytes(KEY_BYTES).toString('base64')}`,
});

/**
 * This machine's secrets, made at the first start. Throws when the file is damaged: new ones would make what the old ones
 * have encrypted unreadable for good. The caller holds the data directory's lock.
 */
export async function loadSecrets(file: string): Promise<Secrets> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return writeSecrets(file, makeSecrets());
  await chmod(file, 0o600);
  return parseSecrets(text, file);
}

/** The secrets of a file. Throws when there is none, or it is damaged. */
export async function readSecrets(file: string): Promise<Secrets> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw error;
    throw new Error(`${file} is not there.`);
  });
  return parseSecrets(text, file);
}

async function writeSecrets(file: string, secrets: Secrets): Promise<Secrets> {
  await writeFile(`${file}.new`, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
  return secrets;
}

function parseSecrets(text: string, file: string): Secrets {
  try {
    return Secrets.parse(JSON.parse(text));
  } catch (error) {
    throw new Error(
      `${file} is damaged. Put a copy of it back; or erase all data of this machine with \`npm run reset\`.`,
      { cause: error },
    );
  }
}
