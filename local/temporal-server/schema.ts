import { runTool } from '../toolchain/run-tool';
import { visibilityDatabase, type PostgresAddress } from './configuration';

const limitMs = 5 * 60_000;

interface Schema {
  sqlTool: string;
  postgres: PostgresAddress;
  database: string;
}

/**
 * Makes Temporal's two databases and brings their schemas up to the server's version. What is there already stays.
 * Throws with the tool's last words.
 */
export const setUpSchema = async ({ sqlTool, postgres, database }: Schema): Promise<void> => {
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
      runTool({ command: sqlTool, args: ['--db', name, ...args], env, timeoutMs: limitMs });
    await run('create');
    await run('setup-schema', '-v', '0.0');
    await run('update-schema', '--schema-name', `postgresql/v12/${kind}`);
  }
};
