import { ownDatabase } from '../../../support/servers/database';
import { compareRules, compareWorlds, seedsFrom } from './compared';

const own = ownDatabase();

/** Some worlds a test, so that a busy machine reaches no limit. */
const AT_ONCE = 50;

test.each(seedsFrom(0, 6).map((batch) => 1 + batch * AT_ONCE))(
  'fifty random worlds from the %i. on are counted as the reference counts them',
  async (first) => {
    const { commissions } = await compareWorlds(own.db, seedsFrom(first, AT_ONCE));
    expect(commissions).toBeGreaterThan(150);
  },
);

test.each([0, 1_300])(
  'the rules count five hundred random worlds as the reference does, %i bp withheld',
  (withholdingBp) => {
    expect(compareRules(seedsFrom(1, 500), withholdingBp).commissions).toBeGreaterThan(1_500);
  },
);
