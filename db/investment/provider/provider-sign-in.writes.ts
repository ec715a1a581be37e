import { execute, type Db } from '../../sql/query';

/** Records that a user was led to a provider; the first time stays. One who was erased meanwhile is left out. */
export async function recordSignIn(
  db: Db,
  { providerCode, userId, at }: { providerCode: string; userId: string; at: Date },
): Promise<void> {
  await execute(
    db,
    `INSERT INTO investment_provider_sign_ins (provider_code, user_id, first_at)
     SELECT $1, u.id, $3 FROM users u WHERE u.id = $2 AND u.erased_at IS NULL FOR SHARE
     ON CONFLICT (provider_code, user_id) DO NOTHING`,
    [providerCode, userId, at],
  );
}
