import { randomUUID } from 'node:crypto';
import { sealSecret } from '../../../db/investment/provider/provider-secret';
import type { KeyRing } from '../../../db/sealing/key-ring';
import { sealPurposes } from '../../../db/sealing/purposes';
import type { Db } from '../../../db/sql/query';
import { insert } from '../../support/builders/make/insert';

/** Rows of investment and of money that leaves that each have one secret. */
export interface InvestmentSecrets {
  providerCode: string;
  withdrawalId: string;
  payoutId: string;
  reportId: string;
}

/** A provider's secret, the destinations of a withdrawal and of a payout, and what a provider said about its user. */
export async function investmentSecrets(db: Db, keys: KeyRing, userId: string): Promise<InvestmentSecrets> {
  const [secretId, withdrawalId, reportId] = [randomUUID(), randomUUID(), randomUUID()];
  const payoutId = randomUUID();
  const providerCode = `sealed-${secretId.slice(0, 8)}`;
  const [at, due] = [new Date(), new Date(Date.now() + 86_400_000)];
  await insert(db, 'investment_providers', { code: providerCode, name: 'A', created_at: at, updated_at: at });
  await insert(db, 'investment_provider_secrets', {
    ...{ id: secretId, provider_code: providerCode, purpose: 'SSO', created_at: at },
    secret: sealSecret(keys, secretId, 'a-sso-key'),
  });
  const participationId = await participationOf(db, { userId, providerCode, at, due });
  await insert(db, 'investment_withdrawals', {
    ...{ id: withdrawalId, participation_id: participationId, user_id: userId, method: 'BANK_TRANSFER' },
    ...{ status: 'PROCESSING', principal_minor: 1, returns_minor: 0, penalty_minor: 0, net_minor: 1 },
    ...{ currency: 'USD', provider: 'bank', masked_details: '•', estimated_on: due, created_at: at },
    details: keys.seal(Buffer.from('an account'), sealPurposes.investmentWithdrawal(withdrawalId)),
  });
  await insert(db, 'payouts', {
    ...{ id: payoutId, kind: 'WALLET', user_id: userId, amount_minor: 1, currency: 'USD', method: 'CARD' },
    ...{ status: 'PENDING', masked_details: '•', created_at: at },
    details: keys.seal(Buffer.from('a card'), sealPurposes.payoutDestination(payoutId)),
  });
  await insert(db, 'kyc_provider_reports', {
    ...{ id: reportId, user_id: userId, provider_code: providerCode, status: 'APPROVED', level: 'STANDARD' },
    ...{ webhook_event_id: randomUUID(), received_at: at },
    data: keys.seal(Buffer.from('a report'), sealPurposes.kycProviderReport(reportId)),
  });
  return { providerCode, withdrawalId, payoutId, reportId };
}

async function participationOf(
  db: Db,
  { userId, providerCode, at, due }: { userId: string; providerCode: string; at: Date; due: Date },
): Promise<string> {
  const [id, categoryId, strategyId] = [randomUUID(), randomUUID(), randomUUID()];
  const terms = {
    ...{ return_min_bp: 0, return_max_bp: 0, return_expected_bp: 0, return_type: 'FIXED' },
    ...{ payout_frequency: 'END_OF_TERM', lock_days: 0, early_withdrawal_allowed: true },
    ...{ commission_bp: 0, career_points_bp: 0, currency: 'USD', created_at: at, updated_at: at },
  };
  await insert(db, 'investment_categories', {
    ...{ id: categoryId, name: 'A', slug: categoryId, created_at: at, updated_at: at },
  });
  await insert(db, 'investment_strategies', {
    ...{
      id: strategyId,
      provider_code: providerCode,
      strategy_code: 'a',
      category_id: categoryId,
      name: 'A',
    },
    ...{ slug: strategyId, short_description: 'A', description: 'A', min_days: 1, max_days: 1, min_minor: 1 },
    ...{ risk_level: 'LOW', risk_disclosure: 'A', status: 'ACTIVE' },
    ...{ compounding_available: false, automatic_reinvestment: false, ...terms },
  });
  await insert(db, 'participations', {
    ...{ id, number: id, user_id: userId, strategy_id: strategyId, provider_code: providerCode },
    ...{ origin: 'PROVIDER', status: 'ACTIVE', payment_status: 'PAID', amount_minor: 1, duration_days: 1 },
    ...{ compounding: false, auto_reinvest: false, started_at: at, matures_at: due, ...terms },
  });
  return id;
}
