import fc from 'fast-check';
import { v7 } from 'uuid';
import { announce } from '../../../../db/administration/domain-event/domain-event.writes';
import { recordTransaction } from '../../../../db/investment/transaction/investment-transaction.transitions';
import { execute, type Db } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import {
  COMMISSION_TYPES,
  type CommissionType,
} from '../../../../workflows/partners/commission/commission.rules';
import { endParticipation } from '../../../support/builders/investing/ending';
import { make } from '../../../support/builders/make';
import { loseCommission, restoreCommission } from '../../../support/builders/partnering/disputed-commissions';
import { partner, payout } from './random-states';
import { fact, instant, minor, refund, sale, type Happening } from './random-shop';

const commission = fc
  .record({
    ...{
      at: instant,
      endedAt: instant,
      gross: minor,
      of: fc.nat(1),
      rankLevel: fc.integer({ min: 1, max: 3 }),
    },
    type: fc.constantFrom<CommissionType[]>(...COMMISSION_TYPES),
    fate: fc.constantFrom(
      ...['stays', 'paid', 'reversed', 'part', 'part, then reversed'],
      ...['part, then returned', 'lost, then returned', 'lost, returned, then reversed'],
    ),
    ...{ returnedAt: instant, againAt: instant },
  })
  .map(
    ({ at, endedAt, gross, of, rankLevel, type, fate, ...later }): Happening =>
      async (db, { partnerIds }) => {
        const made = { partnerId: partnerIds[of]!, type, rankLevel, grossMinor: gross, at: new Date(at) };
        const { id } = await make.commission(db, made);
        // Each counts by its type, and by the rank that the partner had.
        const both = (
          does: 'earned' | 'reversed' | 'paid',
          when: string,
          amount: number,
          occurrences = 1,
        ) => [
          fact(`commission.${does}`, when, amount, { part: String(type), occurrences }),
          fact(`rank.commission.${does}`, when, amount, { part: String(rankLevel), occurrences }),
        ];
        const facts = both('earned', at, gross);
        if (fate.startsWith('part')) {
          const back = { ...made, grossMinor: -1, reversalOf: id, at: new Date(endedAt) };
          const { id: partId } = await make.commission(db, back);
          facts.push(...both('reversed', endedAt, 1));
          if (fate === 'part') return facts;
          if (fate === 'part, then returned') {
            await make.commission(db, { ...back, grossMinor: 1, at: new Date(later.returnedAt) });
            return [...facts, ...both('reversed', later.returnedAt, -1)];
          }
          await end(db, [id, partId], 'REVERSED', endedAt);
          return [...facts, ...both('reversed', endedAt, gross - 1, 0)];
        }
        if (fate === 'stays') return facts;
        if (fate.startsWith('lost')) {
          await loseCommission(db, id, new Date(endedAt));
          await restoreCommission(db, id, new Date(later.returnedAt));
          // The loss stays in its own time.
          facts.push(...both('reversed', endedAt, gross), ...both('reversed', later.returnedAt, -gross, -1));
          if (fate === 'lost, then returned') return facts;
          await end(db, [id], 'REVERSED', later.againAt);
          return [...facts, ...both('reversed', later.againAt, gross)];
        }
        const does = fate === 'paid' ? 'paid' : 'reversed';
        await end(db, [id], does === 'paid' ? 'PAID' : 'REVERSED', endedAt);
        return [...facts, ...both(does, endedAt, gross)];
      },
  );

const end = (db: Db, ids: string[], status: 'PAID' | 'REVERSED', at: string) =>
  execute(
    db,
    `UPDATE partner_commissions SET status = $2::text, processed_at = $3::timestamptz,
       paid_at = CASE $2::text WHEN 'PAID' THEN $3::timestamptz END WHERE id = ANY ($1::uuid[])`,
    [ids, status, at],
  );

const investment = fc
  .record({ at: instant, amount: minor, of: fc.nat(1), isLoss: fc.boolean() })
  .map(({ at, amount, of, isLoss }): Happening => async (db, { participations }) => {
    const { id: participationId, userId, strategyId, risk } = participations[of]!;
    const amountMinor = isLoss ? -amount : amount;
    const movement = {
      id: v7(),
      participationId,
      userId,
      type: 'PROFIT' as const,
      amountMinor,
      currency: 'USD',
    };
    const occurredAt = new Date(at);
    await inTransaction(db, (tx) =>
      recordTransaction(tx, { ...movement, providerCode: 'alpha', externalId: v7(), occurredAt }, new Date()),
    );
    return [
      fact('investment.profit', at, amountMinor, { part: risk }),
      fact('strategy.profit', at, amountMinor, { part: strategyId }),
    ];
  });

/** One that began when it is ended; what is paid out is without the penalty. */
const ended = fc
  .record({ at: instant, amount: minor, penaltyPercent: fc.nat(20), of: fc.nat(1) })
  .map(({ at, amount, penaltyPercent, of }): Happening => async (db, { participations }) => {
    const { userId, strategyId, risk } = participations[of]!;
    const made = { userId, strategyId, status: 'ACTIVE', amountMinor: amount, at: new Date(at) } as const;
    const { id } = await make.participation(db, made);
    const penaltyMinor = Math.floor((amount * penaltyPercent) / 100);
    const to = penaltyMinor > 0 ? 'WITHDRAWN' : 'MATURED';
    await endParticipation(db, id, { to, penaltyMinor, at: new Date(at) });
    const moved = (type: 'deposit' | 'withdrawal' | 'penalty', amountMinor: number) => [
      fact(`investment.${type}`, at, amountMinor, { part: risk }),
      fact(`strategy.${type}`, at, amountMinor, { part: strategyId }),
    ];
    return [
      ...moved('deposit', amount),
      ...moved('withdrawal', amount - penaltyMinor),
      ...(penaltyMinor > 0 ? moved('penalty', penaltyMinor) : []),
      fact('participation.ended', at, amount, { part: risk }),
      fact('strategy.ended', at, amount, { part: strategyId }),
    ];
  });

const decision = fc.constantFrom(
  { type: 'kyc.approved', level: 'STANDARD' } as const,
  { type: 'kyc.rejected', reason: 'SELFIE_MISMATCH', level: 'ENHANCED' } as const,
  // The user did not answer: nobody decided, so it counts as nothing.
  { type: 'kyc.rejected', reason: 'INFO_NOT_PROVIDED', level: 'STANDARD' } as const,
);

const verification = fc
  .record({ at: instant, seconds: fc.nat(900_000), decided: decision })
  .map(({ at, seconds, decided }): Happening => async (db, { buyers: [userId] }) => {
    const [kycId, submissionId] = [v7(), v7()];
    const decidedAt = new Date(Date.parse(at) + seconds * 1_000).toISOString();
    const about = { kycId, userId: userId! };
    await inTransaction(db, async (tx) => {
      await announce(tx, { type: 'kyc.submitted', ...about, submissionId, level: 'ENHANCED' }, at);
      await announce(tx, { ...decided, ...about }, decidedAt);
    });
    const submitted = fact('kyc.submitted', at, 0, { part: 'ENHANCED' });
    if ('reason' in decided && decided.reason === 'INFO_NOT_PROVIDED') return [submitted];
    return [
      submitted,
      fact(decided.type, decidedAt, 0, { part: decided.level, seconds }),
      ...('reason' in decided ? [fact('reason.kyc.rejected', decidedAt, 0, { part: decided.reason })] : []),
    ];
  });

/** Anything that can happen in a shop. */
export const happening = fc.oneof(
  ...[sale, sale, refund, commission, commission, payout, investment, ended, verification, partner],
);
