import { CancellationScope, condition, setCurrentDetails, setHandler, sleep } from '@temporalio/workflow';
import type { Parking } from '../../kit/parking';
import { localTransactions, millisecondsUntil } from '../../kit/proxies';
import { tryEventAgain, type WebhookEventActivities } from './webhook-event.contract';

const LONGEST_PAUSE_MS = 3_600_000;

interface Tries<Applied> {
  parking: Parking;
  apply: () => Promise<Applied>;
  /** True for an answer that what the report is about is not known yet. */
  isUnknown: (applied: Applied) => boolean;
  /** The time of the first try, which an earlier run may have made; ISO 8601. */
  begun: string;
  /** The missing thing, as in `it is about a payment that is not known yet`. */
  about: 'payment' | 'participation, user or strategy';
}

/**
 * Tries to apply a report until what it is about is known, in growing intervals; each `tryEventAgain` ends one. Returns the
 * last try's result when the report has waited for as long as it may. Call it before the first await of a process.
 */
export async function untilKnown<Applied>({
  parking,
  apply,
  isUnknown,
  begun,
  about,
}: Tries<Applied>): Promise<Applied> {
  const local = localTransactions<WebhookEventActivities>();
  const wake = { asked: false };
  setHandler(tryEventAgain, () => {
    wake.asked = true;
  });
  let patienceEnds: string | null = null;
  for (let pauseMs = 1_000; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    wake.asked = false;
    const applied = await parking.step('apply the report', apply);
    if (!isUnknown(applied)) return applied;
    patienceEnds ??= await parking.step('find out how long the report may wait', () =>
      local.eventPatience({ at: begun }),
    );
    if (millisecondsUntil(patienceEnds) === 0) return applied;
    parking.goesOn();
    setCurrentDetails(`Waiting: it is about a ${about} that is not known yet.`);
    await pause(pauseMs, `the ${about} is not known yet`, () => wake.asked);
  }
}

/** Sleeps until the time is over or `woken`. */
async function pause(ms: number, summary: string, woken: () => boolean): Promise<void> {
  if (woken()) return;
  const scope = new CancellationScope();
  try {
    await scope.run(() => Promise.race([sleep(ms, { summary }), condition(woken)]));
  } finally {
    scope.cancel();
  }
}
