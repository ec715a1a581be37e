import { analyticsInvariants } from '../../../../db/invariants/analytics.invariants';
import { lockPartner, movePartner } from '../../../../db/partners/membership/membership.writes';
import { lockRanksAbove, recordRankChange, setRank } from '../../../../db/partners/rank/rank.writes';
import { rows, type Db } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { make } from '../../../support/builders/make';
import { ownDatabase } from '../../../support/servers/database';

const own = ownDatabase();

const suspend = (db: Db, id: string) =>
  inTransaction(db, async (tx) => {
    await lockPartner(tx, id);
    await movePartner(tx, { id, status: 'ACTIVE' }, 'SUSPENDED', new Date());
  });

/** A rank that is reached by points: the commission engine locks standings, and no partner. */
const rise = (db: Db, partnerId: string) =>
  inTransaction(db, async (tx) => {
    const above = await lockRanksAbove(tx, partnerId);
    const [changedAt, fromLevel, toLevel] = [new Date(), above[0]!.rankLevel, above[0]!.rankLevel + 1];
    await setRank(tx, above, { level: toLevel, limit: null, at: changedAt });
    const by = { programmeVersion: 1, changedBy: null, reason: null, changedAt };
    await recordRankChange(tx, { partnerId, ...by, fromLevel, toLevel });
  });

const history = (db: Db, partnerId: string) =>
  rows<{ state: string }>(
    db,
    `SELECT concat_ws(' ', from_status, from_level, 'to', to_status, to_level) AS state FROM partner_state_changes
      WHERE partner_id = $1 ORDER BY id`,
    [partnerId],
  );

test('a suspension and two ranks at once: each change begins with what the one before it left', async () => {
  const { db } = own;
  const { sql } = analyticsInvariants.find(({ id }) => id === 'partner-states.have-their-history')!;
  for (let round = 0; round < 15; round++) {
    const { id } = await make.partner(db);
    await Promise.all([rise(db, id), suspend(db, id), rise(db, id)]);
    const states = await history(db, id);
    expect(states).toHaveLength(4);
    expect(states[0]).toEqual({ state: 'to ACTIVE 1' });
    expect(states.at(-1)!.state).toMatch(/ to SUSPENDED 3$/);
  }
  expect(await rows(db, sql)).toEqual([]);
});
