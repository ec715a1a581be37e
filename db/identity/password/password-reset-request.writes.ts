import { execute, firstRow, type Db, type Tx } from '../../sql/query';

/** Which account's password somebody forgot, if there is one. */
export interface PasswordResetRequest {
  region: string;
  /** Lower case. */
  email: string;
}

/** Keeps a wish before its process is started. The same id again changes nothing. */
export async function keepPasswordResetRequest(
  db: Db,
  id: string,
  { region, email }: PasswordResetRequest,
): Promise<void> {
  await execute(
    db,
    `INSERT INTO reset_wishes (id, region, email, created_at) VALUES ($1, $2, $3, now())
     ON CONFLICT (id) DO NOTHING`,
    [id, region, email],
  );
}

/** Takes the wish away to fulfil it in this transaction; null when that was done before. */
export async function takePasswordResetRequest(tx: Tx, id: string): Promise<PasswordResetRequest | null> {
  return firstRow<PasswordResetRequest>(
    tx,
    'DELETE FROM reset_wishes WHERE id = $1 RETURNING region, email',
    [id],
  );
}
