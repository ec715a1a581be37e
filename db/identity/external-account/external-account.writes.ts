import { violates } from '../../sql/errors';
import { convertTouch } from '../../partners/referral-touch.writes';
import { execute, type Db } from '../../sql/query';
import { inTransaction } from '../../sql/transaction';

/** Somebody whom another provider vouches for. */
export interface ExternalPerson {
  issuer: string;
  subject: string;
  region: string;
  /** In lower case; the provider has verified it. */
  email: string;
  firstName: string;
  lastName: string;
  /** The partner who brought them, and the visit that it is known by. */
  sponsorId: string | null;
  touchId: string | null;
}

/**
 * Makes an account of somebody who signs in elsewhere. Their address is verified, so there is nothing to wait for: the
 * account begins ACTIVE. 'taken': there is an account of that address, which is never handed over for an address alone;
 * or the same person did the same at the same moment.
 */
export async function addExternalUser(
  db: Db,
  id: string,
  person: ExternalPerson,
): Promise<'added' | 'taken'> {
  try {
    return await inTransaction(db, async (tx) => {
      await execute(
        tx,
        `INSERT INTO users (id, region, email, status, first_name, last_name, kyc_level, email_verified_at,
           sponsor_id, created_at, updated_at)
         VALUES ($1, $2, $3, 'ACTIVE', $4, $5, 'BASIC', now(), $6, now(), now())`,
        [id, person.region, person.email, person.firstName, person.lastName, person.sponsorId],
      );
      await execute(
        tx,
        `INSERT INTO external_accounts (issuer, subject, user_id, created_at) VALUES ($1, $2, $3, now())`,
        [person.issuer, person.subject, id],
      );
      if (person.sponsorId !== null && person.touchId !== null)
        await convertTouch(tx, person.touchId, id, new Date());
      return 'added' as const;
    });
  } catch (error) {
    if (violates(error, 'users_region_email_key') || violates(error, 'external_accounts_pkey'))
      return 'taken';
    throw error;
  }
}
