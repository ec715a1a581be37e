import { v7 } from 'uuid';
import type { Db } from '../../../../db/sql/query';
import type {
  HistoricalReturn,
  PayoutFrequency,
  ReturnType,
  RiskLevel,
  StrategyDocumentType,
  StrategyStatus,
} from '../../../../workflows/investment/strategy/strategy.rules';
import { insert, nextNumber } from './insert';
import { provider } from './providers';

export interface StrategyCategory {
  id: string;
  name: string;
  slug: string;
}

export interface Strategy {
  id: string;
  providerCode: string;
  strategyCode: string;
  categoryId: string;
  name: string;
  slug: string;
  currency: string;
}

interface StrategyCategoryOptions extends Partial<Omit<StrategyCategory, 'id'>> {
  description?: string | null;
  imageUrl?: string | null;
  isActive?: boolean;
}

interface StrategyOptions extends Partial<Omit<Strategy, 'id'>> {
  status?: StrategyStatus;
  shortDescription?: string;
  description?: string;
  /** Annual percentages in basis points. */
  returnBp?: { min: number; max: number; expected: number };
  returnType?: ReturnType;
  payoutFrequency?: PayoutFrequency;
  days?: { min: number; max: number };
  lockDays?: number;
  minMinor?: number;
  maxMinor?: number | null;
  totalCapacityMinor?: number | null;
  riskLevel?: RiskLevel;
  earlyWithdrawalAllowed?: boolean;
  earlyWithdrawalPenaltyBp?: number | null;
  compoundingAvailable?: boolean;
  automaticReinvestment?: boolean;
  commissionBp?: number;
  careerPointsBp?: number;
  historicalReturns?: readonly HistoricalReturn[];
  imageUrl?: string | null;
  createdAt?: Date;
}

export async function strategyCategory(
  db: Db,
  options: StrategyCategoryOptions = {},
): Promise<StrategyCategory> {
  const n = nextNumber();
  const made = {
    id: v7(),
    name: options.name ?? `Strategies ${n}`,
    slug: options.slug ?? `strategies-${n}`,
  };
  const at = new Date();
  await insert(db, 'investment_categories', {
    ...made,
    description: options.description ?? null,
    image_url: options.imageUrl ?? null,
    is_active: options.isActive ?? true,
    created_at: at,
    updated_at: at,
  });
  return made;
}

/**
 * An ACTIVE strategy of a provider and a category of its own: 8 % expected (6 to 10), 30 to 365 days, locked for 30,
 * 100 to 50,000 USD without a capacity, early withdrawal at 10 %, compounding and reinvestment possible.
 */
export async function strategy(db: Db, options: StrategyOptions = {}): Promise<Strategy> {
  const n = nextNumber();
  const slug = options.slug ?? `strategy-${n}`;
  const made: Strategy = {
    id: v7(),
    providerCode: options.providerCode ?? (await provider(db)).code,
    strategyCode: options.strategyCode ?? slug,
    categoryId: options.categoryId ?? (await strategyCategory(db)).id,
    name: options.name ?? `Strategy ${n}`,
    slug,
    currency: options.currency ?? 'USD',
  };
  await insert(db, 'investment_strategies', {
    ...{ id: made.id, provider_code: made.providerCode, strategy_code: made.strategyCode },
    ...{ category_id: made.categoryId, name: made.name, slug, currency: made.currency },
    short_description: options.shortDescription ?? `${made.name} in a sentence.`,
    description: options.description ?? `What ${made.name} does with the money.`,
    risk_disclosure: 'You may lose what you put in.',
    risk_level: options.riskLevel ?? 'MEDIUM',
    status: options.status ?? 'ACTIVE',
    historical_returns: JSON.stringify(options.historicalReturns ?? []),
    image_url: options.imageUrl ?? null,
    ...termsOf(options),
    created_at: options.createdAt ?? new Date(),
    updated_at: options.createdAt ?? new Date(),
  });
  return made;
}

function termsOf(options: StrategyOptions): Record<string, unknown> {
  const { returnBp = { min: 600, max: 1_000, expected: 800 }, days = { min: 30, max: 365 } } = options;
  const { maxMinor = 50_000_00, earlyWithdrawalPenaltyBp = 1_000 } = options;
  return {
    ...{ return_min_bp: returnBp.min, return_max_bp: returnBp.max, return_expected_bp: returnBp.expected },
    return_type: options.returnType ?? 'FIXED',
    payout_frequency: options.payoutFrequency ?? 'MONTHLY',
    ...{ min_days: days.min, max_days: days.max, lock_days: options.lockDays ?? 30 },
    min_minor: options.minMinor ?? 100_00,
    max_minor: maxMinor,
    total_capacity_minor: options.totalCapacityMinor ?? null,
    early_withdrawal_allowed: options.earlyWithdrawalAllowed ?? true,
    early_withdrawal_penalty_bp: earlyWithdrawalPenaltyBp,
    compounding_available: options.compoundingAvailable ?? true,
    automatic_reinvestment: options.automaticReinvestment ?? true,
    commission_bp: options.commissionBp ?? 500,
    career_points_bp: options.careerPointsBp ?? 10_000,
  };
}

/** A document of a strategy that lies elsewhere; answers its id. */
export async function strategyDocument(
  db: Db,
  strategyId: string,
  options: { type?: StrategyDocumentType; name?: string; position?: number } = {},
): Promise<string> {
  const id = v7();
  await insert(db, 'investment_strategy_documents', {
    ...{ id, strategy_id: strategyId, type: options.type ?? 'PROSPECTUS' },
    name: options.name ?? 'Prospectus',
    url: `https://documents.example.com/${id}.pdf`,
    position: options.position ?? 0,
    created_at: new Date(),
  });
  return id;
}
