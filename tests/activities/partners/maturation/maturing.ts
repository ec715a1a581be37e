import { MockActivityEnvironment } from '@temporalio/testing';
import { maturationActivities } from '../../../../activities/partners/maturation/maturation.activities';
import { firstRow, type Db } from '../../../../db/sql/query';
import type { MaturedBatches } from '../../../../workflows/partners/maturation/commission-maturation.contract';

const DAY_MS = 24 * 3_600_000;
export const now = new Date();
export const ago = (days: number): Date => new Date(now.getTime() - days * DAY_MS);

type Due = { at: string; after: MaturedBatches['after'] };

/** One turn of the daily job. */
export const matureDue = (
  db: Db,
  {
    after = null,
    batch = 2,
    turnMs = 60_000,
  }: { after?: Due['after']; batch?: number; turnMs?: number } = {},
): Promise<MaturedBatches> =>
  new MockActivityEnvironment().run<[Due], MaturedBatches, (due: Due) => Promise<MaturedBatches>>(
    maturationActivities({ longDb: db, policy: { commissionBatch: batch }, turnMs }).matureDueCommissions,
    { at: now.toISOString(), after },
  );

export const commissionStatus = async (db: Db, id: string): Promise<string | undefined> =>
  (await firstRow<{ status: string }>(db, 'SELECT status FROM partner_commissions WHERE id = $1', [id]))
    ?.status;
