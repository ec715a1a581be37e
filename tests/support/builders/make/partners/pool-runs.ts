import { v7 } from 'uuid';
import { payPool } from '../../../../../activities/partners/pool/pay-pool';
import { fundPool } from '../../../../../db/partners/pool/pool-pay.transitions';
import { execute, firstRow, rows, type Db } from '../../../../../db/sql/query';
import { inTransaction } from '../../../../../db/sql/transaction';
import { poolPeriodAt, type PoolPeriod } from '../../../../../workflows/partners/pool/pool-period.rules';
import { insert } from '../insert';
import { countedInvestment, partnerSale } from './partner-sales';
import { partner, type Partner } from './partners';
import { user } from '../people';

const WEEK_MS = 7 * 24 * 3_600_000;

/** A leader with two partners below who each sold 1,750.00, or another amount, in a period, all of which counts. */
export async function qualifiedLeader(db: Db, period: PoolPeriod, ofLegMinor = 1_750_00): Promise<Partner> {
  const leader = await partner(db);
  await execute(
    db,
    `UPDATE partner_standings SET rank_level = 3, highest_rank_level = 3, network_rank_level = 3 WHERE partner_id = $1`,
    [leader.id],
  );
  const { id: userId } = await user(db);
  for (const baseMinor of [ofLegMinor, ofLegMinor]) {
    const { id: partnerId } = await partner(db, { sponsorId: leader.id });
    await partnerSale(db, { userId, partnerId, baseMinor, at: period.startsAt });
  }
  return leader;
}

/** The period of the next run of this file's database: every run has its own week, from 2021 on. */
async function freeWeek(db: Db): Promise<PoolPeriod> {
  const [{ n } = { n: 0 }] = await rows<{ n: number }>(db, 'SELECT count(*)::int AS n FROM pool_runs');
  return poolPeriodAt('WEEKLY', new Date(Date.UTC(2021, 0, 6) + n * WEEK_MS));
}

export interface PoolRun {
  id: string;
  period: PoolPeriod;
  /** The partner who gets the whole pool of 35.00. */
  leader: Partner;
}

/**
 * A completed run of a weekly pool of 35.00 with one share, by default of a new partner, and one partner who has not enough
 * volume. One investment of nobody's network makes its base.
 */
export async function poolRun(db: Db, ofLeader?: Partner): Promise<PoolRun> {
  const run = await countedPoolRun(db, ofLeader);
  await payPool({ db, signal: new AbortController().signal, batch: 10 }, run.id);
  return run;
}

/** The same before its share is paid. */
export async function countedPoolRun(db: Db, ofLeader?: Partner): Promise<PoolRun> {
  const period = await freeWeek(db);
  await countedInvestment(db, { amountMinor: 3_500_00, at: period.startsAt });
  const last = await firstRow<{ number: number }>(db, 'SELECT max(number) AS number FROM partner_sales');
  const previous = await firstRow<{ id: string }>(
    db,
    `SELECT id FROM pool_runs p WHERE kind = 'WEEKLY'
       AND NOT EXISTS (SELECT 1 FROM pool_runs n WHERE n.previous_run_id = p.id)`,
  );
  const [leader, other] = [ofLeader ?? (await partner(db)), await partner(db)];
  const id = v7();
  const base = {
    programme_version: 1,
    currency: 'USD',
    base_minor: 3_500_00,
    rate_bp: 100,
    pool_minor: 35_00,
  };
  await insert(db, 'pool_runs', {
    ...{
      id,
      kind: period.kind,
      period: period.period,
      starts_at: period.startsAt,
      ends_at: period.endsAt,
      ...base,
    },
    ...{ minimum_volume_minor: 1_000_00, denominator: 3_500_00, participants: 1, distributed_minor: 35_00 },
    ...{ status: 'PAYING', counted_at: new Date(), last_sale_number: last!.number },
    previous_run_id: previous?.id ?? null,
  });
  const shares = [
    { of: leader, volume: 3_500_00, largest: 1_750_00, qualified: 3_500_00, amount: 35_00 },
    { of: other, volume: 900_00, largest: 500_00, qualified: 800_00, amount: 0 },
  ];
  for (const { of, volume, largest, qualified, amount } of shares)
    await execute(
      db,
      `INSERT INTO pool_shares (run_id, partner_id, number, rank_level, weight, legs, volume_minor, largest_leg_minor,
         qualified_minor, takes_part, amount_minor, commission_id)
       SELECT $1, id, number, 3, 1, 2, $3, $4, $5, $6 > 0, $6, CASE WHEN $6 > 0 THEN gen_random_uuid() END
         FROM partners WHERE id = $2`,
      [id, of.id, volume, largest, qualified, amount],
    );
  await inTransaction(db, (tx) =>
    fundPool(tx, { ...period, amountMinor: 35_00, currency: 'USD' }, new Date()),
  );
  return { id, period, leader };
}
