import type {
  CommissionSource,
  CommissionType,
} from '../../../workflows/partners/commission/commission.rules';
import type { CommissionStatus } from '../../../workflows/partners/commission/commission.states';
import { until } from '../../sql/until';

/** Conditions on commissions; one that is left out does not narrow. Times are of the creation, and inclusive. */
export interface CommissionFilter {
  partnerId?: string | undefined;
  status?: CommissionStatus | undefined;
  sourceType?: CommissionSource | undefined;
  type?: CommissionType | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
  /** The least net amount. */
  leastMinor?: number | undefined;
}

/** The conditions as a fragment over `c`; `bind` binds a value and returns its placeholder. */
export function commissionConditions(filter: CommissionFilter, bind: (value: unknown) => string): string {
  const { partnerId, status, sourceType, type, from, to, leastMinor } = filter;
  const conditions = ['true'];
  if (partnerId !== undefined) conditions.push(`c.partner_id = ${bind(partnerId)}::uuid`);
  if (status !== undefined) conditions.push(`c.status = ${bind(status)}`);
  if (sourceType !== undefined) conditions.push(`c.source_type = ${bind(sourceType)}`);
  if (type !== undefined) conditions.push(`c.type = ${bind(type)}::smallint`);
  if (from !== undefined) conditions.push(`c.created_at >= ${bind(from)}`);
  if (to !== undefined) conditions.push(until('c.created_at', bind(to)));
  if (leastMinor !== undefined) conditions.push(`c.net_minor >= ${bind(leastMinor)}::bigint`);
  return conditions.join(' AND ');
}
