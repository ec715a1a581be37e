import type { Attributes } from 'sequelize';
import type { PayoutKind } from '../../../workflows/commerce/payout/payout.rules';
import type { PayoutStatus } from '../../../workflows/commerce/payout/payout.states';
import type { Db } from '../../sql/query';
import { table } from '../../sql/table';
import { PayoutDecision } from './payout-decision.model';
import { Payout } from './payout.model';

const COLUMNS = [
  'id',
  'kind',
  'amountMinor',
  'currency',
  'method',
  'maskedDetails',
  'status',
  'rejectionReason',
  'fundsReturned',
  'createdAt',
  'endedAt',
] as const satisfies readonly (keyof Attributes<Payout>)[];

/** A payout as its owner sees it. */
export type OwnPayout = Pick<Attributes<Payout>, (typeof COLUMNS)[number]>;

/** A payout of a user; null when they have none of this id and kind. */
export const ownPayout = (
  db: Db,
  by: { userId: string; kind: PayoutKind; id: string },
): Promise<OwnPayout | null> => table(db, Payout).one(COLUMNS, by);

/** One page of a user's payouts of a kind, newest first; `total` counts them all. */
export async function ownPayouts(
  db: Db,
  { status, ...by }: { userId: string; kind: PayoutKind; status?: PayoutStatus | undefined },
  page: { limit: number; offset: number },
): Promise<{ total: number; payouts: OwnPayout[] }> {
  const where = { ...by, ...(status !== undefined && { status }) };
  const payouts = await table(db, Payout).all(COLUMNS, where, {
    ...page,
    order: [
      ['createdAt', 'DESC'],
      ['id', 'DESC'],
    ],
  });
  return { total: await table(db, Payout).count(where), payouts };
}

/** All payouts of a user of both kinds, newest first. */
export const payoutsOf = (db: Db, userId: string): Promise<OwnPayout[]> =>
  table(db, Payout).all(
    COLUMNS,
    { userId },
    {
      order: [
        ['createdAt', 'DESC'],
        ['id', 'DESC'],
      ],
    },
  );

/** A decision by the id of its note; null: it was not made. */
export const decisionMade = (
  db: Db,
  id: string,
): Promise<Pick<Attributes<PayoutDecision>, 'payoutId' | 'action' | 'sending'> | null> =>
  table(db, PayoutDecision).one(['payoutId', 'action', 'sending'], { id });
