import path from 'node:path';
import { parseArgs } from 'node:util';
import { loadDotEnv, readLocalConfig } from '../config';
import { messageOf } from '../failure';
import { restoreBackup } from './restore-backup';

const USAGE = `Restores a backup into DATA_DIR, which must be new or empty; \`npm start\` goes on from there.
  npm run restore -- --secrets=FILE FOLDER    with secrets.json of the machine that the backup was made on
  npm run restore -- FOLDER                   with its sealing keys in SEALING_KEYS
`;

interface Order {
  folder: string;
  secretsFile: string | undefined;
}

/** Undefined for what the usage does not have. */
function orderIn(args: string[]): Order | undefined {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { secrets: { type: 'string' } },
    });
    const [folder, ...others] = positionals;
    if (folder === undefined || others.length > 0) return undefined;
    return { folder: path.resolve(folder), secretsFile: values.secrets };
  } catch {
    return undefined;
  }
}

async function restore({ folder, secretsFile }: Order): Promise<void> {
  loadDotEnv();
  const config = readLocalConfig();
  const log = (line: string) => {
    console.log(line);
  };
  const { madeAt } = await restoreBackup({ folder, secretsFile, config, log });
  log(
    `${config.DATA_DIR}: as it was at ${madeAt}. Before \`npm start\`: workers/OPERATING.md, "After a restore".`,
  );
}

const order = orderIn(process.argv.slice(2));
if (order === undefined) {
  console.error(USAGE);
  process.exitCode = 2;
} else
  restore(order).catch((error: unknown) => {
    console.error(messageOf(error));
    process.exitCode = 1;
  });
