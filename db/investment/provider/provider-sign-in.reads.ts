import type { StrategyStatus } from '../../../workflows/investment/strategy/strategy.rules';
import type { KycLevel, KycStatus } from '../../../workflows/kyc/kyc.rules';
import { LEVEL_IN_FORCE, STATUS_IN_FORCE } from '../../kyc/standing/user-standing.reads';
import { firstRow, type Db } from '../../sql/query';

/** The facts that a provider is told of a user who comes from a strategy, and those that decide whether they may. */
export interface SignInAtProvider {
  strategyCode: string;
  status: StrategyStatus;
  /** The user has a participation in it that was not cancelled. */
  takesPart: boolean;
  providerCode: string;
  apiBase: string | null;
  ssoAudience: string | null;
  ssoUrl: string | null;
  /** Of the provider. */
  isActive: boolean;
  email: string;
  fullName: string;
  /** Both as they are in force now: an approval that is over does not count. */
  kycStatus: KycStatus;
  kycLevel: KycLevel;
}

/** The strategy, its provider and the user; null if there is no such strategy or user. */
export const signInAtProvider = (
  db: Db,
  { strategyId, userId }: { strategyId: string; userId: string },
): Promise<SignInAtProvider | null> =>
  firstRow(
    db,
    `SELECT s.strategy_code, s.status, p.code AS provider_code, p.api_base, p.sso_audience, p.sso_url, p.is_active, u.email,
            concat_ws(' ', u.first_name, u.middle_name, u.last_name) AS full_name, ${LEVEL_IN_FORCE} AS kyc_level,
            ${STATUS_IN_FORCE} AS kyc_status,
            EXISTS (SELECT 1 FROM participations t
              WHERE t.user_id = u.id AND t.strategy_id = s.id AND t.status <> 'CANCELLED') AS takes_part
       FROM investment_strategies s JOIN investment_providers p ON p.code = s.provider_code, users u
      WHERE s.id = $1 AND u.id = $2`,
    [strategyId, userId],
  );
