import { v7 } from 'uuid';
import type { Db } from '../../../../db/sql/query';
import { insert, nextNumber } from '../make/insert';
import { user } from '../make/people';

/** The amount of a built entrance fee. */
export const ENTRANCE_MINOR = 49_90;

/** An entrance fee that waits for its payment, without a process; by default of a new user. */
export async function entrance(
  db: Db,
  { userId }: { userId?: string } = {},
): Promise<{ id: string; number: string; userId: string }> {
  const at = new Date();
  const made = {
    id: v7(),
    number: `ENT-2025-${String(nextNumber()).padStart(8, '0')}`,
    userId: userId ?? (await user(db)).id,
  };
  await insert(db, 'partner_entrances', {
    ...{ id: made.id, number: made.number, user_id: made.userId },
    ...{ status: 'PENDING_PAYMENT', amount_minor: ENTRANCE_MINOR, currency: 'USD' },
    ...{ payment_method: 'BANK_TRANSFER', payment_status: 'PENDING' },
    payment_expires_at: new Date(at.getTime() + 72 * 3_600_000),
    ...{ created_at: at, updated_at: at },
  });
  return made;
}

/** The same with an open attempt to pay it by the sandbox's card page. */
export async function attempted(db: Db): Promise<{ id: string; userId: string; attemptId: string }> {
  const { id, userId } = await entrance(db);
  const [attemptId, at] = [v7(), new Date()];
  await insert(db, 'payment_attempts', {
    ...{
      id: attemptId,
      entrance_id: id,
      sequence: 1,
      method: 'CARD',
      provider: 'sandbox',
      status: 'PENDING',
    },
    ...{ amount_minor: ENTRANCE_MINOR, currency: 'USD', expires_at: at, created_at: at, updated_at: at },
  });
  return { id, userId, attemptId };
}
