import { execute, firstRow, rows } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { make } from '../../support/builders/make';
import { people, soldOrder, soldOrderRefund } from '../../support/builders/partnering/sold-orders';
import { eventually } from '../../support/checks/eventually';
import { violations } from '../../support/checks/violations';
import { ownKillingWorld } from '../../support/worlds/killing-world';

/** Each third sale is refunded in part. */
const SALES = 240;
const REFUNDS = SALES / 3;
const AT_ONCE = 6;
const LEVELS = 12;

const world = ownKillingWorld({ variables: { POLICY_EVENT_CONCURRENCY: '2' } });

const taken = async (): Promise<number> =>
  (await firstRow<{ n: number }>(world.db, 'SELECT count(*)::int AS n FROM partner_sales'))!.n;

/** Sells and refunds, some at a time, and calls `when` once the number of sales that it names is written. */
async function burst(buyers: readonly string[], when: ReadonlyMap<number, () => Promise<void>>) {
  let next = 0;
  const seller = async (): Promise<void> => {
    for (let sale = next++; sale < SALES; sale = next++) {
      const buyerId = buyers[sale % buyers.length]!;
      const order = await soldOrder(world.db, { buyerId, lines: [{ goodsMinor: 100_00 }] });
      if (sale % 3 === 0) await soldOrderRefund(world.db, { order, buyerId, goodsMinor: 40_00 });
      await when.get(sale)?.();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, seller));
}

/** Does something while an engine waits in the middle of the transaction of an event. */
const whileCounting = (happens: () => Promise<unknown>): Promise<void> =>
  inTransaction(world.owner, async (tx) => {
    await execute(tx, 'LOCK TABLE ledger_entries IN SHARE MODE');
    await eventually(async () => expect(await waitingEngines()).toBeGreaterThan(0));
    await happens();
  });

const WAITING = `FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
const waitingEngines = async (): Promise<number> => (await rows(world.owner, `SELECT pid ${WAITING}`)).length;

it('the worker and its connections, killed while hundreds of events are counted: each is counted once', async () => {
  let sponsorId: string | null = null;
  const partnerIds: string[] = [];
  for (let level = 0; level < LEVELS; level++)
    partnerIds.push((sponsorId = (await make.partner(world.db, { sponsorId })).id));
  const buyers = await people(
    world.db,
    Array.from({ length: 20 }, () => sponsorId),
  );
  const atKill: number[] = [];
  await burst(
    buyers,
    new Map([
      [
        80,
        () =>
          whileCounting(async () =>
            atKill.push(await execute(world.owner, `SELECT pg_terminate_backend(pid) ${WAITING}`)),
          ),
      ],
      [
        160,
        () =>
          whileCounting(async () => {
            atKill.push(await taken());
            await world.worker.kill();
          }),
      ],
    ]),
  );
  await world.worker.start();
  const [lostConnections, countedBefore] = atKill;
  expect(lostConnections).toBeGreaterThan(0);
  expect(countedBefore).toBeLessThan(SALES + REFUNDS);
  await eventually(async () => expect(await taken()).toBe(SALES + REFUNDS));
  const left = SALES * 100_00 - REFUNDS * 40_00;
  const standings = await rows<{ groupVolumeMinor: number; groupPoints: number }>(
    world.db,
    'SELECT group_volume_minor, group_points FROM partner_standings WHERE partner_id = ANY($1::uuid[])',
    [partnerIds],
  );
  expect(standings).toEqual(partnerIds.map(() => ({ groupVolumeMinor: left, groupPoints: left })));
  expect(await brokenOfPartners()).toEqual([]);
  expect(await rows(world.db, 'SELECT position FROM event_deliveries')).toEqual([]);
});

/** The rules of the partner programme and of the ledger; the orders of this test were never paid for. */
async function brokenOfPartners(): Promise<string[]> {
  const found = await violations(world.db);
  return found.filter((line) => /^(partner|commission|ledger|network)/.test(line));
}
