import { maturationWork } from '../../../../activities/partners/maturation/mature-commissions';
import { firstRow, type Db } from '../../../../db/sql/query';
import { takeTurn } from '../../administration/job/take-turn';

const DAY_MS = 24 * 3_600_000;
export const now = new Date();
export const ago = (days: number): Date => new Date(now.getTime() - days * DAY_MS);

export interface Matured {
  /** In the whole run. */
  matured: number;
  isDone: boolean;
}

/** One turn of the daily job; of a new run, unless one is named. */
export async function matureDue(
  db: Db,
  { batch = 2, at = now.toISOString(), ...turn }: { batch?: number } & Parameters<typeof takeTurn>[2] = {},
): Promise<Matured> {
  const work = maturationWork({ commissionBatch: batch });
  const { done, isDone } = await takeTurn(db, work, { at, ...turn });
  return { matured: done, isDone };
}

export const commissionStatus = async (db: Db, id: string): Promise<string | undefined> =>
  (await firstRow<{ status: string }>(db, 'SELECT status FROM partner_commissions WHERE id = $1', [id]))
    ?.status;
