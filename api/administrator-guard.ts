import { refuseDemoAdministrators } from '../db/schema/seed/demo-administrators';
import type { Db } from '../db/sql/query';
import { guardStart } from '../db/program/start-guard';

/**
 * Refuses to serve a database in which an administrator has a demo password. Rejects with DemoAdministratorError if the
 * database answers at once; if it is unavailable, checks again later and calls `fail` with the error.
 */
export const guardAdministrators = (
  db: Db,
  log: Parameters<typeof guardStart>[1],
  fail: (error: unknown) => void,
  retryMs?: number,
): Promise<void> =>
  guardStart(
    {
      check: () => refuseDemoAdministrators(db),
      unknownMessage: 'administrators are not checked for demo passwords yet',
    },
    log,
    fail,
    retryMs,
  );
