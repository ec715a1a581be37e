import { audited } from '../../../../db/administration/audit/audit.writes';
import { discardBlobs } from '../../../../db/blobs/discarded.writes';
import { removeMedia } from '../../../../db/identity/media/media.writes';
import { updateStrategy } from '../../../../db/investment/strategy/administered-strategy.writes';
import { documentsOf } from '../../../../db/investment/strategy/strategy-document.reads';
import { removeStrategyDocument } from '../../../../db/investment/strategy/strategy-document.writes';
import type { Db } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { refusal } from '../../../../workflows/errors';
import type { Actor } from '../../actor';
import { requireStrategy } from '../strategy.requirements';

/**
 * Removes a document; returns when, and the blobs to delete after the commit. Refused: STRATEGY_NOT_FOUND,
 * DOCUMENT_NOT_FOUND.
 */
export function deleteStrategyDocument(
  db: Db,
  { strategyId, documentId }: { strategyId: string; documentId: string },
  by: Actor,
): Promise<{ deletedAt: Date; unusedBlobs: string[] }> {
  return inTransaction(db, async (tx) => {
    await requireStrategy(tx, strategyId);
    const document = (await documentsOf(tx, strategyId)).find(({ id }) => id === documentId);
    if (!document) throw refusal('DOCUMENT_NOT_FOUND');
    const at = new Date();
    await removeStrategyDocument(tx, documentId);
    const unusedBlobs = document.mediaName === null ? [] : [document.mediaName];
    await removeMedia(tx, unusedBlobs);
    await discardBlobs(tx, unusedBlobs);
    await updateStrategy(tx, strategyId, {}, at);
    const { type, name, url } = document;
    await audited(
      tx,
      { ...by, at },
      'strategy.delete-document',
      strategyId,
      { type, name, url },
      { deletedAt: at },
      { documentId },
    );
    return { deletedAt: at, unusedBlobs };
  });
}
