import { refuseDemoAdministrators } from '../db/schema/seed/demo-administrators';
import type { Db } from '../db/sql/query';
import { guardStart } from '../db/schema/start-guard';

/**
 * Production serves no database in which a demo password opens an administrator. Rejects with DemoAdministratorError
 * if that is known at once; else `fail` is told later.
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
