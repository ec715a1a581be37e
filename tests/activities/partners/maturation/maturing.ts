import { randomUUID } from 'node:crypto';
import { runJob } from '../../../../activities/administration/job/run-job';
import { maturationWork } from '../../../../activities/partners/maturation/mature-commissions';
import { firstRow, type Db } from '../../../../db/sql/query';
import { commissionMaturation } from '../../../../workflows/partners/maturation/commission-maturation.job';

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
  {
    batch = 2,
    turnMs = 60_000,
    due = randomUUID(),
    at = now.toISOString(),
    signal = new AbortController().signal,
  }: { batch?: number; turnMs?: number; due?: string; at?: string; signal?: AbortSignal } = {},
): Promise<Matured> {
  const works = { [commissionMaturation.id]: maturationWork({ commissionBatch: batch }) };
  const turn = { job: commissionMaturation.id, due, at };
  const { done, isDone } = await runJob({ longDb: db, works, turnMs }, turn, signal);
  return { matured: done, isDone };
}

export const commissionStatus = async (db: Db, id: string): Promise<string | undefined> =>
  (await firstRow<{ status: string }>(db, 'SELECT status FROM partner_commissions WHERE id = $1', [id]))
    ?.status;
