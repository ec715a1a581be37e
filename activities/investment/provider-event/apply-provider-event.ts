import { deleteAppliedText } from '../../../db/administration/webhook/webhook-erasure.transitions';
import {
  eventsWaitingFor,
  hasWaiting,
  lockEvent,
  markEvent,
  markEventDead,
  markUnstarted,
  reviveWaitedFor,
  type LockedEvent,
} from '../../../db/administration/webhook/webhook-event.transitions';
import { isProviderActive } from '../../../db/investment/provider-event/reported.reads';
import { participationHeldBy } from '../../../db/investment/provider-event/waiting-payout.reads';
import type { Policy } from '../../../db/policy/config';
import type { Db, Tx } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type {
  AppliedProviderEvent,
  ChangedParticipation,
} from '../../../workflows/investment/provider-event/provider-event.contract';
import { stateOfParticipation } from '../participation/participation-state';
import { applyWaiting } from './waiting/apply-waiting';
import { lockReported, type Effect } from './effect';
import type { ProviderEvent } from './event-forms';
import { Inapplicable } from '../report/inapplicable';
import type { Applying as HowApplied } from './payout/bounds';
import { recordCreated } from './record-created';
import { recordKyc } from './record-kyc';
import { recordProfit } from './record-profit';
import { recordUpdate } from './record-update';
import { recordWithdrawal } from './record-withdrawal';
import { eventIn, investmentOf } from './waiting/stored-event';

/** Most waiting reports that are woken at once; the others find out by themselves. */
const MOST_WOKEN = 100;
/** Most that are woken by one that another report has applied: many may, and the first one woken applies the others. */
const MOST_WOKEN_BY_REPEAT = 5;

/** Most that are revived with an investment. */
const MOST_REVIVED = 10_000;

interface Applying {
  webhookEventId: string;
  at: string;
}

/**
 * Applies a stored report and marks it, in one transaction, with the reports that waited for its investment, and those that
 * waited in vain before; one that can never be applied is marked DEAD in another. To be woken are only those that wait no
 * more, so that nobody is woken for nothing, however often.
 */
export const applyProviderEvent = (
  { db, policy }: { db: Db; policy: Policy },
  applying: Applying,
): Promise<AppliedProviderEvent> =>
  appliedOrDead(db, applying, async (tx) => {
    const stored = await lockEvent(tx, applying.webhookEventId);
    const applied = await applyIn(tx, policy, stored, applying);
    if (applied.outcome !== 'APPLIED') return applied;
    const { wake } = applied;
    const revived = await revive(tx, stored, applying.webhookEventId);
    const waiting = [...wake.map(({ webhookEventId }) => webhookEventId), ...revived].slice(0, MOST_WOKEN);
    const still = await applyWaiting(tx, waiting, async (webhookEventId) => {
      const inTurn = { ...applying, webhookEventId };
      const locked = await lockEvent(tx, webhookEventId);
      return appliedOrDead(tx, inTurn, (inner) => applyIn(inner, policy, locked, inTurn));
    });
    // The processes of those that were revived have ended: the sweep starts new ones.
    await markUnstarted(tx, revived);
    return { ...applied, wake: wake.filter(({ webhookEventId }) => !still.has(webhookEventId)) };
  });

/** Revives the reports that waited in vain for the investment that an applied one says was made; returns their ids. */
async function revive(tx: Tx, stored: LockedEvent, webhookEventId: string): Promise<string[]> {
  if (stored.type !== 'investment.created') return [];
  const event = eventIn(webhookEventId, stored);
  const investment = event && investmentOf(event);
  return investment === null ? [] : reviveWaitedFor(tx, stored.provider, investment, MOST_REVIVED);
}

async function appliedOrDead(
  db: Db,
  { webhookEventId, at }: Applying,
  apply: (tx: Tx) => Promise<AppliedProviderEvent>,
): Promise<AppliedProviderEvent> {
  try {
    return await inTransaction(db, apply);
  } catch (error) {
    if (!(error instanceof Inapplicable)) throw error;
    const { message: reason } = error;
    return inTransaction(db, async (tx) => {
      await markEventDead(tx, webhookEventId, { reason, at, waitedInVain: false });
      return { outcome: 'DEAD', reason, ...(await held(tx, webhookEventId, at)) };
    });
  }
}

