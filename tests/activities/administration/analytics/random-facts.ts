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
import { insert } from '../../../support/builders/make/insert';
import { fact, instant, minor, refund, sale, type Happening } from './random-shop';

const commission = fc
  .record({
    ...{ at: instant, endedAt: instant, gross: minor, of: fc.nat(1) },
    type: fc.constantFrom<CommissionType[]>(...COMMISSION_TYPES),
    fate: fc.constantFrom('stays', 'paid', 'reversed', 'part', 'part, then reversed'),
  })
  .map(({ at, endedAt, gross, of, type, fate }): Happening => async (db, { partnerIds }) => {
    const made = { partnerId: partnerIds[of]!, type, grossMinor: gross, at: new Date(at) };
    const { id } = await make.commission(db, made);
    const part = String(type);
    const facts = [fact('commission.earned', at, gross, { part })];
    if (fate.startsWith('part')) {
      const back = { ...made, grossMinor: -1, reversalOf: id, at: new Date(endedAt) };
      const { id: partId } = await make.commission(db, back);
      facts.push(fact('commission.reversed', endedAt, 1, { part }));
      if (fate === 'part') return facts;
      await end(db, [id, partId], 'REVERSED', endedAt);
      return [...facts, fact('commission.reversed', endedAt, gross - 1, { part, occurrences: 0 })];
    }
    if (fate === 'stays') return facts;
    const status = fate === 'paid' ? 'PAID' : 'REVERSED';
    await end(db, [id], status, endedAt);
    return [
      ...facts,
      fact(status === 'PAID' ? 'commission.paid' : 'commission.reversed', endedAt, gross, { part }),
    ];
  });

const end = (db: Db, ids: string[], status: 'PAID' | 'REVERSED', at: string) =>
  execute(
    db,
    `UPDATE partner_commissions SET status = $2::text, processed_at = $3::timestamptz,
       paid_at = CASE $2::text WHEN 'PAID' THEN $3::timestamptz END WHERE id = ANY ($1::uuid[])`,
    [ids, status, at],
  );

const payout = fc
  .record({ at: instant, seconds: fc.nat(900_000), amountMinor: minor, isCancelled: fc.boolean() })
  .map(({ at, seconds, amountMinor, isCancelled }): Happening => async (db, { administratorId }) => {
    const { id: userId } = await make.user(db);
    const id = v7();
    await insert(db, 'payouts', {
      ...{ id, kind: 'WALLET', user_id: userId, amount_minor: amountMinor, currency: 'USD', method: 'CARD' },
      ...{ details: Buffer.from('sealed'), masked_details: '•••• 4242', status: 'PENDING', created_at: at },
    });
    const endedAt = new Date(Date.parse(at) + seconds * 1_000).toISOString();
    const status = isCancelled ? 'CANCELLED' : 'REJECTED';
    await execute(
      db,
      `UPDATE payouts SET status = $2::text, ended_at = $3, decided_by = $4, funds_returned = true, details = NULL,
         rejection_reason = CASE $2::text WHEN 'REJECTED' THEN 'No' END WHERE id = $1`,
      [id, status, endedAt, administratorId],
    );
    const figure = isCancelled ? 'payout.cancelled' : 'payout.rejected';
    const part = 'WALLET:CARD';
    return [
      fact('payout.requested', at, amountMinor, { part }),
      fact(figure, endedAt, amountMinor, { part, seconds }),
    ];
  });

const investment = fc
  .record({ at: instant, amount: minor, of: fc.nat(1), isLoss: fc.boolean() })
  .map(({ at, amount, of, isLoss }): Happening => async (db, { participations }) => {
    const { id: participationId, userId, strategyId } = participations[of]!;
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
      fact('investment.profit', at, amountMinor),
      fact('strategy.profit', at, amountMinor, { part: strategyId }),
    ];
  });

/** One that began when it is ended; what is paid out is without the penalty. */
const ended = fc
  .record({ at: instant, amount: minor, penaltyPercent: fc.nat(20), of: fc.nat(1) })
  .map(({ at, amount, penaltyPercent, of }): Happening => async (db, { participations }) => {
    const { userId, strategyId } = participations[of]!;
    const made = { userId, strategyId, status: 'ACTIVE', amountMinor: amount, at: new Date(at) } as const;
    const { id } = await make.participation(db, made);
    const penaltyMinor = Math.floor((amount * penaltyPercent) / 100);
    const to = penaltyMinor > 0 ? 'WITHDRAWN' : 'MATURED';
    await endParticipation(db, id, { to, penaltyMinor, at: new Date(at) });
    const moved = (type: 'deposit' | 'withdrawal' | 'penalty', amountMinor: number) => [
      fact(`investment.${type}`, at, amountMinor),
      fact(`strategy.${type}`, at, amountMinor, { part: strategyId }),
    ];
    return [
      ...moved('deposit', amount),
      ...moved('withdrawal', amount - penaltyMinor),
      ...(penaltyMinor > 0 ? moved('penalty', penaltyMinor) : []),
      fact('participation.ended', at, amount),
    ];
  });

const decision = fc.constantFrom(
  { type: 'kyc.approved', level: 'STANDARD' } as const,
  { type: 'kyc.rejected', reason: 'SELFIE_MISMATCH' } as const,
  // The user did not answer: nobody decided, so it counts as nothing.
  { type: 'kyc.rejected', reason: 'INFO_NOT_PROVIDED' } as const,
);

const verification = fc
  .record({ at: instant, seconds: fc.nat(900_000), decided: decision })
  .map(({ at, seconds, decided }): Happening => async (db, { buyers: [userId] }) => {
    const [kycId, submissionId] = [v7(), v7()];
    const decidedAt = new Date(Date.parse(at) + seconds * 1_000).toISOString();
    const about = { kycId, userId: userId! };
    await inTransaction(db, async (tx) => {
      await announce(tx, { type: 'kyc.submitted', ...about, submissionId }, at);
      await announce(tx, { ...decided, ...about }, decidedAt);
    });
    const part = decided.type === 'kyc.approved' ? decided.level : decided.reason;
    return [
      fact('kyc.submitted', at, 0),
      ...(part === 'INFO_NOT_PROVIDED' ? [] : [fact(decided.type, decidedAt, 0, { part, seconds })]),
    ];
  });

/** The row is dated back after it was counted, as a correction by hand would. */
const partner = fc.record({ at: instant }).map(({ at }): Happening => async (db) => {
  const { id } = await make.partner(db);
  await execute(db, 'UPDATE partners SET joined_at = $2 WHERE id = $1', [id, at]);
  return [fact('partner.joined', at, 0)];
});

/** Anything that can happen in a shop. */
export const happening = fc.oneof(
  ...[sale, sale, refund, commission, commission, payout, investment, ended, verification, partner],
);
