import { policyFrom } from '../../../db/policy/config';
import { firstRow, rows } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { make } from '../../support/builders/make';
import { people, soldOrder, soldOrderRefund } from '../../support/builders/partnering/sold-orders';
import { waiting } from '../../support/checks/held-locks';
import { takeAllEvents, takeEvent } from '../../support/checks/take-events';
import { violations } from '../../support/checks/violations';
import { ownDatabase } from '../../support/servers/database';

const own = ownDatabase();
const policy = policyFrom({});

const eventOf = async (reference: string): Promise<string> => {
  const event = await firstRow<{ id: string }>(own.db, 'SELECT id FROM domain_events WHERE reference = $1', [
    reference,
  ]);
  return event!.id;
};

/** Takes an event while the transaction that takes another is still open, and has to wait for it. */
async function takenAcross(first: string, second: string): Promise<void> {
  let other: Promise<boolean> | undefined;
  await inTransaction(own.db, async (tx) => {
    expect(await takeEvent(tx, policy, first)).toBe(true);
    other = takeEvent(own.db, policy, second);
    await waiting(own.db, 1);
  });
  expect(await other).toBe(true);
}

/** Orders of these tests are no more than the programme needs, so only its own rules hold. */
const violationsOfCounts = async () => (await violations(own.db)).filter((line) => /^partner-/.test(line));

test('of two refunds of an order at once the second takes what is missing after the first', async () => {
  const { id: sponsorId } = await make.partner(own.db);
  const [buyerId] = await people(own.db, [sponsorId]);
  // A commission of 0.05, of which 30 % are 0.02, and 60 % are 0.03.
  const lines = [{ goodsMinor: 10, commissionBp: 10_000 }];
  const order = await soldOrder(own.db, { buyerId: buyerId!, lines });
  await takeAllEvents(own.db);
  const refunds = [];
  for (let n = 0; n < 2; n++) {
    const id = await soldOrderRefund(own.db, { order, buyerId: buyerId!, goodsMinor: 3 });
    refunds.push(await eventOf(`refund.completed:${id}`));
  }
  await takenAcross(refunds[0]!, refunds[1]!);
  const commissions = await rows<{ netMinor: number }>(
    own.db,
    'SELECT net_minor FROM partner_commissions WHERE source_id = $1 ORDER BY id',
    [order.id],
  );
  expect(commissions.map(({ netMinor }) => netMinor)).toEqual([5, -2, -1]);
  expect(await violationsOfCounts()).toEqual([]);
});

test('of two partners who join at once below one who is not counted yet, one counts that one', async () => {
  const { id: top } = await make.partner(own.db);
  await takeAllEvents(own.db);
  const { id: sponsorId } = await make.partner(own.db, { sponsorId: top });
  const [a, b] = [await make.partner(own.db, { sponsorId }), await make.partner(own.db, { sponsorId })];
  await takenAcross(await eventOf(`partner.joined:${a.id}`), await eventOf(`partner.joined:${b.id}`));
  await takeAllEvents(own.db);
  const standing = await firstRow(
    own.db,
    'SELECT network_size, network_depth FROM partner_standings WHERE partner_id = $1',
    [top],
  );
  expect(standing).toEqual({ networkSize: 3, networkDepth: 2 });
  expect(await violationsOfCounts()).toEqual([]);
});
