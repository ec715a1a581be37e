import { continueAsNew, setCurrentDetails } from '@temporalio/workflow';
import { untilKnown } from '../../commerce/webhook/until-known';
import { tryEventAgain, type WebhookEventSoFar } from '../../commerce/webhook/webhook-event.contract';
import { parkingFor, type Parking } from '../../kit/parking';
import {
  handlersFinished,
  localTransactions,
  localTransactionsForever,
  now,
  startDetached,
} from '../../kit/proxies';
import { notify } from '../../kit/signals';
import { renewalBy } from '../../kit/waiting/renewal';
import { participationMoved, participationProcess } from '../participation/participation.contract';
import {
  providerEventProcess,
  type AppliedProviderEvent,
  type ChangedParticipation,
  type ProviderEventActivities,
  type ProviderEventInput,
  type ProviderEventResult,
  type UnappliedProviderEvent,
} from './provider-event.contract';

/** One report of an investment provider: applied once in the database; then the processes that it concerns are told. */
export async function providerEvent(input: ProviderEventInput): Promise<ProviderEventResult> {
  const { webhookEventId, before = { begun: now() } } = input;
  const renew = (): Promise<never> => continueAsNew<typeof providerEvent>({ ...input, before });
  const parking = parkingFor(webhookEventId, renewalBy(renew));
  if (before.applied) return decided(parking, before.applied);
  const local = localTransactions<ProviderEventActivities>();
  const applied = await parking.orAbandoned(() =>
    untilKnown<AppliedProviderEvent>({
      parking,
      apply: () => local.applyProviderEvent({ webhookEventId, at: now() }),
      isUnknown: ({ outcome }) => outcome === 'WAITING',
      begun: before.begun,
      about: 'participation, user or strategy',
    }),
  );
  if (applied === 'ABANDONED')
    return dead(webhookEventId, { outcome: 'ABANDONED', reason: 'An operator gave it up.' });
  if (applied.outcome === 'WAITING' || applied.outcome === 'DEAD') return dead(webhookEventId, applied);
  if (applied.outcome === 'DISCARDED') {
    if (applied.held) await wakeParticipation(applied.held);
    return ended('DISCARDED', 'An administrator has discarded it.');
  }
  if (applied.outcome === 'IGNORED') return ended('IGNORED', 'Reports of this type change nothing.');

  const { participation, wake, outcome } = applied;
  if (participation) await wakeParticipation(participation);
  for (const waiting of wake) await notify(providerEventProcess, waiting, tryEventAgain);
  const words = `${participation ? `${participation.label}. ` : ''}${CLOSING_WORDS[outcome]}`;
  if (applied.toDecide === undefined) return ended('PROCESSED', words);
  before.applied = { toDecide: applied.toDecide, words };
  return decided(parking, before.applied);
}

const CLOSING_WORDS = {
  APPLIED: 'Applied.',
  WITHOUT_EFFECT: 'Changed nothing: it is a repeat, or an older word than the one in force.',
};

/** Makes the process of a participation read its row again; starts it where it has none yet. */
async function wakeParticipation(participation: ChangedParticipation): Promise<void> {
  const made = { ...participation, exists: true } as const;
  await startDetached(participationProcess, made);
  if (!(await notify(participationProcess, participation, participationMoved)))
    await startDetached(participationProcess, made);
}

/** Ends as DEAD; a participation whose maturity has waited for this report is told. */
async function dead(
  webhookEventId: string,
  {
    outcome,
    reason,
    held,
  }: Omit<UnappliedProviderEvent<'WAITING' | 'DEAD'>, 'outcome'> & {
    outcome: 'WAITING' | 'DEAD' | 'ABANDONED';
  },
): Promise<ProviderEventResult> {
  const local = localTransactionsForever<ProviderEventActivities>();
  const end = {
    webhookEventId,
    reason,
    at: now(),
    ...(outcome === 'WAITING' && { waitedInVain: true as const }),
  };
  if (outcome !== 'DEAD') await local.markEventDead(end);
  if (held) await wakeParticipation(held);
  return ended('DEAD', `Dead: ${reason}`);
}

/** Ends once a person has made the decision about an applied report. */
async function decided(
  parking: Parking,
  { toDecide, words }: NonNullable<WebhookEventSoFar['applied']>,
): Promise<ProviderEventResult> {
  await parking.ask(toDecide, () => false);
  return ended('PROCESSED', words);
}

async function ended(result: ProviderEventResult, words: string): Promise<ProviderEventResult> {
  setCurrentDetails(words);
  await handlersFinished();
  return result;
}
