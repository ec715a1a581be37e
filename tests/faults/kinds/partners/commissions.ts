import { setTimeout as pause } from 'node:timers/promises';
import { rows } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import type { Fault } from '../../fault';
import { topPartner } from '../../scenario/partners';
import { pastSales } from '../../scenario/past-sales';
import { fireTwice, killWhile, type Victim } from './kill-while';

const DAY_MS = 86_400_000;

/** Sales pay a partner at the top while it is locked. */
export const whileCounted = (victim: Victim): Fault => ({
  name: `kill ${victim} while commissions are counted`,
  journeys: { pays: 60, returnsGoods: 30 },
  async inject(context) {
    const top = await topPartner(context.stack.db);
    const lock = `SELECT 1 FROM partner_standings WHERE partner_id = '${top}' FOR UPDATE`;
    await killWhile(context, { victim, lock, waits: 'partner_standings' }, () => Promise.resolve());
  },
});

const MATURING = 16;

/** Commissions of old sales mature in batches of five; the run is killed in the middle, and the next one is fired twice. */
export function whileMaturing(victim: Victim): Fault {
  let due: string[] = [];
  return {
    name: `kill ${victim} while commissions mature`,
    async prepare({ db }) {
      const { id: sponsorId } = await make.partner(db, { sponsorId: await topPartner(db) });
      const sales = Array.from({ length: MATURING }, (_, n) => ({
        sponsorId,
        at: new Date(Date.now() - (31 + n) * DAY_MS),
      }));
      const found = await rows<{ id: string }>(
        db,
        'SELECT id FROM partner_commissions WHERE source_id = ANY ($1::uuid[]) ORDER BY matures_at, id',
        [await pastSales(db, sales)],
      );
      due = found.map(({ id }) => id);
    },
    async inject(context) {
      const { random } = context;
      await pause(random.int(0, 1_500));
      const lock = `SELECT 1 FROM partner_commissions WHERE id = '${due[random.int(0, due.length - 1)]}' FOR UPDATE`;
      await killWhile(context, { victim, lock, waits: 'due_commissions' }, () =>
        fireTwice(context, 'commission-maturation'),
      );
      await fireTwice(context, 'commission-maturation');
    },
    async expect({ stack }) {
      const wrong = await rows<{ id: string; status: string; times: number }>(
        stack.db,
        `SELECT c.id, c.status, (SELECT count(*)::int FROM ledger_transfers t
            WHERE t.kind = 'commission-maturation' AND t.subject_id = c.id::text) AS times
         FROM partner_commissions c WHERE c.id = ANY ($1::uuid[])`,
        [due],
      );
      return [
        ...(due.length >= MATURING ? [] : [`only ${due.length} commissions were due`]),
        ...wrong
          .filter(({ status, times }) => status !== 'APPROVED' || times !== 1)
          .map(({ id, status, times }) => `commission ${id} is ${status} and has matured ${times} times`),
      ];
    },
  };
}