async function applyIn(
  tx: Tx,
  policy: Policy,
  stored: LockedEvent,
  { webhookEventId, at }: Applying,
): Promise<AppliedProviderEvent> {
  if (stored.status === 'DISCARDED') return { outcome: 'DISCARDED', ...(await held(tx, webhookEventId, at)) };
  if (stored.status === 'PROCESSED' && stored.body === null)
    return { outcome: 'WITHOUT_EFFECT', participation: null, wake: [] };
  const event = eventIn(webhookEventId, stored);
  if (event === null) {
    await markEvent(tx, webhookEventId, { status: 'IGNORED', lastError: null, at });
    return { outcome: 'IGNORED' };
  }
  // An earlier try has applied it, and its answer was lost: those whom it concerns may not know yet.
  if (stored.status === 'PROCESSED')
    return {
      outcome: 'WITHOUT_EFFECT',
      participation: await concerned(tx, event),
      wake: await waiting(tx, event, MOST_WOKEN_BY_REPEAT),
      ...(stored.lastError !== null && { toDecide: stored.lastError }),
    };
  const occasion = { policy, at: new Date(at), confirmed: stored.confirmedAt !== null };
  const effect = (await isProviderActive(tx, event.provider))
    ? await effectOf(tx, event, occasion)
    : switchedOff(event);
  if (effect.outcome === 'WAITING') {
    const { reason, waitsFor } = effect;
    if (stored.status !== 'WAITING' && (await hasWaiting(tx, event.provider, policy.waitingEvents)))
      throw new Inapplicable(`${reason} Too many reports of this provider wait already.`);
    await markEvent(tx, webhookEventId, { status: 'WAITING', lastError: reason, waitsFor, at });
    return { outcome: 'WAITING', reason, ...(await held(tx, webhookEventId, at)) };
  }
  const { outcome, moved, toDecide = null } = effect;
  // Stored with it, so that a try whose answer was lost still asks a person.
  await markEvent(tx, webhookEventId, { status: 'PROCESSED', lastError: toDecide, at });
  // What it says of a person is stored sealed now, and its text has the same in clear.
  if (isOf(event, 'kyc.synced')) await deleteAppliedText(tx, webhookEventId, new Date(at));
  const wake = outcome === 'APPLIED' ? await waiting(tx, event, MOST_WOKEN) : [];
  const asks = toDecide !== null && { toDecide };
  return { outcome, participation: moved && (await changed(tx, moved)), wake, ...asks };
}

const switchedOff = ({ data }: ProviderEvent): Extract<Effect, { outcome: 'WAITING' }> => ({
  outcome: 'WAITING',
  reason: 'Its provider is switched off.',
  waitsFor: 'investmentExternalId' in data ? data.investmentExternalId : null,
});

function effectOf(tx: Tx, event: ProviderEvent, applying: HowApplied): Promise<Effect> {
  if (isOf(event, 'investment.created')) return recordCreated(tx, event, applying);
  if (isOf(event, 'profit.distributed')) return recordProfit(tx, event, applying);
  if (isOf(event, 'investment.updated')) return recordUpdate(tx, event, applying);
  if (isOf(event, 'investment.withdrawn')) return recordWithdrawal(tx, event, applying);
  if (isOf(event, 'kyc.synced')) return recordKyc(tx, event, applying.at);
  throw new Error(`Reports of type ${event.type} are known, and nothing applies them.`);
}

const isOf = <Type extends ProviderEvent['type']>(
  event: ProviderEvent,
  type: Type,
): event is ProviderEvent<Type> => event.type === type;

/** The reports that wait for the investment that this one is about: for itself, or for its losses and parts. */
async function waiting(tx: Tx, event: ProviderEvent, limit: number) {
  const investment = investmentOf(event);
  return investment === null ? [] : eventsWaitingFor(tx, event.provider, investment, limit);
}

/** The participation that an applied report may have moved; null for one about a person, and for a profit. */
async function concerned(tx: Tx, event: ProviderEvent): Promise<ChangedParticipation | null> {
  const isProfit = isOf(event, 'profit.distributed') && event.data.amount > 0;
  const investment = isProfit ? null : investmentOf(event);
  const participation = investment === null ? null : await lockReported(tx, event.provider, investment);
  return participation && changed(tx, participation);
}

/** The input of the process of a participation, which is told, and is started where there is none. */
async function changed(tx: Tx, { id, userId }: Moved): Promise<ChangedParticipation> {
  const { label } = await stateOfParticipation(tx, id);
  return { participationId: id, userId, label, exists: true };
}

/** The participation that is mature and runs on because of this report. */
async function held(
  tx: Tx,
  webhookEventId: string,
  at: string,
): Promise<{ held: ChangedParticipation } | null> {
  const participation = await participationHeldBy(tx, webhookEventId, new Date(at));
  return participation && { held: await changed(tx, participation) };
}

type Moved = NonNullable<Extract<Effect, { moved: unknown }>['moved']>;
