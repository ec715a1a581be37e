import { ownDatabase } from '../../../support/servers/database';
import { compareRules, compareWorlds, seedsFrom } from './compared';

const own = ownDatabase();

test.each(seedsFrom(0, 10).map((batch) => 10_001 + batch * 500))(
  'the rules count five hundred random worlds from the %i. on as the reference does',
  (first) => {
    expect(compareRules(seedsFrom(first, 500)).commissions).toBeGreaterThan(1_500);
  },
);

test.each(seedsFrom(0, 6).map((batch) => 20_001 + batch * 50))(
  'the engine counts fifty random worlds from the %i. on as the reference does',
  async (first) => {
    const { commissions } = await compareWorlds(own.db, seedsFrom(first, 50));
    expect(commissions).toBeGreaterThan(150);
  },
);
