import {
  createProvider,
  type NewSecrets,
  type ProviderFields,
} from '../../../../db/investment/provider/provider.writes';
import { recordSignIn } from '../../../../db/investment/provider/provider-sign-in.writes';
import { keysOf } from '../../../../db/sealing/keys-of';
import type { Db } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { nextNumber } from './insert';

/** Leads a user to a provider, as POST sso-redirect does, so that it may report investments of theirs. */
export const signedIn = (db: Db, providerCode: string, userId: string): Promise<void> =>
  recordSignIn(db, { providerCode, userId, at: new Date() });

/** A provider, with its secrets as it was given them. */
export type MadeProvider = NewSecrets & { code: string; name: string };

/** An investment provider with its secrets, by default one that is set up for everything. */
export async function provider(
  db: Db,
  options: Partial<ProviderFields> & { code?: string; at?: Date } = {},
): Promise<MadeProvider> {
  const n = nextNumber();
  const { code = `provider-${n}`, name = `Provider ${n}`, at = new Date(), ...fields } = options;
  const secrets = await inTransaction(db, (tx) =>
    createProvider(
      tx,
      keysOf(db),
      {
        ...{ code, name, apiBase: `https://${code}.example/api`, ssoAudience: `${code}.example` },
        ...{ ssoUrl: null, webhooksPerMinute: null, isActive: true, ...fields },
      },
      at,
    ),
  );
  if (!secrets) throw new Error(`There is a provider ${code} already.`);
  return { code, name, ...secrets };
}
