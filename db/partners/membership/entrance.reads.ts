import type { Attributes } from 'sequelize';
import { rows, type Db } from '../../sql/query';
import { table } from '../../sql/table';
import { PartnerEntrance } from './partner-entrance.model';

/** The columns that moves and requests need. */
export const ENTRANCE_COLUMNS = [
  'id',
  'number',
  'userId',
  'partnerId',
  'status',
  'amountMinor',
  'currency',
  'paymentMethod',
  'paymentStatus',
  'paymentExpiresAt',
  'createdAt',
] as const satisfies readonly (keyof Attributes<PartnerEntrance>)[];

export type Entrance = Pick<Attributes<PartnerEntrance>, (typeof ENTRANCE_COLUMNS)[number]>;

/** The entrance fee by its id, without a lock; null when there is none. */
export const entranceById = (db: Db, id: string): Promise<Entrance | null> =>
  table(db, PartnerEntrance).one(ENTRANCE_COLUMNS, { id });

/** The newest entrance fee of a user; null when there is none. */
export const newestEntrance = (db: Db, userId: string): Promise<Entrance | null> =>
  table(db, PartnerEntrance).one(
    ENTRANCE_COLUMNS,
    { userId },
    {
      order: [
        ['createdAt', 'DESC'],
        ['id', 'DESC'],
      ],
    },
  );

/** An entrance fee that its process should have cancelled. `due`: the end of its payment window. */
export interface OverdueEntrance {
  id: string;
  userId: string;
  due: Date;
}

/** Entrance fees whose payment window ended before a moment, in the order of these ends and after a position. */
export const overdueEntrances = (
  db: Db,
  { before, after, limit }: { before: Date; after: { due: string; id: string } | null; limit: number },
): Promise<OverdueEntrance[]> =>
  rows<OverdueEntrance>(
    db,
    `SELECT id, user_id, payment_expires_at AS due FROM partner_entrances
     WHERE status = 'PENDING_PAYMENT' AND payment_expires_at < $1 AND (payment_expires_at, id) > ($2, $3)
     ORDER BY payment_expires_at, id LIMIT $4`,
    [before, after?.due ?? '-infinity', after?.id ?? '00000000-0000-0000-0000-000000000000', limit],
  );

/** An entrance fee as its user may read it. */
export type ExportedEntrance = Pick<
  Attributes<PartnerEntrance>,
  | 'id'
  | 'number'
  | 'status'
  | 'paymentMethod'
  | 'paymentStatus'
  | 'amountMinor'
  | 'currency'
  | 'createdAt'
  | 'paidAt'
>;

/** All entrance fees of a user, oldest first. */
export const entrancesOf = (db: Db, userId: string): Promise<ExportedEntrance[]> =>
  table(db, PartnerEntrance).all(
    [
      ...(['id', 'number', 'status', 'paymentMethod', 'paymentStatus'] as const),
      ...(['amountMinor', 'currency', 'createdAt', 'paidAt'] as const),
    ],
    { userId },
    {
      order: [
        ['createdAt', 'ASC'],
        ['id', 'ASC'],
      ],
    },
  );
