import type { Attributes } from 'sequelize';
import type { ParticipationStatus } from '../../../workflows/investment/participation/participation.states';
import { anywhere, contains } from '../../sql/text/search';
import { SEARCHED_USER } from '../../identity/user-administration/searched-user';
import { firstRow, rows, type Db } from '../../sql/query';
import type { Participation } from '../participation/participation.model';
import { isUuid } from '../../../workflows/kit/values/uuid.rules';

/** Conditions on participations; one that is left out does not narrow. */
export interface AdminParticipationFilter {
  status?: ParticipationStatus | undefined;
  strategyId?: string | undefined;
  userId?: string | undefined;
  /** In any case a part of the number, or of the owner's name, e-mail address or phone number; or the whole id. */
  search?: string | undefined;
}

export type AdminParticipationRow = Pick<
  Attributes<Participation>,
  | 'id'
  | 'number'
  | 'userId'
  | 'strategyId'
  | 'providerCode'
  | 'origin'
  | 'status'
  | 'paymentStatus'
  | 'amountMinor'
  | 'earnedMinor'
  | 'currency'
  | 'startedAt'
  | 'maturesAt'
  | 'endedAt'
  | 'createdAt'
> & { email: string; name: string; strategyName: string };

/** The participations that fit, newest first, and the number of all of them. */
export async function adminParticipations(
  db: Db,
  filter: AdminParticipationFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; participations: AdminParticipationRow[] }> {
  const values: unknown[] = [];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const where = conditions(filter, bind);
  const counted = await firstRow<{ total: number }>(
    db,
    `SELECT count(*)::int AS total FROM participations p WHERE ${where}`,
    values,
  );
  const participations = await rows<AdminParticipationRow>(
    db,
    `SELECT p.id, p.number, p.user_id, p.strategy_id, p.provider_code, p.origin, p.status, p.payment_status,
            p.amount_minor, p.earned_minor, p.currency, p.started_at, p.matures_at, p.ended_at, p.created_at,
            u.email, u.first_name || ' ' || u.last_name AS name, s.name AS strategy_name
       FROM participations p JOIN users u ON u.id = p.user_id JOIN investment_strategies s ON s.id = p.strategy_id
      WHERE ${where} ORDER BY p.created_at DESC, p.id LIMIT ${bind(limit)} OFFSET ${bind(offset)}`,
    values,
  );
  return { total: counted?.total ?? 0, participations };
}

/** Each part of a search reads an index of its own; conditions on two tables in one `OR` could read none of them. */
function conditions(
  { status, strategyId, userId, search }: AdminParticipationFilter,
  bind: (value: unknown) => string,
): string {
  const all = ['true'];
  if (status !== undefined) all.push(`p.status = ${bind(status)}`);
  if (strategyId !== undefined) all.push(`p.strategy_id = ${bind(strategyId)}::uuid`);
  if (userId !== undefined) all.push(`p.user_id = ${bind(userId)}::uuid`);
  if (search && isUuid(search)) all.push(`p.id = ${bind(search)}::uuid`);
  else if (search) {
    const part = bind(anywhere(search));
    all.push(`p.id IN (SELECT f.id FROM participations f WHERE ${contains('f.number', part)}
      UNION SELECT f.id FROM participations f JOIN users u ON u.id = f.user_id
        WHERE ${contains(SEARCHED_USER, part)})`);
  }
  return all.join(' AND ');
}
