import { execute, type Tx } from '../../sql/query';

/** A person whose identity another provider confirms. */
export interface ExternalPerson {
  issuer: string;
  subject: string;
  region: string;
  /** In lower case; the provider has verified it. */
  email: string;
  firstName: string;
  lastName: string;
  /** The partner who referred them. */
  sponsorId: string | null;
}

/**
 * Adds an account for a person who signs in elsewhere, with its link to the provider. It is ACTIVE at once, since its
 * address is verified. Violates `users_region_email_key` or `external_accounts_pkey` if there is such an account.
 */
export async function addExternalUser(tx: Tx, id: string, person: ExternalPerson): Promise<void> {
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
}
