import { beginRestore, releaseRestores } from '../../../../db/administration/restore/restore.writes';
import type { TestDatabase } from '../../servers/database';

type Restorable = Pick<TestDatabase, 'db' | 'owner'>;

/** Says that the database was restored from a copy that is now a minute old; answers what releases it. */
export async function restored({ db, owner }: Restorable): Promise<() => Promise<number>> {
  expect(await beginRestore(owner, new Date(Date.now() - 60_000))).toBe(true);
  return () => releaseRestores(db, { releasedBy: 'Ada', note: 'Compared.' });
}
