import type { Attributes } from 'sequelize';
import type { PaymentOffer } from '../../../workflows/commerce/payment/payment-page.contract';
import type { TopUpMethod } from '../../../workflows/ledger/top-up/top-up.rules';
import type { TopUpStatus } from '../../../workflows/ledger/top-up/top-up.states';
import { ofUser } from '../../identity/user-administration/of-user';
import { firstRow, rows, type Db } from '../../sql/query';
import { until } from '../../sql/until';
import { isUuid } from '../../../workflows/kit/values/uuid.rules';
import type { TopUp } from './top-up.model';

/** A top-up as its owner reads it. */
export type ShownTopUp = Pick<
  Attributes<TopUp>,
  | 'id'
  | 'number'
  | 'status'
  | 'amountMinor'
  | 'currency'
  | 'paymentMethod'
  | 'paymentStatus'
  | 'paymentExpiresAt'
  | 'createdAt'
  | 'paidAt'
> & {
  /** The attempt by which it can be paid; null when none is open. Its time is ISO 8601 with an offset. */
  openAttempt:
    (Pick<PaymentOffer, 'paymentUrl' | 'bankDetails' | 'expiresAt'> & { method: TopUpMethod }) | null;
};

/** A top-up as administrators read it. */
export type AdminTopUp = ShownTopUp & {
  userId: string;
  email: string;
  name: string;
  /** The amount that a bank has taken back of the payment and not returned. */
  chargedBackMinor: number;
};

const SHOWN = `t.id, t.number, t.status, t.amount_minor, t.currency, t.payment_method, t.payment_status,
  t.payment_expires_at, t.created_at, t.paid_at,
  (SELECT json_build_object('method', a.method, 'paymentUrl', a.payment_url, 'bankDetails', a.bank_details,
       'expiresAt', a.expires_at)
     FROM payment_attempts a WHERE a.top_up_id = t.id AND a.status = 'PENDING'
     ORDER BY a.sequence DESC LIMIT 1) AS open_attempt`;

/** One top-up of a user; null when the user has none with this id. */
export const ownTopUp = (db: Db, id: string, userId: string): Promise<ShownTopUp | null> =>
  firstRow<ShownTopUp>(db, `SELECT ${SHOWN} FROM top_ups t WHERE t.id = $1 AND t.user_id = $2`, [id, userId]);

/** One page of a user's top-ups, newest first; `status` null: of any; `total` counts all that fit. */
export async function ownTopUps(
  db: Db,
  userId: string,
  status: TopUpStatus | null,
  page: { limit: number; offset: number },
): Promise<{ total: number; topUps: ShownTopUp[] }> {
  const which = `FROM top_ups t WHERE t.user_id = $1 AND ($2::text IS NULL OR t.status = $2)`;
  const bind = [userId, status];
  const counted = await firstRow<{ total: number }>(db, `SELECT count(*)::int AS total ${which}`, bind);
  const topUps = await rows<ShownTopUp>(
    db,
    `SELECT ${SHOWN} ${which} ORDER BY t.created_at DESC, t.id LIMIT $3 OFFSET $4`,
    [...bind, page.limit, page.offset],
  );
  return { total: counted?.total ?? 0, topUps };
}

/** All top-ups of a user, newest first. */
export const topUpsOf = (db: Db, userId: string): Promise<ShownTopUp[]> =>
  rows<ShownTopUp>(
    db,
    `SELECT ${SHOWN} FROM top_ups t WHERE t.user_id = $1 ORDER BY t.created_at DESC, t.id`,
    [userId],
  );

/** Conditions on top-ups; one that is left out does not narrow. Times are of the creation, and inclusive. */
export interface TopUpFilter {
  status?: TopUpStatus | undefined;
  paymentMethod?: TopUpMethod | undefined;
  /** The id or the number of one. */
  topUp?: string | undefined;
  /** The id or the e-mail address of its user. */
  user?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

/** One page of all top-ups that fit, newest first; `total` counts them all. */
export async function adminTopUps(
  db: Db,
  filter: TopUpFilter,
  page: { limit: number; offset: number },
): Promise<{ total: number; topUps: AdminTopUp[] }> {
  const values: unknown[] = [];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const which = `FROM top_ups t WHERE ${conditions(filter, bind)}`;
  const counted = await firstRow<{ total: number }>(db, `SELECT count(*)::int AS total ${which}`, values);
  const topUps = await rows<AdminTopUp>(
    db,
    `WITH t AS MATERIALIZED (
       SELECT t.* ${which} ORDER BY t.created_at DESC, t.id LIMIT ${bind(page.limit)} OFFSET ${bind(page.offset)})
     SELECT ${SHOWN}, t.user_id, u.email, u.first_name || ' ' || u.last_name AS name,
       (SELECT coalesce(sum(b.amount_minor), 0)::bigint FROM chargebacks b JOIN payment_captures c ON c.id = b.capture_id
         WHERE b.top_up_id = t.id AND c.applied AND b.status <> 'RETURNED') AS charged_back_minor
     FROM t JOIN users u ON u.id = t.user_id ORDER BY t.created_at DESC, t.id`,
    values,
  );
  return { total: counted?.total ?? 0, topUps };
}

function conditions(
  { status, paymentMethod, topUp, user, from, to }: TopUpFilter,
  bind: (value: unknown) => string,
): string {
  const all = ['true'];
  if (status !== undefined) all.push(`t.status = ${bind(status)}`);
  if (paymentMethod !== undefined) all.push(`t.payment_method = ${bind(paymentMethod)}`);
  if (topUp !== undefined)
    all.push(isUuid(topUp) ? `t.id = ${bind(topUp)}::uuid` : `t.number = ${bind(topUp.toUpperCase())}`);
  if (user !== undefined) all.push(ofUser('t.user_id', user, bind));
  if (from !== undefined) all.push(`t.created_at >= ${bind(from)}`);
  if (to !== undefined) all.push(until('t.created_at', bind(to)));
  return all.join(' AND ');
}
