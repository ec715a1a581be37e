import type { Response } from 'supertest';
import { firstRow, rows } from '../../../../../db/sql/query';
import { make } from '../../../../support/builders/make';
import { people, soldOrder, soldOrderRefund } from '../../../../support/builders/partnering/sold-orders';
import { signIn } from '../../../../support/builders/sign-in';
import { takeAllEvents } from '../../../../support/checks/take-events';
import { violations } from '../../../../support/checks/violations';
import { startWorld, type World } from '../../../../support/worlds/world';

let world: World;
let clerk: string;
beforeAll(async () => {
  world = await startWorld({ worker: false });
  clerk = await signIn(world, await make.admin(world.db));
});
afterAll(async () => {
  // The orders were written as the programme sees them, without goods and money.
  const lines = await violations(world.db);
  expect(lines.filter((line) => /^(ledger|partner-|commissions)/.test(line))).toEqual([]);
  await world.teardown();
});

const decide = async (id: string, move: string, body: object): Promise<void> => {
  const answer: Response = await world.http
    .post(`/api/v1/admin/partners/${id}/${move}`)
    .auth(clerk, { type: 'bearer' })
    .send(body);
  expect(answer.status).toBe(200);
};
const suspends = (id: string) => decide(id, 'suspend', { reason: 'Spam' });
const activates = (id: string) => decide(id, 'activate', {});
const sets = (id: string, rankCode: string) => decide(id, 'rank', { rankCode, reason: 'Merit' });

/** BUILDER requires 100 points of the own customers and 1,000 of the group, of which one leg counts for 500 at most. */
interface Team {
  id: string;
  sponsorId: string;
  /** Customers of the partner, and of the partner below. */
  customers: readonly [own: string, below: string];
}
async function team(): Promise<Team> {
  const top = await make.partner(world.db);
  const { id } = await make.partner(world.db, { sponsorId: top.id });
  const below = await make.partner(world.db, { sponsorId: id });
  const [own, other] = await people(world.db, [id, below.id]);
  return { id, sponsorId: top.id, customers: [own!, other!] };
}
const buys = async (buyerId: string, goodsMinor = 600_00) => {
  const order = await soldOrder(world.db, { buyerId, lines: [{ goodsMinor }] });
  await takeAllEvents(world.db);
  return order;
};
const standingOf = (id: string) =>
  firstRow(
    world.db,
    `SELECT rank_level AS rank, rank_limit AS limit, network_rank_level AS network, group_points / 100 AS points
     FROM partner_standings WHERE partner_id = $1`,
    [id],
  );
const bonusesOf = (id: string) =>
  rows(
    world.db,
    `SELECT c.status, c.net_minor, c.rank_level, e.type AS event FROM partner_commissions c
       LEFT JOIN domain_events e ON e.id = c.event_id WHERE c.partner_id = $1 AND c.type = 8`,
    [id],
  );

test('a rank that points reached during a suspension is given when it ends, with its bonus, once', async () => {
  const { id, sponsorId, customers } = await team();
  await buys(customers[0]);
  await suspends(id);
  await buys(customers[1]);
  expect(await standingOf(id)).toEqual({ rank: 1, limit: null, network: 1, points: 1_200 });
  expect(await bonusesOf(id)).toEqual([]);

  await activates(id);
  await takeAllEvents(world.db);
  expect(await standingOf(id)).toEqual({ rank: 2, limit: null, network: 2, points: 1_200 });
  const bonus = { status: 'PENDING', netMinor: 50_00, rankLevel: 2, event: 'partner.activated' };
  expect(await bonusesOf(id)).toEqual([bonus]);
  expect(await standingOf(sponsorId)).toMatchObject({ rank: 1, network: 2 });
  expect(
    await rows(
      world.db,
      'SELECT from_level, to_level, changed_by FROM partner_rank_changes WHERE partner_id = $1',
      [id],
    ),
  ).toEqual([{ fromLevel: 1, toLevel: 2, changedBy: null }]);

  await suspends(id);
  await activates(id);
  await takeAllEvents(world.db);
  expect(await bonusesOf(id)).toEqual([bonus]);
});

test('who is suspended again before the engine looks rises only when that ends too', async () => {
  const { id, customers } = await team();
  await buys(customers[0]);
  await suspends(id);
  await buys(customers[1]);
  await activates(id);
  await suspends(id);
  await takeAllEvents(world.db);
  expect(await standingOf(id)).toMatchObject({ rank: 1 });
  await activates(id);
  await takeAllEvents(world.db);
  expect(await standingOf(id)).toMatchObject({ rank: 2 });
});

test('an activation while its partner is counted for a sale: both are right, whichever is first', async () => {
  const { id, customers } = await team();
  await buys(customers[0]);
  await suspends(id);
  await soldOrder(world.db, { buyerId: customers[1], lines: [{ goodsMinor: 600_00 }] });
  await Promise.all([activates(id), takeAllEvents(world.db)]);
  await takeAllEvents(world.db);
  expect(await standingOf(id)).toMatchObject({ rank: 2, points: 1_200 });
  expect(await bonusesOf(id)).toHaveLength(1);
});

