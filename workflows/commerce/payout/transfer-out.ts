import { CancellationScope, setHandler, sleep, upsertSearchAttributes } from '@temporalio/workflow';
import type { Entity } from '../../kit/entity';
import type { Next } from '../../kit/lifecycle';
import { now } from '../../kit/proxies';
import { searchAttributes } from '../../kit/search-attributes';
import { DAY_MS, HOUR_MS } from '../../kit/values/durations.rules';
import { transferReported } from './payout.contract';
import {
  BY_HAND,
  STOPPED_WORDS,
  whyLate,
  type TransferOut,
  type TransferProgress,
} from './transfer-out.rules';

/** The reminders of what waits too long for a person. The next run of a process has those of the run before. */
export interface Reminders {
  /** No reminder comes before (ISO 8601); empty: none has come. */
  remindAt: string;
}

/** The steps of what is paid out. */
export interface TransferSteps {
  /** Sends it through its provider, or looks it up, and records its outcome. */
  send: (provider: string) => Promise<TransferProgress>;
  /** Leaves it to a person, after an operator has given its provider up; returns why it is not left, or null. */
  handOver: () => Promise<string | null>;
  /** The endpoint at which a person settles it. */
  settledAt: string;
  /** True if a person has settled it, or may have, since it was read: a wait for an operator then ends. */
  isSettled: () => boolean;
}

/**
 * The next step of an entity whose money is on its way out. Its provider is asked until it says that the money arrived, or
 * that it is refused; a person who sends it is waited for. What takes too long parks, and nothing gives the
 * money up: an operator who abandons the provider leaves it to a person, if it was certainly not sent. `transferReported`
 * makes it look at once, also while it is parked.
 */
export function transferOut<State>(
  entity: Entity<State>,
  steps: TransferSteps,
  reminders: Reminders,
): (transfer: TransferOut) => Promise<Next<never>> {
  const { parking } = entity;

  const byHand = (overdueAt: string): Next<never> => {
    const words = `Waits for a person to send the money from our bank account and to settle it: ${steps.settledAt}.`;
    upsertSearchAttributes([{ key: searchAttributes.stage, value: 'AWAITING_TRANSFER' }]);
    return {
      words,
      until: reminders.remindAt > overdueAt ? reminders.remindAt : overdueAt,
      summary: 'reminds of the transfer',
      async whenDue(changed) {
        await parking.ask(`${words} It takes too long; retry reminds of it again in a day.`, changed);
        reminders.remindAt = after(DAY_MS);
        entity.readAgain();
      },
    };
  };

  const sendOrHandOver = sending(entity, steps);

  return async (transfer) => {
    if (transfer.provider === BY_HAND) return byHand(transfer.overdueAt);
    const progress = await sendOrHandOver(transfer);
    if (progress === 'ENDED') entity.readAgain();
    const lookAgainAt = after(HOUR_MS);
    return {
      words:
        progress === 'STOPPED' ? STOPPED_WORDS : 'The provider has not said yet whether the money arrived.',
      until: lookAgainAt < transfer.overdueAt ? lookAgainAt : transfer.overdueAt,
      summary: 'looks at the transfer again',
      whenDue() {
        entity.readAgain();
        return Promise.resolve();
      },
    };
  };
}

/** Sends it. A failure parks, and is tried again after a day without an operator: the provider may have recovered. */
function sending<State>(
  entity: Entity<State>,
  { send, handOver, isSettled }: Omit<TransferSteps, 'settledAt'>,
): (transfer: TransferOut) => Promise<TransferProgress> {
  const { parking } = entity;
  const isReported = onTransferReported(entity);
  return async ({ provider, overdueAt }: TransferOut): Promise<TransferProgress> => {
    let nextTry = timerOf(0);
    const trySend = async (): Promise<TransferProgress> => {
      nextTry.cancel();
      isReported.value = false;
      try {
        const progress = await send(provider);
        if (progress !== 'ENDED' && now() >= overdueAt) throw new Error(whyLate(provider, progress));
        return progress;
      } catch (error) {
        nextTry = timerOf(DAY_MS);
        throw error;
      }
    };
    const progress = await parking.orAbandoned(() =>
      parking.step(
        'send the money through its provider',
        trySend,
        () => isReported.value || nextTry.isOver() || isSettled(),
      ),
    );
    nextTry.cancel();
    if (progress !== 'ABANDONED') return progress;
    // While its provider may send it, nobody else does: it waits for a report, for a person's word, or for a day. Abandoned again, it
    // is to be left to a person again, and its provider is not asked to send it.
    for (let decision = 'abandon'; decision === 'abandon';) {
      const kept = await handOver();
      if (kept === null) return 'ENDED';
      nextTry = timerOf(DAY_MS);
      isReported.value = false;
      decision = await parking.ask(kept, () => isReported.value || nextTry.isOver() || isSettled());
      nextTry.cancel();
    }
    return 'ENDED';
  };
}

/** True from the next `transferReported` on. Register it before the first await of a process. */
function onTransferReported(entity: Pick<Entity<unknown>, 'readAgain'>): { value: boolean } {
  const isReported = { value: false };
  const onSignal = (): void => {
    isReported.value = true;
    entity.readAgain();
  };
  setHandler(transferReported, onSignal, { description: 'Its provider has ended the transfer.' });
  return isReported;
}

/** The time so many milliseconds from now; ISO 8601. */
export const after = (ms: number): string => new Date(Date.parse(now()) + ms).toISOString();

/** A timer that can be looked at; none at all for 0. */
function timerOf(ms: number): { isOver: () => boolean; cancel: () => void } {
  let isOver = false;
  if (ms === 0) return { isOver: () => isOver, cancel: () => undefined };
  const scope = new CancellationScope();
  scope
    .run(() => sleep(ms, { summary: 'tries again' }))
    .then(
      () => (isOver = true),
      () => undefined,
    );
  return { isOver: () => isOver, cancel: () => scope.cancel() };
}
