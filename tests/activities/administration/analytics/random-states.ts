import fc from 'fast-check';
import { v7 } from 'uuid';
import { movePartner } from '../../../../db/partners/membership/membership.writes';
import { lockRanksAbove, recordRankChange, setRank } from '../../../../db/partners/rank/rank.writes';
import { execute, firstRow, type Db } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import type { PartnerStatus } from '../../../../workflows/partners/membership/partner.states';
import { make } from '../../../support/builders/make';
import { insert } from '../../../support/builders/make/insert';
import { fact, instant, minor, type Expected, type Happening } from './random-shop';

const fate = fc.constantFrom(
  'is open',
  'is approved',
  'is sent',
  'refused',
  'COMPLETED',
  'REJECTED',
  'CANCELLED',
);
type Fate = typeof fate extends fc.Arbitrary<infer T> ? T : never;

/** The columns of the moves of a payout up to its fate, one after the other. */
function movesOf(how: Fate, by: string, [approvedAt, processedAt, endedAt]: readonly string[]): object[] {
  const approved = { status: 'APPROVED', approved_by: by, approved_at: approvedAt };
  const sent = { status: 'PROCESSING', provider: 'sandbox', sendings: 1 };
  const processed = { ...sent, processed_by: by, processed_at: processedAt };
  const ended = { status: how, ended_at: endedAt };
  const undone = { ...ended, decided_by: by, funds_returned: true, details: null, rejection_reason: 'No' };
  if (how === 'is open') return [];
  if (how === 'is approved') return [approved];
  if (how === 'is sent') return [approved, processed];
  if (how === 'refused') return [approved, processed, { status: 'APPROVED', provider: null }];
  if (how === 'COMPLETED') return [approved, processed, { ...ended, transfer_reference: v7() }];
  return how === 'REJECTED' ? [undone] : [approved, undone];
}

/** The open statuses of a payout in their order, as its fate leaves them. */
const OPEN: Record<Fate, readonly string[]> = {
  ...{ 'is open': ['PENDING'], 'is approved': ['PENDING', 'APPROVED'], refused: ['PENDING', 'APPROVED'] },
  ...{ 'is sent': ['PENDING', 'APPROVED', 'PROCESSING'], COMPLETED: ['PENDING', 'APPROVED', 'PROCESSING'] },
  ...{ REJECTED: ['PENDING'], CANCELLED: ['PENDING', 'APPROVED'] },
};

async function change(db: Db, id: string, columns: object): Promise<void> {
  const names = Object.keys(columns);
  await execute(
    db,
    `UPDATE payouts SET ${names.map((name, n) => `${name} = $${n + 2}`).join(', ')} WHERE id = $1`,
    [id, ...(Object.values(columns) as unknown[])],
  );
}

export const payout = fc
  .record({ at: instant, seconds: fc.nat(900_000), amountMinor: minor, how: fate })
  .map(({ at, seconds, amountMinor, how }): Happening => async (db, { administratorId }) => {
    const { id: userId } = await make.user(db);
    const id = v7();
    await insert(db, 'payouts', {
      ...{ id, kind: 'WALLET', user_id: userId, amount_minor: amountMinor, currency: 'USD', method: 'CARD' },
      ...{ details: Buffer.from('sealed'), masked_details: '•••• 4242', status: 'PENDING', created_at: at },
    });
    const later = (share: number) =>
      new Date(Date.parse(at) + Math.floor(seconds * share) * 1_000).toISOString();
    const times = [later(1 / 3), later(2 / 3), later(1)];
    for (const columns of movesOf(how, administratorId, times)) await change(db, id, columns);
    const isOver = how === 'COMPLETED' || how === 'REJECTED' || how === 'CANCELLED';
    const facts = [fact('payout.requested', at, amountMinor, { part: 'WALLET:CARD' })];
    const begins = [at, ...times];
    const sign = (part: string, when: string, occurrences: 1 | -1) =>
      fact('status.payout', when, occurrences * amountMinor, { part, occurrences });
    OPEN[how].forEach((status, n) => {
      const next = n + 1 < OPEN[how].length ? begins[n + 1] : isOver ? times[2] : undefined;
      facts.push(sign(status, begins[n]!, 1), ...(next === undefined ? [] : [sign(status, next, -1)]));
    });
    if (isOver)
      facts.push(
        fact(`payout.${how.toLowerCase() as Lowercase<typeof how>}`, times[2]!, amountMinor, {
          ...{ part: 'WALLET:CARD', seconds },
        }),
      );
    return facts;
  });

const move = fc.record({
  at: instant,
  to: fc.constantFrom<(PartnerStatus | 2 | 3)[]>('ACTIVE', 'SUSPENDED', 'TERMINATED', 2, 3),
});

/** A rank set by hand, or a decision on a membership. */
async function moved(
  db: Db,
  partnerId: string,
  status: PartnerStatus,
  to: PartnerStatus | 2 | 3,
  at: Date,
  by: string,
) {
  await inTransaction(db, async (tx) => {
    if (typeof to === 'string') return movePartner(tx, { id: partnerId, status }, to, at);
    const above = await lockRanksAbove(tx, partnerId);
    const change = {
      fromLevel: above[0]!.rankLevel,
      toLevel: to,
      changedBy: by,
      reason: 'By hand',
      changedAt: at,
    };
    await setRank(tx, above, { level: to, limit: null, at });
    await recordRankChange(tx, { partnerId, programmeVersion: 1, ...change });
  });
}

/** The day of joining is dated back after it was counted, as a correction by hand would; then anything happens to the partner. */
export const partner = fc
  .record({ at: instant, moves: fc.array(move, { maxLength: 4 }) })
  .map(({ at, moves }): Happening => async (db, { administratorId }) => {
    const { id } = await make.partner(db);
    const { joinedAt } = (await firstRow<{ joinedAt: Date }>(
      db,
      'SELECT joined_at FROM partners WHERE id = $1',
      [id],
    ))!;
    await execute(db, 'UPDATE partners SET joined_at = $2 WHERE id = $1', [id, at]);
    const active = (level: number, when: string, occurrences: 1 | -1) =>
      fact('partner.active', when, 0, { part: String(level), occurrences });
    const facts: Expected[] = [fact('partner.joined', at, 0), active(1, joinedAt.toISOString(), 1)];
    let [status, level]: [PartnerStatus, number] = ['ACTIVE', 1];
    for (const { at: when, to } of moves) {
      if (to === status || to === level || status === 'TERMINATED') continue;
      await moved(db, id, status, to, new Date(when), administratorId);
      if (status === 'ACTIVE') facts.push(active(level, when, -1));
      if (typeof to === 'string') status = to;
      else level = to;
      if (status === 'ACTIVE') facts.push(active(level, when, 1));
    }
    return facts;
  });
