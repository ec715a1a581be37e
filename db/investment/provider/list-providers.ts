import { databaseConfig } from '../../sql/config';
import { connect } from '../../sql/connection';
import { loadPlatformFile } from '../../sql/environment/platform-file';
import { sealingKeys } from '../../sealing/config';
import { keysOf } from '../../sealing/keys-of';
import type { Db } from '../../sql/query';
import { allProviders, providerSecrets, type ProviderRecord } from './provider.reads';

/**
 * Prints every investment provider as one JSON object a line, with its webhook secrets in plain text: for operators who set one
 * up. Returns the exit code; 2: wrong configuration, the database was unreachable, or a secret does not open.
 */
export async function listProviderSecrets(write: (text: string) => void, at = new Date()): Promise<0 | 2> {
  try {
    const db = connect({ ...databaseConfig(), DATABASE_POOL_MAX: 2 }, 'providers', undefined, {
      keys: sealingKeys(),
    });
    try {
      for (const provider of await allProviders(db))
        write(`${JSON.stringify(await shown(db, provider, at))}\n`);
      return 0;
    } finally {
      await db.sequelize.close();
    }
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    return 2;
  }
}

/** A provider with the webhook secrets that are accepted now, the newest first. */
async function shown(db: Db, { code, name, apiBase, ssoAudience }: ProviderRecord, at: Date) {
  const webhookSecrets = await providerSecrets(db, keysOf(db), code, 'WEBHOOK', at);
  return { code, name, apiBase, ssoAudience, webhookSecrets };
}

if (require.main === module) {
  loadPlatformFile();
  void listProviderSecrets((text) => process.stdout.write(text)).then((code) => {
    process.exitCode = code;
  });
}
