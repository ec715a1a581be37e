import { discardReport } from '../../../../api/admin/webhook-events/discard.command';
import type { Db } from '../../../../db/sql/query';
import { make } from '../make';

/** Discards a stored report as an administrator does; answers 'DISCARDED' or the reason of the refusal. */
export async function discard(db: Db, id: string, reason = 'It is wrong.'): Promise<string> {
  const { id: actorId } = await make.admin(db);
  const by = { actorId, clientAddress: '127.0.0.1' };
  try {
    await discardReport({ db, conclude: () => Promise.resolve() }, { id, reason }, by);
    return 'DISCARDED';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
