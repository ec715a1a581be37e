import type { Attributes } from 'sequelize';
import type { PayoutKind } from '../../../workflows/commerce/payout/payout.rules';
import type { PayoutStatus } from '../../../workflows/commerce/payout/payout.states';
import { BY_HAND } from '../../../workflows/commerce/payout/transfer-out.rules';
import { liveTransfer, type LiveTransfer } from '../bank-file/live-transfer';
import type { User } from '../../identity/user/user.model';
import { firstRow, rows, type Db } from '../../sql/query';
import { until } from '../../sql/until';
import type { Payout } from './payout.model';

/** A payout as administrators read it. */
export type AdministeredPayout = Attributes<Payout> &
  Pick<Attributes<User>, 'email' | 'firstName' | 'lastName'> & {
    /** Null of a wallet. */
    referralCode: string | null;
    /** True if a person has to send it. */
    needsTransfer: boolean;
    /** Of its transfer in bank files; null: they do not carry it out. */
    bankFileTransfer: LiveTransfer | null;
    /** Its place in the order of a file, for the next read. */
    cursor: string;
  };

/** Conditions on payouts of a kind; one that is left out does not narrow. Times are of the request, and inclusive. */
export interface PayoutFilter {
  kind: PayoutKind;
  status?: PayoutStatus | undefined;
  partnerId?: string | undefined;
  userId?: string | undefined;
  /** True: those that a person has to send; false: all others. */
  needsTransfer?: boolean | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
  leastMinor?: number | undefined;
}

/** True for a payout `o` that a person has to send. */
const NEEDS_TRANSFER = `coalesce(o.status = 'PROCESSING' AND o.provider = '${BY_HAND}', false)`;

/** The columns of a payout, and the tables that they are of; a fragment over `o`. */
const SHOWN = `SELECT o.*, u.email, u.first_name, u.last_name, p.referral_code, ${NEEDS_TRANSFER} AS needs_transfer,
    ${liveTransfer('o')} AS bank_file_transfer,
    o.created_at::text AS cursor
  FROM o JOIN users u ON u.id = o.user_id LEFT JOIN partners p ON p.id = o.partner_id`;

type Bind = (value: unknown) => string;

/** The conditions as a fragment over `o`; `bind` binds a value and returns its placeholder. */
function conditions(
  { kind, status, partnerId, userId, needsTransfer, from, to, leastMinor }: PayoutFilter,
  bind: Bind,
): string {
  const all = [`o.kind = ${bind(kind)}`];
  if (status !== undefined) all.push(`o.status = ${bind(status)}`);
  if (partnerId !== undefined) all.push(`o.partner_id = ${bind(partnerId)}::uuid`);
  if (userId !== undefined) all.push(`o.user_id = ${bind(userId)}::uuid`);
  if (needsTransfer !== undefined) all.push(`${NEEDS_TRANSFER} = ${bind(needsTransfer)}`);
  if (from !== undefined) all.push(`o.created_at >= ${bind(from)}`);
  if (to !== undefined) all.push(until('o.created_at', bind(to)));
  if (leastMinor !== undefined) all.push(`o.amount_minor >= ${bind(leastMinor)}::bigint`);
  return all.join(' AND ');
}

const binding = (): { values: unknown[]; bind: Bind } => {
  const values: unknown[] = [];
  return { values, bind: (value) => `$${values.push(value)}` };
};

/** One page of the payouts that fit, newest first. */
export function administeredPayouts(
  db: Db,
  filter: PayoutFilter,
  page: { limit: number; offset: number },
): Promise<AdministeredPayout[]> {
  const { values, bind } = binding();
  return rows<AdministeredPayout>(
    db,
    `WITH o AS MATERIALIZED (SELECT o.* FROM payouts o WHERE ${conditions(filter, bind)}
       ORDER BY o.created_at DESC, o.id DESC LIMIT ${bind(page.limit)} OFFSET ${bind(page.offset)})
     ${SHOWN} ORDER BY o.created_at DESC, o.id DESC`,
    values,
  );
}

/** Counts and sums, in minor units. Those of PENDING and PROCESSING do not depend on the status of the filter. */
export interface PayoutTotals {
  total: number;
  pendingCount: number;
  pendingMinor: number;
  processingCount: number;
  processingMinor: number;
}

export async function payoutTotals(db: Db, { status, ...filter }: PayoutFilter): Promise<PayoutTotals> {
  const { values, bind } = binding();
  const sums = await firstRow<PayoutTotals>(
    db,
    `SELECT count(*) FILTER (WHERE o.status = 'PENDING')::int AS pending_count,
       coalesce(sum(o.amount_minor) FILTER (WHERE o.status = 'PENDING'), 0)::bigint AS pending_minor,
       count(*) FILTER (WHERE o.status = 'PROCESSING')::int AS processing_count,
       coalesce(sum(o.amount_minor) FILTER (WHERE o.status = 'PROCESSING'), 0)::bigint AS processing_minor,
       count(*) FILTER (WHERE ${bind(status ?? null)}::text IS NULL OR o.status = $1)::int AS total
     FROM payouts o WHERE ${conditions(filter, bind)}`,
    values,
  );
  if (!sums) throw new Error('A sum of payouts has no row.');
  return sums;
}

/** The next page of matching payouts after a cursor; null: from the newest. New payouts do not shift it. */
export function payoutsAfter(
  db: Db,
  filter: PayoutFilter,
  after: Pick<AdministeredPayout, 'id' | 'cursor'> | null,
  limit: number,
): Promise<AdministeredPayout[]> {
  const { values, bind } = binding();
  const where = conditions(filter, bind);
  const place = after
    ? `(o.created_at, o.id) < (${bind(after.cursor)}::timestamptz, ${bind(after.id)}::uuid)`
    : 'true';
  return rows<AdministeredPayout>(
    db,
    `WITH o AS MATERIALIZED (SELECT o.* FROM payouts o WHERE ${where} AND ${place}
       ORDER BY o.created_at DESC, o.id DESC LIMIT ${bind(limit)})
     ${SHOWN} ORDER BY o.created_at DESC, o.id DESC`,
    values,
  );
}

/** A payout of a kind; null when there is none. */
export const administeredPayout = (
  db: Db,
  kind: PayoutKind,
  id: string,
): Promise<AdministeredPayout | null> =>
  firstRow<AdministeredPayout>(
    db,
    `WITH o AS MATERIALIZED (SELECT * FROM payouts WHERE id = $1 AND kind = $2) ${SHOWN}`,
    [id, kind],
  );
