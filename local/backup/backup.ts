import path from 'node:path';
import { loadDotEnv, readLocalConfig } from '../config';
import { messageOf } from '../failure';
import type { Log } from '../logs/log';
import { acquireLock } from '../processes/lock';
import { makeBackup } from './make-backup';
import { openOrigin } from './origin';

const USAGE = `Backs up the platform of this machine, while it runs or is stopped.
  npm run backup               into a new folder below ./backups, named by the time
  npm run backup -- FOLDER     into this new folder
`;

const log: Log = (line) => {
  console.log(line);
};

const MEGABYTE = 1_000_000;

const defaultFolder = (): string =>
  path.join(
    'backups',
    new Date()
      .toISOString()
      .replace(/\.\d+Z$/, 'Z')
      .replaceAll(':', ''),
  );

/** Fires at the first signal to stop. */
function stopRequested(): AbortSignal {
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(name, () => {
      stop.abort(new Error('Stopped: no backup was made.'));
    });
  return stop.signal;
}

async function backup(folder: string): Promise<void> {
  loadDotEnv();
  const config = readLocalConfig();
  const target = path.resolve(folder);
  const origin = await openOrigin(config, log);
  try {
    const lock = await acquireLock(path.join(origin.data.dir, 'backup.lock'));
    if ('heldBy' in lock) throw new Error(`Another backup is being made, by process ${lock.heldBy.pid}.`);
    try {
      const { files, blobs } = await makeBackup(origin, target, log, stopRequested());
      const bytes = files.reduce((sum, file) => sum + file.bytes, blobs.bytes);
      log(`${target}: ${Math.ceil(bytes / MEGABYTE)} MB, ${blobs.count} files of users`);
      log(
        `The keys are not in it: keep ${origin.data.secretsFile} (or SEALING_KEYS) apart from it. ` +
          `It needs ${origin.keys.keyIds.join(', ')}.`,
      );
    } finally {
      await lock.release();
    }
  } finally {
    await origin.release();
  }
}

const [folder = defaultFolder(), ...others] = process.argv.slice(2);
if (others.length > 0 || folder.startsWith('-')) {
  console.error(USAGE);
  process.exitCode = 2;
} else
  backup(folder).catch((error: unknown) => {
    console.error(messageOf(error));
    process.exitCode = 1;
  });
