import { setTimeout as pause } from 'node:timers/promises';
import { inspect } from 'node:util';
import { ServiceError, type WorkflowHandle } from '@temporalio/client';
import { migrateUp } from '../../../db/schema/migrate';
import type { Fault, FaultContext } from '../fault';
import type { Part } from '../platform/part';
import type { Stack } from '../platform/stack';

/** Only ends a hang. */
const ANSWERED_WITHIN_MS = 120_000;

/** Requires that clients noticed nothing: no connection broke, no answer was 5xx. */
function unnoticed({ log }: FaultContext): string[] {
  return log.entries
    .filter(({ troubles }) => troubles.length > 0)
    .map(
      ({ operation, key, troubles }) =>
        `${operation} ${key ?? ''} failed while parts were replaced: ${troubles.join(', ')}`,
    );
}

/** SIGTERM and start again, one part after the other, while people buy. */
const replaced = (name: string, choose: (stack: Stack) => readonly Part[]): Fault => ({
  name: `SIGTERM under load: ${name}`,
  async inject({ stack, random }) {
    await pause(random.int(200, 1_500));
    for (const part of choose(stack)) {
      await part.stop();
      await part.start();
    }
  },
  expect: unnoticed,
});

/** A second API and worker next to the first, with migrations; then the first ones end. */
const startedTwice: Fault = {
  name: 'the whole stack is started twice',
  async inject({ stack, random }) {
    const first = [...stack.apis, ...stack.workers];
    await pause(random.int(0, 1_000));
    const nth = random.int(1, 1_000_000);
    const second = await Promise.all(
      ['worker', 'worker', 'api', 'api'].map((kind, i) =>
        stack.another(kind === 'api' ? 'api' : 'worker', `${kind}-${nth}-${i}`),
      ),
    );
    await Promise.all([
      ...second.map((part) => part.start()),
      migrateUp(stack.databaseUrl),
      migrateUp(stack.databaseUrl),
    ]);
    await pause(random.int(0, 1_000));
    for (const part of first) await stack.retire(part);
  },
};

type Running = 'last' | 'both' | 'this';

/**
 * Workers of the last release and of this one, in turns and side by side: each continues processes of the other, and
 * what the last release cannot continue waits for this one. The buyers begin while the first of `turns` run.
 */
function bothReleases(name: string, [first, ...turns]: readonly [Running, ...Running[]]): Fault {
  let last: Part[] = [];
  let current: Part[] = [];
  const each = (parts: readonly Part[], act: 'start' | 'stop') =>
    Promise.all(parts.map((part) => part[act]()));
  const change = async (running: Running): Promise<void> => {
    if (running !== 'this') await each(last, 'start');
    if (running !== 'last') await each(current, 'start');
    if (running === 'last') await each(current, 'stop');
    if (running === 'this') await each(last, 'stop');
  };
  return {
    name: `two releases: ${name}`,
    // A journey with processes that the last release does not have gets the weight 0.
    journeys: { paysThenCancels: 30, returnsGoods: 30, provesIdentity: 40 },
    async prepare(stack) {
      const programs = await stack.lastRelease();
      current = [...stack.workers];
      const names = [1, 2].map((i) => `last-release-${Date.now()}-${i}`);
      last = await Promise.all(names.map((part) => stack.another('worker', part, {}, programs)));
      await change(first);
    },
    async inject({ stack, random }) {
      try {
        for (const running of turns) {
          await pause(random.int(2_000, 6_000));
          await change(running);
        }
        await pause(random.int(0, 2_000));
        await each(current, 'start');
      } finally {
        for (const part of last) await stack.retire(part);
      }
    },
    expect: ({ stack }) => cannotGoOn(stack),
  };
}

/** Processes whose history this release cannot replay: a query needs its replay, also while nothing else happens. */
async function cannotGoOn({ temporal }: Stack): Promise<string[]> {
  const failures: string[] = [];
  for await (const { workflowId } of temporal.workflow.list({ query: `ExecutionStatus = 'Running'` }))
    await answered(temporal.workflow.getHandle(workflowId)).catch((error: unknown) =>
      failures.push(`${workflowId} cannot go on: ${inspect(error)}`),
    );
  return failures;
}

/** Asks until a worker has answered: the server finds none for some seconds after workers were replaced. */
async function answered(process: WorkflowHandle): Promise<void> {
  for (const deadline = Date.now() + ANSWERED_WITHIN_MS; ;) {
    try {
      await process.query('__temporal_workflow_metadata');
      return;
    } catch (error) {
      if (!(error instanceof ServiceError) || Date.now() > deadline) throw error;
    }
    await pause(1_000);
  }
}

/** Deployments, on purpose or by mistake. */
export const deployment: readonly Fault[] = [
  replaced('APIs', ({ apis }) => apis),
  replaced('workers', ({ workers }) => workers),
  replaced('APIs and workers', ({ apis, workers }) => [...workers, ...apis]),
  startedTwice,
  bothReleases('the last one, both, then this one', ['last', 'both', 'this']),
  bothReleases('this one, both, the last one, both again', ['both', 'last', 'both']),
];
