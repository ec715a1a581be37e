import { execute, rows } from '../../../../db/sql/query';
import { period, rankOf, runPool } from '../../../activities/partners/pool/pools';
import { make } from '../../../support/builders/make';
import { partnerSale } from '../../../support/builders/make/partners/partner-sales';
import { people, soldOrder, soldOrderRefund } from '../../../support/builders/partnering/sold-orders';
import { takeAllEvents } from '../../../support/checks/take-events';
import { ownWorld } from '../../../support/worlds/world';
import { partnerPerson } from '../partner-person';

const world = ownWorld({ worker: false });

type Person = Awaited<ReturnType<typeof partnerPerson>>;

/** The explanation of each of a partner's commissions of a type, the oldest first. */
async function explained({ partnerId, get }: Person, type: number) {
  const found = await rows<{ id: string; grossMinor: number; netMinor: number }>(
    world.db,
    'SELECT id, gross_minor, net_minor FROM partner_commissions WHERE partner_id = $1 AND type = $2 ORDER BY created_at, id',
    [partnerId, type],
  );
  return Promise.all(
    found.map(async ({ id, grossMinor }) => {
      const { status, body } = await get(`/commissions/${id}/explain`);
      expect(status).toBe(200);
      const { recomputedAmount, formula, inWords } = body.data.computation;
      expect(recomputedAmount).toBe(grossMinor / 100);
      return { amount: recomputedAmount as number, formula: formula as string, inWords: inWords as string };
    }),
  );
}

test('the shares of a pool are computed anew, with the units that rounding down leaves', async () => {
  const { startsAt: at } = period('WEEKLY', '2025-W20');
  const userId = (await make.user(world.db)).id;
  const takers = await Promise.all([partnerPerson(world), partnerPerson(world), partnerPerson(world)]);
  for (const [index, { partnerId }] of takers.entries()) {
    await rankOf(world.db, partnerId, 4);
    for (const sponsorId of [partnerId, partnerId]) {
      const leg = await make.partner(world.db, { sponsorId });
      await partnerSale(world.db, { partnerId: leg.id, baseMinor: 20_000_00 + index * 7_77, at, userId });
    }
  }
  await takeAllEvents(world.db);
  await runPool(world.db, 'WEEKLY', '2025-W20');
  const shares = (await Promise.all(takers.map((taker) => explained(taker, 7)))).flat();
  expect(shares).toHaveLength(takers.length);
  const run = (await rows<{ poolMinor: number }>(world.db, 'SELECT pool_minor FROM pool_runs'))[0]!;
  const sum = shares.reduce((minor, { amount }) => minor + Math.round(amount * 100), 0);
  expect(sum).toBe(run.poolMinor);
  const raised = shares.filter(({ formula }) => formula.includes(' + 0.01 USD = '));
  expect(raised.length).toBeGreaterThan(0);
  expect(raised.length).toBeLessThan(takers.length);
  for (const { formula } of shares)
    expect(formula).toMatch(/^[\d.]+ USD × \d+ ÷ \d+( \+ 0\.01 USD)? = [\d.]+ USD$/);
});

test('what refunds take back is computed anew, part by part', async () => {
  const me = await partnerPerson(world);
  const [buyerId] = await people(world.db, [me.partnerId]);
  const order = await soldOrder(world.db, {
    buyerId: buyerId!,
    lines: [{ goodsMinor: 33_33 }, { goodsMinor: 66_67, commissionBp: 2_500 }],
  });
  await takeAllEvents(world.db);
  for (const goodsMinor of [10_01, 20_02, 69_97]) {
    await soldOrderRefund(world.db, { order, buyerId: buyerId!, goodsMinor });
    await takeAllEvents(world.db);
  }
  const [earned, ...back] = await explained(me, 1);
  expect(back).toHaveLength(3);
  expect(earned!.amount).toBe(10);
  expect(Math.round(back.reduce((sum, { amount }) => sum + amount, 0) * 100)).toBe(-10_00);
  expect(back[0]!.formula).toMatch(/^−\(10\.00 USD × [\d.]+ ÷ [\d.]+ − 0\.00 USD\) = -1\.00 USD$/);
  expect(back[2]!.formula).toMatch(/^−\(10\.00 USD × ([\d.]+) ÷ \1 − [\d.]+ USD\) = -[\d.]+ USD$/);
  expect(back[1]!.inWords).toMatch(/^Takes back the part of another commission .+ taken back before\.$/);
});

test('parts taken back are in the order in which refunds were counted, whatever the clocks of the workers said', async () => {
  const me = await partnerPerson(world);
  const [buyerId] = await people(world.db, [me.partnerId]);
  const order = await soldOrder(world.db, { buyerId: buyerId!, lines: [{ goodsMinor: 10_00 }] });
  await takeAllEvents(world.db);
  for (const goodsMinor of [1_30, 3_30, 5_40]) {
    await soldOrderRefund(world.db, { order, buyerId: buyerId!, goodsMinor });
    await takeAllEvents(world.db);
  }
  // Each was counted by a worker whose clock was behind that of the one before.
  const behind = `now() - s.number * interval '1 minute'`;
  await execute(
    world.db,
    `UPDATE partner_commissions c SET created_at = ${behind} FROM partner_sales s
     WHERE s.event_id = c.event_id AND c.partner_id = $1`,
    [me.partnerId],
  );
  await execute(world.db, `UPDATE partner_sales s SET counted_at = ${behind} WHERE partner_id = $1`, [
    me.partnerId,
  ]);
  const amounts = (await explained(me, 1)).map(({ amount }) => amount);
  expect(amounts.sort((a, b) => b - a)).toEqual([0.5, -0.07, -0.16, -0.27]);
  const [whole] = await rows<{ id: string }>(
    world.db,
    'SELECT id FROM partner_commissions WHERE partner_id = $1 AND reversal_of IS NULL',
    [me.partnerId],
  );
  const { body } = await me.get(`/commissions/${whole!.id}/explain`);
  const parts = body.data.takenBack.parts as { amount: number }[];
  expect(parts.map(({ amount }) => amount)).toEqual([-0.07, -0.16, -0.27]);
});
