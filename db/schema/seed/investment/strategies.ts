import { firstRow } from '../../../sql/query';
import { placeholderImage } from '../placeholder-image';
import { addRows, isEmpty, seedId } from '../rows';
import type { SeedOptions, SeedStep } from '../step';
import { DAY_MS } from '../../../../workflows/kit/values/durations.rules';
import { DEMO_CATEGORIES, DEMO_STRATEGIES, type DemoStrategy } from './demo-strategies';
import { DEMO_PROVIDERS } from './providers';

/** The interval of the strategies' creation times, so that sorting by age has an effect. */
const BETWEEN_STRATEGIES_MS = 5 * DAY_MS;
const COMMISSION_BP = 500;
const CAREER_POINTS_BP = 10_000;

/** Six strategies of the demo's providers in three categories, from LOW to HIGH risk; one is PAUSED. */
export const demoStrategies: SeedStep = {
  title: 'demo strategies',
  async isMissing(tx) {
    const codes = DEMO_PROVIDERS.map(({ code }) => code);
    const found = await firstRow<{ n: number }>(
      tx,
      'SELECT count(*)::int AS n FROM investment_providers WHERE code = ANY ($1)',
      [codes],
    );
    const isThere = found?.n === codes.length;
    return isThere && (await isEmpty(tx, 'investment_categories'));
  },
  async add(tx, options) {
    await addRows(tx, 'investment_categories', DEMO_CATEGORIES.map(categoryRow(options)));
    await addRows(tx, 'investment_strategies', DEMO_STRATEGIES.map(strategyRow(options)));
  },
};

const slugOf = (name: string): string => name.toLowerCase().replace(/ /g, '-');
const categoryId = (name: string): string => seedId(`strategy-category:${name}`);
/** The hue of a tile; consecutive ones get distant hues. */
const hueOf = (number: number): number => (number * 137 + 60) % 360;

const categoryRow =
  ({ at }: SeedOptions) =>
  ({ name, description }: (typeof DEMO_CATEGORIES)[number], number: number) => ({
    ...{ id: categoryId(name), name, slug: slugOf(name), description, is_active: true },
    image_url: placeholderImage(name, hueOf(number), 480),
    ...{ created_at: at, updated_at: at },
  });

const strategyRow =
  ({ at }: SeedOptions) =>
  (strategy: DemoStrategy, number: number) => {
    const { name } = strategy;
    const createdAt = new Date(at.getTime() - (DEMO_STRATEGIES.length - number) * BETWEEN_STRATEGIES_MS);
    return {
      ...{
        id: seedId(`strategy:${name}`),
        provider_code: strategy.provider,
        category_id: categoryId(strategy.category),
      },
      ...{ name, slug: slugOf(name), strategy_code: slugOf(name), status: strategy.status },
      ...{ short_description: strategy.shortDescription, description: strategy.description },
      risk_level: strategy.riskLevel,
      risk_disclosure: 'A demo: no money is invested. In earnest you may lose what you put in.',
      ...termsOf(strategy),
      ...{ commission_bp: COMMISSION_BP, career_points_bp: CAREER_POINTS_BP },
      image_url: placeholderImage(name, hueOf(number), 480),
      ...{ reserved_minor: 0, total_participants: 0, total_invested_minor: 0, active_participations: 0 },
      ...{ created_at: createdAt, updated_at: createdAt },
    };
  };

function termsOf(strategy: DemoStrategy): Record<string, unknown> {
  const [returnMin, returnMax, returnExpected] = strategy.returnBp;
  const [minDays, maxDays, lockDays] = strategy.days;
  const [minMinor, maxMinor, capacityMinor] = strategy.amountsMinor;
  return {
    ...{ return_min_bp: returnMin, return_max_bp: returnMax, return_expected_bp: returnExpected },
    ...{ return_type: strategy.returnType, payout_frequency: strategy.payoutFrequency },
    ...{ min_days: minDays, max_days: maxDays, lock_days: lockDays },
    ...{ min_minor: minMinor, max_minor: maxMinor, total_capacity_minor: capacityMinor, currency: 'USD' },
    early_withdrawal_allowed: strategy.earlyWithdrawal,
    early_withdrawal_penalty_bp: strategy.penaltyBp,
    ...{ compounding_available: strategy.compounding, automatic_reinvestment: strategy.reinvestment },
  };
}
