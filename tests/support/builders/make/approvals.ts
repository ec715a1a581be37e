import { v7 } from 'uuid';
import type { Db } from '../../../../db/sql/query';
import type { ReviewedLevel } from '../../../../workflows/kyc/kyc.rules';
import { insert } from './insert';

const DAY_MS = 86_400_000;

interface VerifiedOptions {
  level?: ReviewedLevel;
  /** By default in two years. */
  expiresAt?: Date;
  /** The time of the approval, by default now. */
  at?: Date;
}

/** An approved verification of a user, as the platform itself would give it, without documents; answers its id. */
export async function verified(
  db: Db,
  userId: string,
  {
    level = 'STANDARD',
    at = new Date(),
    expiresAt = new Date(at.getTime() + 730 * DAY_MS),
  }: VerifiedOptions = {},
): Promise<string> {
  const id = v7();
  await insert(db, 'kyc_verifications', {
    ...{ id, user_id: userId, status: 'APPROVED', level, expires_at: expiresAt },
    requested_level: level === 'ENHANCED' ? 'ENHANCED' : 'STANDARD',
    ...{ first_submitted_at: at, submitted_at: at, decided_at: at, created_at: at, updated_at: at },
  });
  for (const action of ['STARTED', 'SUBMITTED', 'APPROVED'])
    await insert(db, 'kyc_history', { id: v7(), kyc_id: id, action, at });
  return id;
}
