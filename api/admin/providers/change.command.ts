import { audited } from '../../../db/administration/audit/audit.writes';
import { changedFields } from '../../../db/administration/audit/changed-fields';
import { lockProvider, type ProviderRecord } from '../../../db/investment/provider/provider.reads';
import { updateProvider, type ProviderFields } from '../../../db/investment/provider/provider.writes';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type { Actor } from '../actor';
import { noSuchProvider } from './no-such-provider';

/** Changes the fields that are sent. Refused: PROVIDER_NOT_FOUND. Changes that make no difference are not recorded. */
export function changeProvider(
  db: Db,
  code: string,
  changes: Partial<ProviderFields>,
  by: Actor,
): Promise<ProviderRecord> {
  return inTransaction(db, async (tx) => {
    const before = await lockProvider(tx, code);
    if (!before) throw noSuchProvider();
    const after = { ...before, ...changes };
    const changed = changedFields(before, after);
    if (!changed) return before;
    const at = new Date();
    await updateProvider(tx, code, changes, at);
    await audited(tx, { ...by, at }, 'provider.update', code, before, after);
    return { ...after, updatedAt: at };
  });
}
