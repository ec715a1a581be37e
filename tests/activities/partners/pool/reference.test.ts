import type { Db } from '../../../../db/sql/query';
import { rows } from '../../../../db/sql/query';
import { poolAmount, qualifiedVolume, sharesOf } from '../../../../workflows/partners/pool/pool.rules';
import { make } from '../../../support/builders/make';
import { partnerSale, takeEvents } from '../../../support/builders/make/partners/partner-sales';
import { createDatabase, type TestDatabase } from '../../../support/servers/database';
import { period, rankOf, runPool, sharesOfRun } from './pools';

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await createDatabase();
  ({ db } = database);
});
afterAll(() => database.drop());

/** A generator of numbers below `below`, the same for a seed. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const STATUSES = ['ACTIVE', 'ACTIVE', 'ACTIVE', 'SUSPENDED', 'TERMINATED'] as const;
const WEIGHTS = [0, 0, 0, 1, 2, 3];
const MINIMUM = 1_000_00n;

interface Node {
  id: string;
  sponsor: Node | null;
  status: (typeof STATUSES)[number];
  rank: number;
  own: bigint;
}

/** The volume of a partner and all below, as anybody would add it up. */
const totalOf = (node: Node, tree: readonly Node[]): bigint =>
  tree.filter(({ sponsor }) => sponsor === node).reduce((sum, child) => sum + totalOf(child, tree), node.own);

async function expectedShares(tree: readonly Node[], unsponsored: bigint) {
  const numbers = await rows<{ id: string; number: number }>(db, 'SELECT id, number FROM partners');
  const numberOf = new Map(numbers.map(({ id, number }) => [id, BigInt(number)]));
  const base = tree.reduce((sum, { own }) => sum + own, unsponsored);
  const takers = tree.flatMap((node) => {
    const legs = tree.filter(({ sponsor }) => sponsor === node).map((child) => totalOf(child, tree));
    const qualified = qualifiedVolume([node.own, ...legs]);
    const weight = BigInt(WEIGHTS[node.rank]!);
    const takesPart = node.status === 'ACTIVE' && weight > 0n && qualified >= MINIMUM;
    return takesPart ? [{ id: node.id, number: numberOf.get(node.id)!, numerator: qualified * weight }] : [];
  });
  const pool = poolAmount(base, 100n);
  const shares = sharesOf(pool, takers);
  return { pool, shares: new Map(takers.map(({ id }, index) => [id, Number(shares[index])])) };
}

test.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])(
  'a random tree (%i) has the shares of the reference',
  async (seed) => {
    const next = random(seed * 7919);
    const { id: userId } = await make.user(db);
    const week = `2025-W${10 + seed}`;
    const { startsAt: monday } = period('WEEKLY', week);
    const tree: Node[] = [];
    for (let n = 0; n < 25; n++) {
      const sponsor = n === 0 || next(10) === 0 ? null : tree[next(Math.min(n, 1 + next(n)))]!;
      const [status, rank] = [STATUSES[next(5)]!, 1 + next(5)];
      const { id } = await make.partner(db, { status, sponsorId: sponsor?.id ?? null });
      await rankOf(db, id, rank);
      tree.push({ id, sponsor, status, rank, own: 0n });
    }
    for (let n = 0; n < 60; n++) {
      const node = tree[next(25)]!;
      const refund = next(5) === 0;
      const baseMinor = refund ? -next(2_000_00) : next(1_500_33);
      await partnerSale(db, {
        ...{ userId, partnerId: node.id, baseMinor, at: new Date(monday.getTime() + next(40_000_000)) },
        kind: refund ? 'REFUND' : 'ORDER',
      });
      node.own += BigInt(baseMinor);
    }
    const unsponsored = next(1_000_00);
    await partnerSale(db, { userId, baseMinor: unsponsored, at: monday });
    await takeEvents(db);

    const runId = await runPool(db, 'WEEKLY', week);
    const expected = await expectedShares(tree, BigInt(unsponsored));
    const found = await sharesOfRun(db, runId);
    const amounts = new Map(
      [...found].filter(([, { takesPart }]) => takesPart).map(([id, { amountMinor }]) => [id, amountMinor]),
    );
    expect(amounts).toEqual(expected.shares);
    const [run] = await rows<{ poolMinor: number }>(db, 'SELECT pool_minor FROM pool_runs WHERE id = $1', [
      runId,
    ]);
    expect(run).toEqual({ poolMinor: Number(expected.pool) });
  },
);

/** A leader with two partners below who sold as much each, in a period. */
async function leader(at: Date, eachMinor: number): Promise<string> {
  const { id: userId } = await make.user(db);
  const { id } = await make.partner(db);
  await rankOf(db, id, 3);
  for (let leg = 0; leg < 2; leg++) {
    const below = await make.partner(db, { sponsorId: id });
    await partnerSale(db, { userId, partnerId: below.id, baseMinor: eachMinor, at });
  }
  return id;
}

test('of equal remainders those of the lower numbers get the units that are left', async () => {
  const { startsAt } = period('WEEKLY', '2025-W30');
  const leaders = [];
  for (let n = 0; n < 3; n++) leaders.push(await leader(startsAt, 1_000_11));
  await takeEvents(db);
  const shares = await sharesOfRun(db, await runPool(db, 'WEEKLY', '2025-W30'));
  // One per cent of 6,000.66, rounded half up, is 60.01.
  expect(leaders.map((id) => shares.get(id)?.amountMinor)).toEqual([20_01, 20_00, 20_00]);
});

test('sales in another currency and those of the next period count for nobody', async () => {
  const { startsAt, endsAt } = period('WEEKLY', '2025-W32');
  const { id: userId } = await make.user(db);
  const id = await leader(startsAt, 1_000_00);
  const below = await make.partner(db, { sponsorId: id });
  const foreign = { userId, partnerId: below.id, baseMinor: 5_000_00 };
  await partnerSale(db, { ...foreign, at: startsAt, currency: 'EUR' });
  await partnerSale(db, { ...foreign, at: endsAt });
  await partnerSale(db, { ...foreign, at: new Date(startsAt.getTime() - 1) });
  await takeEvents(db);
  const shares = await sharesOfRun(db, await runPool(db, 'WEEKLY', '2025-W32'));
  expect(shares.get(id)).toMatchObject({ volumeMinor: 2_000_00, amountMinor: 20_00 });
});
