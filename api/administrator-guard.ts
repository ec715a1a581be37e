import { setTimeout as pause } from 'node:timers/promises';
import { DemoAdministratorError, refuseDemoAdministrators } from '../db/seed/demo-administrators';
import type { Db } from '../db/sql';

/** As much of a log as is needed. */
interface WarningLog {
  warn: (facts: object, message: string) => void;
}

const RETRY_MS = 5_000;

/**
 * Production serves no database in which a demo password opens an administrator. Rejects with DemoAdministratorError
 * if that is known at once. A database that cannot be asked yet is asked again until it answers, and `fail` is told.
 */
export async function guardAdministrators(
  db: Db,
  log: WarningLog,
  fail: (error: unknown) => void,
  retryMs = RETRY_MS,
): Promise<void> {
  if (await isChecked(db, log)) return;
  const untilChecked = async (): Promise<void> => {
    do await pause(retryMs, undefined, { ref: false });
    while (!(await isChecked(db, log)));
  };
  untilChecked().catch(fail);
}

async function isChecked(db: Db, log: WarningLog): Promise<boolean> {
  try {
    await refuseDemoAdministrators(db);
    return true;
  } catch (error) {
    if (error instanceof DemoAdministratorError) throw error;
    log.warn({ err: error }, 'administrators are not checked for demo passwords yet');
    return false;
  }
}
