import { setTimeout as pause } from 'node:timers/promises';
import { rows } from '../../../../db/sql/query';
import { startProcesses } from '../../../../workers/start';
import { poolPeriodAt, type PoolPeriod } from '../../../../workflows/partners/pool/pool-period.rules';
import { poolProcess } from '../../../../workflows/partners/pool/pool.contract';
import { make } from '../../../support/builders/make';
import { signIn } from '../../../support/builders/sign-in';
import type { Fault } from '../../fault';
import type { Stack } from '../../platform/stack';
import { sendOnce } from '../../requests/client';
import { pastSales } from '../../scenario/past-sales';
import { fireTwice, killWhile, type Victim } from './kill-while';

const WEEK_MS = 7 * 86_400_000;
const LEADERS = 5;

/** The period of the next pool of this stack: every one has its own week, from 2021 on. */
async function freeWeek({ db }: Stack): Promise<PoolPeriod> {
  const runs = await rows(db, `SELECT 1 FROM pool_runs WHERE kind = 'WEEKLY' AND starts_at < '2025-01-01'`);
  return poolPeriodAt('WEEKLY', new Date(Date.UTC(2021, 0, 6) + runs.length * WEEK_MS));
}

/** Leaders, with two partners below each who sold 1,750.00 in the period; the ids in the order in which they are paid. */
async function leadersOf({ db, frontPort }: Stack, { startsAt }: PoolPeriod): Promise<string[]> {
  const token = await signIn({ db }, await make.admin(db));
  const leaders: string[] = [];
  const sales: { sponsorId: string; at: Date }[] = [];
  for (let n = 0; n < LEADERS; n++) {
    const { id } = await make.partner(db);
    leaders.push(id);
    for (let leg = 0; leg < 2; leg++)
      sales.push({ sponsorId: (await make.partner(db, { sponsorId: id })).id, at: startsAt });
    const { status } = await sendOnce(frontPort, {
      method: 'POST',
      path: `/api/v1/admin/partners/${id}/rank`,
      body: { rankCode: 'LEADER', reason: 'Merit' },
      headers: { authorization: `Bearer ${token}` },
    });
    if (status !== 200) throw new Error(`the rank of a leader was answered ${status}`);
  }
  await pastSales(db, sales);
  return leaders.sort();
}

/** A pool is started twice at once, and killed while it counts or pays its shares, two at a time. */
export function whilePaying(victim: Victim): Fault {
  let period: string;
  let leaders: string[] = [];
  return {
    name: `kill ${victim} while a leadership pool is counted or paid`,
    async prepare(stack) {
      const week = await freeWeek(stack);
      period = week.period;
      leaders = await leadersOf(stack, week);
    },
    async inject(context) {
      const { stack, random } = context;
      await pause(random.int(0, 1_500));
      const moments = [
        { lock: 'LOCK TABLE pool_shares IN SHARE MODE', waits: 'pool_shares' },
        {
          lock: `SELECT 1 FROM partner_standings WHERE partner_id = '${leaders[random.int(0, LEADERS - 1)]}' FOR UPDATE`,
          waits: 'earned_minor = s.earned_minor',
        },
      ];
      const start = () => startProcesses(stack.temporal)(poolProcess, { kind: 'WEEKLY', period });
      await killWhile(context, { victim, ...random.pick(moments) }, () =>
        Promise.all([start(), start(), fireTwice(context, 'leadership-pool-weekly')]),
      );
      await Promise.all([start(), fireTwice(context, 'leadership-pool-monthly')]);
    },
    async expect({ stack }) {
      const found = await rows<{
        status: string;
        participants: number;
        distributedMinor: number;
        paid: number;
      }>(
        stack.db,
        `SELECT r.status, r.participants, r.distributed_minor, (SELECT count(*)::int FROM partner_commissions c
            WHERE c.source_id = r.id AND c.type = 7 AND c.status = 'APPROVED') AS paid
         FROM pool_runs r WHERE r.kind = 'WEEKLY' AND r.period = $1`,
        [period],
      );
      // One per cent of 3,500.00 for each leader.
      const right = {
        status: 'COMPLETED',
        participants: LEADERS,
        distributedMinor: LEADERS * 35_00,
        paid: LEADERS,
      };
      return JSON.stringify(found) === JSON.stringify([right])
        ? []
        : [`the pool ${period} is ${JSON.stringify(found)}`];
    },
  };
}
