import type { Attributes } from 'sequelize';
import type { Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { DIFFERENCE_COLUMNS, type DifferenceRow } from './reconciliation.reads';
import { ReconciliationDifference } from './reconciliation-difference.model';

/** A difference, locked until the transaction ends; null when there is none. */
export const lockDifference = (tx: Tx, id: string): Promise<DifferenceRow | null> =>
  table(tx, ReconciliationDifference).one(DIFFERENCE_COLUMNS, { id }, { lock: 'UPDATE' });

type Resolution = Required<Pick<Attributes<ReconciliationDifference>, 'resolvedAt' | 'resolvedBy' | 'note'>>;

/** Resolves a locked, open difference by the word of a person. */
export async function resolveDifference(tx: Tx, id: string, resolution: Resolution): Promise<void> {
  await table(tx, ReconciliationDifference).update(resolution, { id, resolvedAt: null });
}