test('a rank lowered by hand is a limit for points, until one at or above it is set', async () => {
  const { id, customers } = await team();
  await sets(id, 'LEADER');
  await sets(id, 'STARTER');
  await buys(customers[0]);
  await buys(customers[1]);
  expect(await standingOf(id)).toEqual({ rank: 1, limit: 1, network: 1, points: 1_200 });
  // A suspension that ends does not get around the limit.
  await suspends(id);
  await activates(id);
  await takeAllEvents(world.db);
  expect(await standingOf(id)).toMatchObject({ rank: 1, limit: 1 });
  await sets(id, 'STARTER');
  expect(await standingOf(id)).toMatchObject({ rank: 1, limit: null });
  await buys(customers[1], 10_00);
  expect(await standingOf(id)).toMatchObject({ rank: 2, limit: null, network: 2 });
  expect(await bonusesOf(id)).toHaveLength(1);
});

test('the bonus of a rank that points reach once more, after it was taken away by hand, is not paid again', async () => {
  const { id, customers } = await team();
  await buys(customers[0]);
  await buys(customers[1]);
  await sets(id, 'STARTER');
  await sets(id, 'STARTER');
  await buys(customers[1], 10_00);
  expect(await standingOf(id)).toEqual({ rank: 2, limit: null, network: 2, points: 1_210 });
  expect(await bonusesOf(id)).toHaveLength(1);
});

test('below the limit points raise again, up to it; the bonus of a rank set by hand is never paid', async () => {
  const { id, customers } = await team();
  await sets(id, 'EXECUTIVE');
  await sets(id, 'BUILDER');
  expect(await standingOf(id)).toMatchObject({ rank: 2, limit: 2 });
  await buys(customers[0]);
  await buys(customers[1]);
  expect(await standingOf(id)).toMatchObject({ rank: 2, limit: 2 });
  expect(await bonusesOf(id)).toEqual([]);
});

test('a rank set by hand that completes the legs of the one above raises it, with its bonus, without another sale', async () => {
  const { db } = world;
  const top = await make.partner(db);
  const { id } = await make.partner(db, { sponsorId: top.id });
  const [left, right] = [
    await make.partner(db, { sponsorId: id }),
    await make.partner(db, { sponsorId: id }),
  ];
  const [own, first, second] = await people(db, [id, left.id, right.id]);
  for (const [buyer, goodsMinor] of [
    [own!, 200_00],
    [first!, 6_000_00],
    [second!, 6_000_00],
  ] as const)
    await buys(buyer, goodsMinor);
  expect([await standingOf(id), await standingOf(left.id)]).toMatchObject([{ rank: 2 }, { rank: 1 }]);
  await sets(left.id, 'BUILDER');
  await takeAllEvents(db);
  expect(await standingOf(id)).toMatchObject({ rank: 2, network: 2 });

  await sets(right.id, 'BUILDER');
  expect(await standingOf(id)).toMatchObject({ rank: 2 });
  await takeAllEvents(db);
  expect(await standingOf(id)).toMatchObject({ rank: 3, network: 3 });
  expect(await standingOf(top.id)).toMatchObject({ rank: 1, network: 3 });
  expect(await bonusesOf(id)).toContainEqual({
    ...{ status: 'PENDING', netMinor: 250_00, rankLevel: 3, event: 'partner.ranked' },
  });
});

test('a limit that ends lets the points that were counted before raise at once; a lower rank asks for nothing', async () => {
  const { id, customers } = await team();
  await sets(id, 'LEADER');
  await sets(id, 'STARTER');
  await buys(customers[0]);
  await buys(customers[1]);
  const asked = () =>
    rows(world.db, `SELECT id FROM domain_events WHERE type = 'partner.ranked' AND entity_id = $1`, [id]);
  expect(await asked()).toHaveLength(1);
  await sets(id, 'STARTER');
  await sets(id, 'STARTER');
  expect(await asked()).toHaveLength(2);
  await takeAllEvents(world.db);
  expect(await standingOf(id)).toEqual({ rank: 2, limit: null, network: 2, points: 1_200 });
});

test('refunds take points back, and neither ranks nor limits', async () => {
  const { id, customers } = await team();
  const [order] = [await buys(customers[0]), await buys(customers[1])];
  expect(await standingOf(id)).toEqual({ rank: 2, limit: null, network: 2, points: 1_200 });
  await soldOrderRefund(world.db, {
    ...{ order, buyerId: customers[0], goodsMinor: 600_00, isCancellation: true },
  });
  await takeAllEvents(world.db);
  expect(await standingOf(id)).toEqual({ rank: 2, limit: null, network: 2, points: 600 });
  // Lowered after that, it does not come back by points that were counted before.
  await sets(id, 'STARTER');
  await buys(customers[0], 1_00);
  expect(await standingOf(id)).toEqual({ rank: 1, limit: 1, network: 1, points: 601 });
  expect(await bonusesOf(id)).toHaveLength(1);
});
