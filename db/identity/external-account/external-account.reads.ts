import type { Db } from '../../sql/query';
import { table } from '../../sql/table';
import { ExternalAccount } from './external-account.model';

/** The account linked to this subject of another provider, else null. */
export async function userOfExternal(db: Db, issuer: string, subject: string): Promise<string | null> {
  const account = await table(db, ExternalAccount).one(['userId'], { issuer, subject });
  return account?.userId ?? null;
}
