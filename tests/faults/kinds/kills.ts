import { setTimeout as pause } from 'node:timers/promises';
import type { Fault, FaultContext } from '../fault';
import type { Part } from '../platform/part';
import { ageClaims } from '../scenario/quiet';
import type { Stack } from '../platform/stack';

/** Kills parts while people buy, and starts them again a little later. */
async function killFor(context: FaultContext, parts: readonly Part[]): Promise<void> {
  const { stack, random } = context;
  await pause(random.int(400, 2_500));
  await Promise.all(parts.map((part) => part.kill()));
  const killedAt = new Date();
  await pause(random.int(0, 3_000));
  await stack.heal();
  await ageClaims(stack, killedAt);
}

const killing = (
  name: string,
  choose: (stack: Stack, context: FaultContext) => readonly Part[],
  times = 1,
): Fault => ({
  name,
  async inject(context) {
    for (let i = 0; i < times; i++) await killFor(context, choose(context.stack, context));
  },
});

/** kill -9 at any moment. */
export const kills: readonly Fault[] = [
  killing('kill a worker', ({ workers }, { random }) => [random.pick(workers)]),
  killing('kill all workers', ({ workers }) => workers),
  killing('kill an API', ({ apis }, { random }) => [random.pick(apis)]),
  killing('kill all APIs', ({ apis }) => apis),
  killing('kill PostgreSQL', ({ parts }) => [parts.postgres]),
  killing('kill Temporal', ({ parts }) => [parts.temporal]),
  killing('kill everything', ({ all }) => all),
  killing('kill everything, twice', ({ all }) => all, 2),
  {
    ...killing('kill everything while people invest', ({ all }) => all),
    journeys: { invests: 600 },
    expect: ({ log }) => (log.of('invest').length > 0 ? [] : ['nobody has invested']),
  },
];
