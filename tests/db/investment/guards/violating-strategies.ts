import { copied, ID, type Violating } from '../../../support/checks/guards';

const strategies = (change: string): string => `UPDATE investment_strategies SET ${change}`;

export const violatingStrategies: Violating = {
  investment_categories_slug_key: [copied('investment_categories', ID)],
  investment_provider_secrets_current_key: [copied('investment_provider_secrets', ID)],
  investment_provider_secrets_purpose_check: [`UPDATE investment_provider_secrets SET purpose = 'API'`],
  investment_providers_api_base_check: [`'ftp://api.test'`, `'api.test'`, `''`, `' http://api.test'`].map(
    (base) => `UPDATE investment_providers SET api_base = ${base}`,
  ),
  investment_providers_code_check: ['A', 'a', '1a', 'a b', 'a_b', `a' || repeat('b', 40) || '`].map((code) =>
    copied('investment_providers', { code: `'${code}'` }),
  ),
  investment_providers_sso_url_check: [`'ftp://api.test'`, `''`].map(
    (url) => `UPDATE investment_providers SET sso_url = ${url}`,
  ),
  investment_providers_webhooks_check: [0, 1_000_001].map(
    (n) => `UPDATE investment_providers SET webhooks_per_minute = ${n}`,
  ),
  investment_strategies_career_points_check: [-1, 1_000_001].map((n) =>
    strategies(`career_points_bp = ${n}`),
  ),
  investment_strategies_code_key: [
    copied('investment_strategies', { ...ID, slug: `'another'` }, `provider_code = 'alpha'`),
  ],
  investment_strategies_commission_check: [-1, 10_001].map((n) => strategies(`commission_bp = ${n}`)),
  investment_strategies_currency_check: ['usd', 'US', 'USDT'].map((text) =>
    strategies(`currency = '${text}'`),
  ),
  investment_strategies_days_check: [
    strategies('min_days = 0'),
    strategies('min_days = max_days + 1'),
    strategies('max_days = 36501'),
  ],
  investment_strategies_invested_check: [strategies('total_invested_minor = 1000000000000000')],
  investment_strategies_lock_days_check: [-1, 36_501].map((n) => strategies(`lock_days = ${n}`)),
  investment_strategies_max_check: [strategies('max_minor = min_minor - 1')],
  investment_strategies_min_check: [strategies('min_minor = 0')],
  investment_strategies_payout_frequency_check: [strategies(`payout_frequency = 'YEARLY'`)],
  investment_strategies_penalty_check: [-1, 10_001].map((n) =>
    strategies(`early_withdrawal_penalty_bp = ${n}`),
  ),
  investment_strategies_popularity_check: [
    strategies('total_participants = -1'),
    strategies('total_invested_minor = -1'),
    strategies('active_participations = -1'),
  ],
  investment_strategies_reserved_check: [strategies('reserved_minor = -1')],
  investment_strategies_return_type_check: [strategies(`return_type = 'NONE'`)],
  investment_strategies_returns_check: [
    strategies('return_min_bp = -10001'),
    strategies('return_min_bp = return_max_bp + 1, return_expected_bp = return_max_bp'),
    strategies('return_max_bp = 1000001'),
    strategies('return_expected_bp = return_min_bp - 1'),
    strategies('return_expected_bp = return_max_bp + 1'),
  ],
  investment_strategies_risk_level_check: [strategies(`risk_level = 'NONE'`)],
  investment_strategies_slug_key: [copied('investment_strategies', { ...ID, strategy_code: `'another'` })],
  investment_strategies_status_check: [strategies(`status = 'DELETED'`)],
  investment_strategy_documents_type_check: [`UPDATE investment_strategy_documents SET type = 'LETTER'`],
  media_content_type_check: [copied('media', { name: `repeat('b', 64)`, content_type: `'text/html'` })],
  media_picture_check: [
    copied('media', { name: `repeat('b', 64)`, content_type: `'application/pdf'` }),
    copied('media', { name: `repeat('b', 64)`, width: 'null' }),
    copied('media', { name: `repeat('b', 64)`, width: 'null', height: 'null' }),
  ],
  media_purpose_check: [copied('media', { name: `repeat('b', 64)`, purpose: `'LETTER'` })],
};
