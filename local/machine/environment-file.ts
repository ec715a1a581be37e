import { rename, writeFile } from 'node:fs/promises';
import { TLS_VARIABLES } from '../../db/sql/environment/temporal';

/** The variables that commands next to the platform need. */
const NAMES = [
  'DATABASE_URL',
  'TEMPORAL_ADDRESS',
  'TEMPORAL_NAMESPACE',
  'SEALING_KEYS',
  'SANDBOX_SECRET',
  'BLOB_DIR',
  'PUBLIC_URL',
] as const;

/** A value that a shell reads as it is, whatever signs it has. */
const quoted = (value: string): string => `'${value.replaceAll("'", `'\\''`)}'`;

/** Writes the variables by which `npm run invariants` and `npm run admins` reach this platform, for its owner only. */
export async function writeEnvironmentFile(file: string, env: NodeJS.ProcessEnv): Promise<void> {
  // Temporal's own command does not take an empty TEMPORAL_TLS.
  const names = [...NAMES, ...TLS_VARIABLES.filter((name) => env[name] !== undefined)];
  const lines = names.map((name) => `${name}=${quoted(env[name] ?? '')}\n`);
  await writeFile(`${file}.new`, lines.join(''), { mode: 0o600 });
  await rename(`${file}.new`, file);
}
