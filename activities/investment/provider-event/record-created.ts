import { closeAttempts } from '../../../db/commerce/payment/payment-attempt.transitions';
import { lockLevel } from '../../../db/kyc/standing/user-standing.writes';
import { userStanding } from '../../../db/kyc/standing/user-standing.reads';
import { bookPrincipalPaid } from '../../../db/investment/participation/participation-ledger.transitions';
import {
  changeParticipation,
  lockParticipation,
  moveParticipation,
  type LockedParticipation,
} from '../../../db/investment/participation/participation.transitions';
import {
  accountsByEmail,
  isKnownToProvider,
  participationByExternalId,
  strategyByCode,
} from '../../../db/investment/provider-event/reported.reads';
import { lockUnreported } from '../../../db/investment/provider-event/reported.transitions';
import type { Tx } from '../../../db/sql/query';
import { participationReportedLetter } from '../../../workflows/investment/provider-event/provider-event.letters';
import { termFrom } from '../../../workflows/investment/participation/report-bounds.rules';
import { queueParticipationMail, withdrawTransferMail } from '../participation/queue-participation-mail';
import { begin, daysAfter } from '../participation/settle-participation';
import { createReported } from './create-reported';
import { NOTHING, type Effect } from './effect';
import { minorOf } from './event-forms';
import { Inapplicable, inWords } from '../report/inapplicable';
import {
  requireCreditable,
  requireMaturityWithin,
  requirePrincipalWithin,
  type Applying,
} from './payout/bounds';
import { movedTo, queueMaturityMail } from './record-update';
import { termOf, type Created, type ReportedMoney } from './reported-term';

/**
 * Takes over an investment that a provider reports: gives its id to the participation that it names, or else to the one of
 * that user, strategy and amount, or else, and where that was cancelled, makes one. The money lies with the provider. One that has ended
 * is only confirmed: it was paid out here. The owner gets a mail about one that begins to run.
 */
export async function recordCreated(tx: Tx, event: Created, applying: Applying): Promise<Effect> {
  const { data, provider } = event;
  const strategy = await strategyByCode(tx, provider, data.strategyCode);
  if (!strategy)
    return { outcome: 'WAITING', reason: `Its strategy ${data.strategyCode} is not known.`, waitsFor: null };
  if (data.currency !== strategy.currency)
    return {
      outcome: 'WAITING',
      reason: `Its currency ${data.currency} is not ${strategy.currency}, that of the strategy ${data.strategyCode}.`,
      waitsFor: null,
    };
  const amountMinor = minorOf('amount', data.amount, strategy.currency);
  const userId = await userOf(tx, data);
  const level = userId === null ? null : await lockLevel(tx, userId);
  if (userId === null || level === null)
    return { outcome: 'WAITING', reason: unknownUser(data), waitsFor: null };

  const { currency } = strategy;
  const money = { userId, strategyId: strategy.id, amountMinor };
  const known = await participationByExternalId(tx, provider, data.externalId);
  if (known) {
    requireSame(known.id, await lockParticipation(tx, known.id), { ...money, currency });
    return NOTHING;
  }
  const targetId =
    data.participationId ?? (await lockUnreported(tx, { ...money, startDate: data.startDate }));
  if (targetId === null) {
    // Else a provider could find out by addresses who is a user here, and would be told of their verification.
    if (!applying.confirmed && !(await isKnownToProvider(tx, provider, userId)))
      return {
        outcome: 'WAITING',
        reason: `Its user ${userId} has no investment at this provider, and never went there from here to sign in.`,
        waitsFor: null,
      };
    return create(tx, event, { ...applying, money, level, currency, cancelled: null });
  }
  const target = requireSame(targetId, await lockParticipation(tx, targetId), { ...money, currency });
  if (target.externalId !== null)
    throw new Inapplicable(
      `Its participationId ${targetId} is that of an investment with another externalId, ${target.externalId}.`,
    );
  // Its capacity went to others: the money makes another one, and a person decides whether it stays.
  if (target.status === 'CANCELLED')
    return create(tx, event, { ...applying, money, level, currency, cancelled: target });
  return takeOver(tx, target, event, applying);
}

