import { v7 } from 'uuid';
import {
  addExternalUser,
  type ExternalPerson,
} from '../../../db/identity/external-account/external-account.writes';
import { convertTouch } from '../../../db/partners/link/referral-touch.writes';
import { violates } from '../../../db/sql/errors';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';

/**
 * Opens an account for a person who signs in elsewhere. Does nothing if their address or identity has an account, also
 * one that a concurrent request has just opened: an account is never handed over for an address alone.
 */
export async function openExternalAccount(
  db: Db,
  person: ExternalPerson & { touchId: string | null },
): Promise<void> {
  const id = v7();
  try {
    await inTransaction(db, async (tx) => {
      await addExternalUser(tx, id, person);
      if (person.sponsorId !== null && person.touchId !== null)
        await convertTouch(tx, person.touchId, id, new Date());
    });
  } catch (error) {
    if (!violates(error, 'users_region_email_key') && !violates(error, 'external_accounts_pkey')) throw error;
  }
}
