import type { Attributes } from 'sequelize';
import { execute, firstRow, type Db, type Tx } from '../../sql/query';
import type { PasswordResetRequest as Model } from './password-reset-request.model';

/** The name of an account whose password was forgotten; the account may not exist. */
export type PasswordResetRequest = Pick<Attributes<Model>, 'region' | 'email'>;

/** Stores a request before its process is started. The same id again changes nothing. */
export async function keepPasswordResetRequest(
  db: Db,
  id: string,
  { region, email }: PasswordResetRequest,
): Promise<void> {
  await execute(
    db,
    `INSERT INTO password_reset_requests (id, region, email, created_at) VALUES ($1, $2, $3, now())
     ON CONFLICT (id) DO NOTHING`,
    [id, region, email],
  );
}

/** Deletes the request and returns it, to carry it out in this transaction; null if that was done before. */
export async function takePasswordResetRequest(tx: Tx, id: string): Promise<PasswordResetRequest | null> {
  return firstRow<PasswordResetRequest>(
    tx,
    'DELETE FROM password_reset_requests WHERE id = $1 RETURNING region, email',
    [id],
  );
}
