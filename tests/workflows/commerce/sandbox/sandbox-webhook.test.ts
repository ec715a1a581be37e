import { ApplicationFailure } from '@temporalio/common';
import { v7 } from 'uuid';
import {
  sandboxWebhookProcess,
  type SandboxWebhookResult,
} from '../../../../workflows/commerce/sandbox/sandbox-webhook.contract';
import { PROVIDER_QUEUES } from '../../../../workers/queues';
import { keepHistory } from '../../../support/checks/histories';
import { startSkippingWorld, type SkippingWorld } from '../../../support/worlds/skipping-world';

/** Behaviour of the webhook address at each try; the last is repeated. */
let answers: (() => void)[];
let tries: { eventId: string; at: number }[];
let world: SkippingWorld;

const taken = (): void => undefined;
const refused = (): void => {
  throw ApplicationFailure.retryable('The webhook address answered 500.');
};

beforeAll(async () => {
  world = await startSkippingWorld({
    queues: ['ingest', ...PROVIDER_QUEUES],
    fakes: () => ({
      deliverSandboxEvent: async ({ eventId }) => {
        tries.push({ eventId, at: (await world.now()).getTime() });
        (answers.length > 1 ? answers.shift() : answers[0])?.();
      },
    }),
  });
});
afterAll(() => world.teardown());
beforeEach(() => {
  tries = [];
});

async function report(delayMs: number) {
  const eventId = v7();
  const began = (await world.now()).getTime();
  await world.processes.start(sandboxWebhookProcess, { eventId, delayMs });
  const process = world.temporal.workflow.getHandle(sandboxWebhookProcess.id({ eventId, delayMs }));
  const result: SandboxWebhookResult = await process.result();
  const passedMs = (await world.now()).getTime() - began;
  return { eventId, result, passedMs, process };
}

test('a report without delay is delivered once, at once', async () => {
  answers = [taken];
  const { result, eventId, process } = await report(0);
  expect(result).toBe('DELIVERED');
  expect(tries.map((one) => one.eventId)).toEqual([eventId]);
  await keepHistory(process, 'delivered');
});

test('a delayed report waits by a timer that says why', async () => {
  answers = [taken];
  const { result, passedMs, process } = await report(3_600_000);
  expect(result).toBe('DELIVERED');
  expect(passedMs).toBeGreaterThanOrEqual(3_600_000);
  const { events } = await process.fetchHistory();
  const timer = events?.find(({ timerStartedEventAttributes }) => timerStartedEventAttributes);
  expect(Buffer.from(timer!.userMetadata!.summary!.data!).toString()).toContain('reports late');
  await keepHistory(process, 'delivered-late');
});

test('an address that refuses is tried again until it takes the report', async () => {
  answers = [...Array<() => void>(12).fill(refused), taken];
  const { result } = await report(0);
  expect(result).toBe('DELIVERED');
  expect(tries).toHaveLength(13);
});

test('two tries are at most a minute apart', async () => {
  answers = [...Array<() => void>(12).fill(refused), taken];
  await report(0);
  const pauses = tries.slice(1).map(({ at }, index) => at - tries[index]!.at);
  expect(Math.max(...pauses)).toBeLessThan(70_000);
  expect(Math.max(...pauses)).toBeGreaterThan(50_000);
});

test('after three days it gives up by itself', async () => {
  // The address asks for a day's patience each time, which only makes this test shorter.
  answers = [
    () => {
      throw ApplicationFailure.create({ message: 'Not today.', nextRetryDelay: '1 day' });
    },
  ];
  const { result, passedMs, process } = await report(0);
  expect(result).toBe('GIVEN_UP');
  await keepHistory(process, 'given-up');
  expect(passedMs).toBeGreaterThan(1.9 * 24 * 3_600_000);
  expect(passedMs).toBeLessThan(3.1 * 24 * 3_600_000);
});
