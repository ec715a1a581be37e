import { audited } from '../../../../db/administration/audit/audit.writes';
import { claimBlobs } from '../../../../db/blobs/discarded.writes';
import { addDocumentMedia } from '../../../../db/identity/media/media.writes';
import { updateStrategy } from '../../../../db/investment/strategy/administered-strategy.writes';
import { documentsOf, type StoredDocument } from '../../../../db/investment/strategy/strategy-document.reads';
import { insertStrategyDocument } from '../../../../db/investment/strategy/strategy-document.writes';
import type { Db } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { businessRefusal } from '../../../../workflows/errors';
import type { Actor } from '../../actor';
import { requireStrategy } from '../strategy.requirements';

/** All of them are shown on one page. */
export const MOST_DOCUMENTS = 20;

/** A document whose bytes are stored already. */
export type NewDocument = Pick<StoredDocument, 'id' | 'type' | 'name' | 'url'> & {
  mediaName: string;
  bytes: number;
};

/** Adds a document after the others. Refused: STRATEGY_NOT_FOUND, and VALIDATION_ERROR for more than a page can show. */
export function addStrategyDocument(
  db: Db,
  strategyId: string,
  { bytes, ...document }: NewDocument,
  by: Actor,
): Promise<StoredDocument> {
  return inTransaction(db, async (tx) => {
    await requireStrategy(tx, strategyId);
    const others = await documentsOf(tx, strategyId);
    if (others.length >= MOST_DOCUMENTS)
      throw businessRefusal('TOO_MANY_DOCUMENTS', `A strategy can have at most ${MOST_DOCUMENTS} documents.`);
    const at = new Date();
    await claimBlobs(tx, [document.mediaName]);
    await addDocumentMedia(tx, { name: document.mediaName, bytes });
    const added = { ...document, position: (others.at(-1)?.position ?? -1) + 1 };
    await insertStrategyDocument(tx, strategyId, added, at);
    await updateStrategy(tx, strategyId, {}, at);
    const { id: documentId, type, name, url } = document;
    await audited(tx, { ...by, at }, 'strategy.add-document', strategyId, null, {
      documentId,
      type,
      name,
      url,
    });
    return added;
  });
}
