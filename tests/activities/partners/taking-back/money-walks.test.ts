import { earnedPeriods } from '../../../../db/partners/earnings/earnings.reads';
import { firstRow } from '../../../../db/sql/query';
import { given } from '../../../support/builders/given';
import { make } from '../../../support/builders/make';
import { violations } from '../../../support/checks/violations';
import { ownDatabase } from '../../../support/servers/database';
import { disputes } from '../../commerce/chargeback/charged-back';
import { refundReports } from '../../commerce/refund/reported/refund-reports';
import { randomFrom } from '../random';
import { MoneyWalk } from './money-walk';

const own = ownDatabase();
const [money, reports] = [disputes(own), refundReports(own)];

const GOODS_MINOR = 100_00;
/** A half of the commission of the goods, which is a tenth of them. */
const EARNED_MINOR = 5_00;
/** A point for each unit of the currency, in hundredths. */
const POINTS = 100_00;

/** The rest of an amount of the sale when this much of its money is back; rounded half up, once. */
const leftOf = (amount: number, backMinor: number): number =>
  amount - Math.floor((2 * amount * backMinor + GOODS_MINOR) / (2 * GOODS_MINOR));

/** Commissions less those that were reversed, of all partners, as analytics counts them. */
async function figuresMinor(): Promise<number> {
  const found = await firstRow<{ minor: number }>(
    own.db,
    `SELECT coalesce(sum(CASE figure WHEN 'commission.earned' THEN amount_minor ELSE -amount_minor END), 0)::bigint AS minor
       FROM analytics_changes WHERE figure IN ('commission.earned', 'commission.reversed')`,
  );
  return found!.minor;
}

/** All that the programme has counted of the only sale of a partner. */
async function countedOf({ id: partnerId, userId }: { id: string; userId: string }) {
  const counted = await firstRow<
    Record<'volume' | 'points' | 'monthly' | 'earned' | 'inForce' | 'booked', number>
  >(
    own.db,
    `SELECT s.personal_volume_minor AS volume, s.personal_points AS points, s.earned_minor AS earned,
       (SELECT sum(personal_points) FROM partner_months WHERE partner_id = $1)::bigint AS monthly,
       (SELECT coalesce(sum(net_minor), 0) FROM partner_commissions
         WHERE partner_id = $1 AND status <> 'REVERSED')::bigint AS in_force,
       (SELECT coalesce(sum(balance_minor), 0) FROM ledger_balances WHERE user_id = $2)::bigint AS booked
     FROM partner_standings s WHERE s.partner_id = $1`,
    [partnerId, userId],
  );
  const of = { userId, currency: 'USD' };
  const periods = await earnedPeriods(own.db, of, { granularity: 'day', from: new Date(0) });
  const statement = periods.reduce((sum, one) => sum + one.earnedMinor - one.reversedMinor, 0);
  return { ...counted!, statement };
}

/** One sale whose money goes back and forth. Answers the part of it that is back in the end. */
async function walk(seed: number): Promise<number> {
  const random = randomFrom(seed);
  const partner = await make.partner(own.db);
  const order = await given(own.db)
    .order({
      ...{ lines: [{ priceMinor: GOODS_MINOR, quantity: 1 }], discountBp: 0, shippingMinor: 0 },
      ...{ partnerMinor: random.pick([0, 0, 20_00, 50_00]), provider: money.bank(), sponsorId: partner.id },
    })
    .paid();
  const before = await figuresMinor();
  const moves = new MoneyWalk({ db: own.db, money, reports }, order, random);
  await moves.steps(random.between(8, 30));
  await moves.end();
  const backMinor = Math.min(GOODS_MINOR, await moves.withBuyer());
  const [earned, points] = [leftOf(EARNED_MINOR, backMinor), leftOf(POINTS, backMinor)];
  const steps = moves.done.join(' ');
  const figures = (await figuresMinor()) - before;
  expect({ seed, steps, ...(await countedOf(partner)), figures }).toEqual({
    ...{ seed, steps, volume: GOODS_MINOR - backMinor, points, monthly: points },
    ...{ earned, inForce: earned, booked: earned, statement: earned, figures: earned },
  });
  return backMinor;
}

/** Some walks a test, so that a busy machine reaches no limit. */
test.each(Array.from({ length: 8 }, (_, batch) => 1 + batch * 10))(
  'of ten orders from the %i. on, what is taken back is the money that the buyer has in the end',
  async (first) => {
    let takenBack = 0;
    for (let seed = first; seed < first + 10; seed++) if ((await walk(seed)) > 0) takenBack++;
    expect(takenBack).toBeGreaterThan(4);
    expect(await violations(own.db)).toEqual([]);
  },
);
