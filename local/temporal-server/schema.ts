import { runTool } from '../toolchain/run-tool';
import { visibilityDatabase, type PostgresAddress } from './configuration';

const TIMEOUT_MS = 5 * 60_000;

interface Schema {
  sqlTool: string;
  postgres: PostgresAddress;
  database: string;
}

/**
 * Makes Temporal's two databases and migrates their schemas to the server's version; existing data stay.
 * Throws with the tool's last output.
 */
export async function setUpSchema({ sqlTool, postgres, database }: Schema): Promise<void> {
  const env = {
    SQL_PLUGIN: 'postgres12',
    SQL_HOST: postgres.host,
    SQL_PORT: String(postgres.port),
    SQL_USER: postgres.user,
    SQL_PASSWORD: postgres.password,
  };
  const schemas = [
    { name: database, kind: 'temporal' },
    { name: visibilityDatabase(database), kind: 'visibility' },
  ];
  for (const { name, kind } of schemas) {
    const run = (...args: string[]) =>
      runTool({ command: sqlTool, args: ['--db', name, ...args], env, timeoutMs: TIMEOUT_MS });
    await run('create');
    await run('setup-schema', '-v', '0.0');
    await run('update-schema', '--schema-name', `postgresql/v12/${kind}`);
  }
}
