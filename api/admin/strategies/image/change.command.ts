import { audited } from '../../../../db/administration/audit/audit.writes';
import { claimBlobs, discardBlobs } from '../../../../db/blobs/discarded.writes';
import { addMedia, removeMedia, type StoredPicture } from '../../../../db/identity/media/media.writes';
import { setStrategyPicture } from '../../../../db/investment/strategy/administered-strategy.writes';
import type { Db } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { refusal } from '../../../../workflows/errors';
import type { Actor } from '../../actor';
import { requireStrategy } from '../strategy.requirements';

export interface ChangedPicture {
  at: Date;
  /** The blobs to delete after the commit. */
  unusedBlobs: string[];
}

/**
 * Sets the picture of a strategy, whose bytes are stored already, or removes it (null). Refused: STRATEGY_NOT_FOUND;
 * IMAGE_NOT_FOUND where there is none to remove.
 */
export function changePicture(
  db: Db,
  id: string,
  picture: (StoredPicture & { url: string }) | null,
  by: Actor,
): Promise<ChangedPicture> {
  return inTransaction(db, async (tx) => {
    const { imageUrl: previousUrl, imageMediaName: previousName } = await requireStrategy(tx, id);
    if (!picture && previousUrl === null) throw refusal('IMAGE_NOT_FOUND');
    const at = new Date();
    if (picture) {
      await claimBlobs(tx, [picture.name]);
      await addMedia(tx, { purpose: 'STRATEGY', ownerId: null }, [picture]);
    }
    const imageUrl = picture?.url ?? null;
    await setStrategyPicture(tx, id, { imageUrl, imageMediaName: picture?.name ?? null }, at);
    const unusedBlobs = previousName === null ? [] : [previousName];
    await removeMedia(tx, unusedBlobs);
    await discardBlobs(tx, unusedBlobs);
    await audited(tx, { ...by, at }, 'strategy.change-image', id, { imageUrl: previousUrl }, { imageUrl });
    return { at, unusedBlobs };
  });
}
