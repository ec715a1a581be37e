import type { InvestmentFigures } from '../../../db/administration/operations/investment-figures.reads';
import type { AddGauge } from './business-gauges';

/** Registers the gauges of investment providers, and returns the function that sets them. */
export function investmentGauges(add: AddGauge): (figures: InvestmentFigures) => void {
  const differences = add(
    'platform_investment_differences',
    'Differences between what investment providers reported and what is held.',
    'kind',
  );
  const incomplete = add(
    'platform_kyc_sync_incomplete_seconds',
    'Time since an investment provider was told of every change of an identity verification.',
    'provider',
  );
  const refused = add(
    'platform_kyc_sync_refused_users',
    'Users whose identity verification an investment provider refused in its last push.',
    'provider',
  );
  const held = add(
    'platform_participations_held',
    'Participations that are mature and run on because a report of their payout waits.',
  );
  const oldestHeld = add(
    'platform_participations_held_oldest_seconds',
    'Time since the first of them matured.',
  );
  const owed = add(
    'platform_investment_provider_owed_minor',
    'What an investment provider owes, in minor units; below zero it is owed to.',
    'provider',
    'currency',
  );
  const beyond = add(
    'platform_investment_provider_beyond_limit_seconds',
    'Time for which an investment provider has owed more than it may; 0: it is within.',
    'provider',
    'currency',
  );
  return (figures) => {
    held.set(figures.held.participations);
    oldestHeld.set(figures.held.oldestSeconds);
    for (const { kind, differences: count } of figures.differences) differences.set({ kind }, count);
    for (const { provider, incompleteSeconds, refusedUsers } of figures.syncs) {
      incomplete.set({ provider }, incompleteSeconds);
      refused.set({ provider }, refusedUsers);
    }
    for (const { provider, currency, owedMinor, beyondSeconds } of figures.debts) {
      owed.set({ provider, currency }, owedMinor);
      beyond.set({ provider, currency }, beyondSeconds);
    }
  };
}