async function create(...making: Parameters<typeof createReported>): Promise<Effect> {
  const made = await createReported(...making);
  return { outcome: 'APPLIED', moved: made.participation, toDecide: made.toDecide };
}

/** The account that a report names; null when it is not known. An email address counts only if one account has it. */
async function userOf(tx: Tx, { userId, email }: Created['data']): Promise<string | null> {
  if (userId !== undefined) {
    const user = await userStanding(tx, userId);
    return user && user.erasedAt === null ? user.id : null;
  }
  const found = await accountsByEmail(tx, email ?? '');
  if (found.length > 1) throw new Inapplicable('Accounts of several regions have its email address.');
  return found[0]?.id ?? null;
}

/** The reason of a report whose user is not known; it names no email address. */
const unknownUser = ({ userId }: Created['data']): string =>
  userId === undefined
    ? 'Its user, whom it names by email address, is not known.'
    : `Its user ${userId} is not known.`;

/** The participation, if it is of that user, strategy and amount. Throws Inapplicable. */
function requireSame(
  id: string,
  participation: LockedParticipation | null,
  money: ReportedMoney & { currency: string },
): LockedParticipation {
  if (!participation) throw new Inapplicable(`There is no participation ${id}.`);
  const differs = (['userId', 'strategyId', 'amountMinor'] as const).filter(
    (key) => participation[key] !== money[key],
  );
  if (differs.length === 0) return participation;
  const { currency } = money;
  const [held, reported] = [participation, money].map(({ amountMinor }) => inWords(amountMinor, currency));
  const words = {
    userId: 'user',
    strategyId: 'strategy',
    amountMinor: `amount (${held}, and not ${reported})`,
  };
  throw new Inapplicable(
    `The participation ${id} is of another ${differs.map((key) => words[key]).join(' and ')}.`,
  );
}

/** Gives a participation the provider's id. One that waits for its payment was paid at the provider, and runs from now on. */
async function takeOver(
  tx: Tx,
  target: LockedParticipation,
  event: Created,
  applying: Applying,
): Promise<Effect> {
  const { at } = applying;
  const { externalId, startDate, maturityDate } = event.data;
  const { id: webhookEventId } = event;
  const { startedAt, maturesAt } = termOf(event, daysAfter(startDate, target.durationDays));
  if (target.status !== 'PENDING_PAYMENT') {
    const moves = maturityDate !== undefined && target.status === 'ACTIVE';
    const moved = moves && { maturesAt: movedTo(target, maturesAt, applying) };
    await changeParticipation(tx, target.id, { externalId, ...moved }, at);
    if (moved) await queueMaturityMail(tx, target, { ...moved, at });
    return { outcome: 'APPLIED', moved: moves ? target : null };
  }
  // Its owner's term begins now at the latest: a start in years would lock the money until then.
  const term = termFrom({ startedAt, paidAt: at, createdAt: target.createdAt }, target.durationDays);
  requireMaturityWithin(term, maturesAt, applying);
  requirePrincipalWithin(target.amountMinor, target.currency);
  await requireCreditable(tx, target, target.amountMinor, applying);
  await moveParticipation(
    tx,
    target,
    'ACTIVE',
    {
      ...{ externalId, startedAt, maturesAt, paidAt: term.from, paymentStatus: 'PAID' },
      ...{ origin: 'PROVIDER', paymentMethod: null },
    },
    at,
  );
  await closeAttempts(tx, { participationId: target.id }, 'CANCELLED', at.toISOString());
  await withdrawTransferMail(tx, target.id);
  await begin(tx, target, at, { externalId, webhookEventId, occurredAt: startedAt });
  await bookPrincipalPaid(tx, target, 'REPORTED', at);
  await queueParticipationMail(tx, target.id, 'started', (data) =>
    participationReportedLetter(data, { waitedForPayment: true }),
  );
  return { outcome: 'APPLIED', moved: target };
}
