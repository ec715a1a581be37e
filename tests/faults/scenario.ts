import { runJourney, usualJourneys } from './scenario/buyer-journey';
import { findProblems } from './checks/checks';
import { Client, type Person } from './requests/client';
import { ClientLog } from './requests/client-log';
import type { Fault, FaultContext } from './fault';
import { newcomer } from './scenario/identity';
import { refer } from './scenario/partners';
import { waitForQuiet } from './scenario/quiet';
import { Random } from './random';
import { openShop, type People } from './scenario/shop';
import type { Stack } from './platform/stack';

export interface Result {
  seed: number;
  fault: string;
  ok: number;
  fail: number;
  unknown: number;
  /** Requests that had to be sent more than once. */
  troubled: number;
  seconds: number;
  problems: string[];
}

const PATIENCE_MS = 75_000;
const HEAVY_WITHIN_MS = 20 * 60_000;
/** The share of clients that do not send a request again. */
const IMPATIENT = 0.12;

/** Lets buyers buy during a fault, ends it, waits until nothing runs, and checks invariants and answers. */
export async function runScenario(stack: Stack, people: People, fault: Fault, seed: number): Promise<Result> {
  const random = new Random(seed);
  const began = Date.now();
  const log = new ClientLog();
  const problems: string[] = [];
  const attempt = async (work: Promise<unknown> | undefined): Promise<void> => {
    try {
      await work;
    } catch (error) {
      problems.push(`the fault could not be made: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  await attempt(fault.prepare?.(stack));
  await people.signIn(stack.frontPort);
  const shop = await openShop(stack.db);
  const newcomers = await Promise.all(people.buyers.map(() => newcomer(stack.db)));
  await refer(
    stack.db,
    people.partners,
    newcomers.map(({ id }) => id),
  );
  const journeys = { ...usualJourneys, ...fault.journeys };
  const load = Promise.all(
    people.buyers.map((buyer, i) => {
      const own = random.fork();
      const patienceMs = own.chance(IMPATIENT) ? 0 : PATIENCE_MS;
      const clientOf = (person: Person): Client => new Client(() => stack.frontPort, person, log, patienceMs);
      const clients = {
        client: clientOf(buyer),
        newcomer: clientOf(newcomers[i] ?? buyer),
        staff: clientOf(people.admin),
      };
      return runJourney({ ...clients, buyer, shop, random: own, port: () => stack.frontPort }, journeys);
    }),
  );
  const context: FaultContext = { stack, random: random.fork(), shop, people, log, load };
  await attempt(fault.inject(context));
  await stack.heal();
  await load;
  const restless = await waitForQuiet(stack, fault.heavy && HEAVY_WITHIN_MS);
  // Whatever else would be found while something is still under way, follows from that.
  if (restless.length > 0) problems.push(...restless);
  else {
    problems.push(...((await fault.expect?.(context)) ?? []));
    problems.push(...(await findProblems(stack, log)));
  }
  problems.push(...stack.newCrashes().map((words) => `a part ended by itself: ${words}`));
  return {
    seed,
    fault: fault.name,
    ok: log.count('ok'),
    fail: log.count('fail'),
    unknown: log.count('unknown'),
    troubled: log.entries.filter(({ troubles }) => troubles.length > 0).length,
    seconds: Math.round((Date.now() - began) / 100) / 10,
    problems,
  };
}
