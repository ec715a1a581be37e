import { execute } from '../../../../db/sql/query';
import { ownDatabase } from '../../../support/servers/database';
import { compareRules, compareWorlds, seedsFrom } from './compared';

const own = ownDatabase();
/** Of a programme that withholds a part of every commission. */
const withholding = ownDatabase();
const WITHHOLDING_BP = 1_300;

beforeAll(async () => {
  const columns = `valid_from, personal_sale_bp, repeat_sale_bp, client_profit_bp, entrance_level1_bp, entrance_level2_bp,
    entrance_level3_bp, pool_weekly_bp, pool_monthly_bp, pool_weekly_volume_minor, pool_monthly_volume_minor`;
  await execute(
    withholding.owner,
    `INSERT INTO partner_programmes (version, withholding_bp, ${columns})
     SELECT 2, $1, ${columns.replace('valid_from', `valid_from + interval '1 year'`)} FROM partner_programmes WHERE version = 1`,
    [WITHHOLDING_BP],
  );
  await execute(
    withholding.owner,
    `INSERT INTO partner_ranks SELECT (jsonb_populate_record(r, '{"programme_version": 2}')).* FROM partner_ranks r`,
  );
});

test.each(seedsFrom(0, 10).map((batch) => [10_001 + batch * 500, batch % 2 === 0 ? 0 : WITHHOLDING_BP]))(
  'the rules count five hundred random worlds from the %i. on, %i bp withheld, as the reference does',
  (first, withheldBp) => {
    expect(compareRules(seedsFrom(first, 500), withheldBp).commissions).toBeGreaterThan(1_500);
  },
);

test.each(seedsFrom(0, 20).map((batch) => [20_001 + batch * 50, batch % 2 === 0 ? 0 : WITHHOLDING_BP]))(
  'the engine counts fifty random worlds from the %i. on, %i bp withheld, as the reference does',
  async (first, withheldBp) => {
    const { db } = withheldBp === 0 ? own : withholding;
    const { commissions } = await compareWorlds(db, seedsFrom(first, 50), withheldBp);
    expect(commissions).toBeGreaterThan(150);
  },
);
