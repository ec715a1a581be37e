import type { Attributes } from 'sequelize';
import { firstRow, rows, type Db } from '../../sql/query';
import { table } from '../../sql/table';
import { TopUp } from './top-up.model';

/** The columns that moves and requests need. */
export const TOP_UP_COLUMNS = [
  'id',
  'number',
  'userId',
  'status',
  'amountMinor',
  'currency',
  'paymentMethod',
  'paymentStatus',
  'paymentExpiresAt',
  'createdAt',
] as const satisfies readonly (keyof Attributes<TopUp>)[];

export type TopUpRow = Pick<Attributes<TopUp>, (typeof TOP_UP_COLUMNS)[number]>;

/** The top-up by its id, without a lock; null when there is none. */
export const topUpById = (db: Db, id: string): Promise<TopUpRow | null> =>
  table(db, TopUp).one(TOP_UP_COLUMNS, { id });

/** The number of a top-up, or the next one, such as TOP-2026-00000012, where it is not opened yet. */
export async function topUpNumber(db: Db, id: string): Promise<string> {
  const known = await table(db, TopUp).one(['number'], { id });
  if (known) return known.number;
  const next = await firstRow<{ number: string }>(
    db,
    `SELECT 'TOP-' || to_char(now() AT TIME ZONE 'UTC', 'YYYY') || '-'
       || lpad(nextval('top_up_numbers')::text, 8, '0') AS number`,
  );
  if (!next) throw new Error('The sequence of top-up numbers has no next value.');
  return next.number;
}

/** A top-up that its process should have cancelled. `due`: the end of its payment window. */
export type OverdueTopUp = Pick<TopUpRow, 'id' | 'userId' | 'number' | 'amountMinor' | 'currency'> & {
  due: Date;
};

/** Top-ups whose payment window ended before a moment, in the order of these ends and after a position. */
export const overdueTopUps = (
  db: Db,
  { before, after, limit }: { before: Date; after: Pick<OverdueTopUp, 'due' | 'id'> | null; limit: number },
): Promise<OverdueTopUp[]> =>
  rows<OverdueTopUp>(
    db,
    `SELECT id, user_id, number, amount_minor, currency, payment_expires_at AS due FROM top_ups
     WHERE status = 'PENDING_PAYMENT' AND payment_expires_at < $1 AND (payment_expires_at, id) > ($2, $3)
     ORDER BY payment_expires_at, id LIMIT $4`,
    [before, after?.due ?? '-infinity', after?.id ?? '00000000-0000-0000-0000-000000000000', limit],
  );
