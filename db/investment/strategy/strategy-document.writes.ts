import type { Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { StrategyDocument } from './strategy-document.model';
import type { StoredDocument } from './strategy-document.reads';

export const insertStrategyDocument = (
  tx: Tx,
  strategyId: string,
  document: StoredDocument,
  at: Date,
): Promise<void> => table(tx, StrategyDocument).insert({ ...document, strategyId, createdAt: at });

export async function removeStrategyDocument(tx: Tx, id: string): Promise<void> {
  await table(tx, StrategyDocument).remove({ id });
}
