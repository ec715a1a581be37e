import { copied, type Violating } from '../../../support/checks/guards';

const NEXT = { version: '2', valid_from: 'now()' };
const programme = (values: Readonly<Record<string, string>>): string =>
  copied('partner_programmes', { ...NEXT, ...values });
const RATES = [
  ...['personal_sale_bp', 'repeat_sale_bp', 'client_profit_bp', 'withholding_bp'],
  ...['pool_weekly_bp', 'pool_monthly_bp'],
];
const ENTRANCE_RATES = [1, 2, 3].map((level) => `entrance_level${level}_bp`);

/** A rank that no programme has, above EXECUTIVE. */
const rank = (values: Readonly<Record<string, string>>): string =>
  copied('partner_ranks', { level: '6', code: `'SIXTH'`, ...values }, 'level = 5');

const standings = (change: string): string => `UPDATE partner_standings SET ${change}`;

/** Partners that are each below the one before. */
const chain = (length: number): string => {
  const id = (n: string) => `('00000000-0000-7000-8000-' || lpad((${n})::text, 12, '0'))::uuid`;
  return `INSERT INTO partners (id, user_id, referral_code, status, sponsor_id, joined_at, activated_at)
    SELECT ${id('n')}, gen_random_uuid(), 'DEEP' || n, 'ACTIVE', CASE WHEN n > 1 THEN ${id('n - 1')} END, now(), now()
    FROM generate_series(1, ${length}) AS n`;
};

/** Of the programme's versions, of ranks, and of the network. */
export const violatingProgramme: Violating = {
  partner_programmes_rates_check: [
    ...[...RATES, ...ENTRANCE_RATES].map((rate) => programme({ [rate]: '-1' })),
    ...RATES.map((rate) => programme({ [rate]: '10001' })),
    programme({ entrance_level1_bp: '10000', entrance_level2_bp: '1', entrance_level3_bp: '0' }),
  ],
  partner_programmes_valid_from_key: [copied('partner_programmes', { version: '2' })],
  partner_programmes_version_check: [programme({ version: '0' })],
  partner_programmes_volume_check: ['weekly', 'monthly'].map((kind) =>
    programme({ [`pool_${kind}_volume_minor`]: '-1' }),
  ),
  partner_ranks_bonus_check: [rank({ bonus_minor: '-1' })],
  partner_ranks_code_check: ['', 'A', 'a_b', 'A1', 'A'.repeat(33)].map((code) => rank({ code: `'${code}'` })),
  partner_ranks_code_key: [rank({ code: `'EXECUTIVE'` })],
  partner_ranks_group_check: [rank({ group_points: '-1' })],
  partner_ranks_legs_check: [
    rank({ legs: '-1' }),
    rank({ legs: '0' }),
    rank({ leg_level: 'NULL::smallint' }),
    rank({ leg_level: '6' }),
  ],
  partner_ranks_level_check: [0, 21].map((level) =>
    rank({ level: String(level), leg_level: 'NULL::smallint', legs: '0' }),
  ),
  partner_ranks_personal_check: [rank({ personal_points: '-1' })],
  partner_ranks_pool_weight_check: [rank({ pool_weight: '-1' })],
  partner_ranks_profit_rate_check: [-1, 10_001].map((bp) => rank({ profit_rate_bp: String(bp) })),
  partner_ranks_team_rate_check: [-1, 10_001].map((bp) => rank({ team_rate_bp: String(bp) })),
  partner_standings_network_rank_check: [
    standings('network_rank_level = 0'),
    standings('network_rank_level = 21'),
    standings('rank_level = 2, highest_rank_level = 2'),
  ],
  partner_standings_rank_check: [
    standings('rank_level = 0'),
    standings('rank_level = 2, network_rank_level = 2'),
    standings('rank_limit = 0'),
    standings('rank_limit = 21'),
    standings('highest_rank_level = 0'),
    standings('highest_rank_level = 21'),
  ],
  partner_standings_size_check: [
    standings('network_size = -1'),
    standings('network_depth = -1'),
    standings('network_depth = network_size + 1'),
  ],
  partners_depth_check: [chain(501)],
  partners_sponsor_check: [
    // The trigger would look for the sponsor's path, which there is none of yet.
    `ALTER TABLE partners DISABLE TRIGGER partners_place;
     INSERT INTO partners (id, user_id, referral_code, status, sponsor_id, joined_at, path)
     SELECT id, gen_random_uuid(), 'ITSELF', 'ACTIVE', id, now(), '1' FROM (SELECT gen_random_uuid() AS id) AS one`,
  ],
  partners_number_key: [
    copied('partners', {
      ...{ id: 'gen_random_uuid()', user_id: 'gen_random_uuid()', referral_code: `'AGAIN'` },
    }),
  ],
  partner_descendants_level_check: [0, 11].map((level) => `UPDATE partner_descendants SET level = ${level}`),
  partner_levels_level_check: [0, 501].map((level) => `UPDATE partner_levels SET level = ${level}`),
  partner_levels_partners_check: ['UPDATE partner_levels SET partners = -1'],
  partner_months_month_check: [`UPDATE partner_months SET month = '2026-06-02'`],
  partner_rank_changes_by_check: [
    `UPDATE partner_rank_changes SET reason = 'Nobody.' WHERE changed_by IS NULL`,
    'UPDATE partner_rank_changes SET reason = NULL WHERE changed_by IS NOT NULL',
    'UPDATE partner_rank_changes SET changed_by = NULL WHERE changed_by IS NOT NULL',
    'UPDATE partner_rank_changes SET from_level = 3 WHERE changed_by IS NULL',
  ],
  partner_rank_changes_moves_check: [
    'UPDATE partner_rank_changes SET from_level = to_level WHERE changed_by IS NOT NULL',
  ],
};
