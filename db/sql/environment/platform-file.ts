import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { loadEnvFile } from 'node:process';
import { environment } from '../config';

/**
 * Takes the variables that `npm start` wrote for commands, where the environment names no database. For commands that
 * only read: one that changes something is told its database.
 */
export function loadPlatformFile(): void {
  const { DATABASE_URL, DATA_DIR = '.data' } = environment();
  const file = join(DATA_DIR, 'platform.env');
  if (DATABASE_URL === undefined && existsSync(file)) loadEnvFile(file);
}
