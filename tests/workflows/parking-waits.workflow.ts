import {
  condition,
  continueAsNew,
  defineUpdate,
  proxyActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { parkingFor } from '../../workflows/kit/parking';
import { renewalBy } from '../../workflows/kit/waiting/renewal';

export const steps = defineUpdate<string>('steps');

const { work } = proxyActivities<{ work: (step: string) => Promise<void> }>({
  startToCloseTimeout: '1 minute',
});

/** Runs one step, for whose end an update waits. */
export async function awaited(): Promise<string> {
  let end: string | null = null;
  setHandler(steps, async () => {
    await condition(() => end !== null);
    return end!;
  });
  const parking = parkingFor(
    workflowInfo().workflowId,
    renewalBy(() => continueAsNew<typeof awaited>()),
  );
  end = (await parking.orAbandoned(() => parking.step('do it', () => work('only')))) ?? 'DONE';
  return end;
}

/** Runs two steps at once, which no process may. */
export async function atOnce(): Promise<void> {
  const parking = parkingFor(
    workflowInfo().workflowId,
    renewalBy(() => continueAsNew<typeof atOnce>()),
  );
  await Promise.all(['one', 'other'].map((step) => parking.step(`do ${step}`, () => work(step))));
}

/** Answers its memo, after so many histories. */
export async function remembering(histories: number): Promise<unknown> {
  return histories > 0 ? continueAsNew<typeof remembering>(histories - 1) : workflowInfo().memo;
}
