import type { WorkflowHandle } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { v7 } from 'uuid';
import { processes } from '../../db/program/processes';
import {
  bankTransferProcess,
  type BankTransfer,
} from '../../workflows/commerce/payment-event/bank-transfer.contract';
import { paymentEventProcess } from '../../workflows/commerce/payment-event/payment-event.contract';
import { providerEventProcess } from '../../workflows/investment/provider-event/provider-event.contract';
import { suspensionProcess } from '../../workflows/identity/suspension/suspension.contract';
import { abandonStep, retryStep } from '../../workflows/kit/parking.contract';
import type { ProcessDefinition } from '../../workflows/kit/process';
import { LONGEST_RUN_MS } from '../../workflows/kit/waiting/renewal';
import { make } from '../support/builders/make';
import { noteOf, PRICE_MINOR, storedReport } from '../support/builders/ordering';
import { eventually } from '../support/checks/eventually';
import { keepHistory } from '../support/checks/histories';
import { violations } from '../support/checks/violations';
import { startSkippingWorld, type SkippingWorld } from '../support/worlds/skipping-world';
import { reporting } from '../activities/investment/provider-event/reporting';
import { ABOUT_NOTHING } from './lasting-processes';
import { patient, placed } from './commerce/sales';
import { entryOf, type Entry } from './over-a-month';

/** Every process that can park waits for a month for a person, and for two; then that person decides. */
let world: SkippingWorld;
/** The ids of what a step fails for. */
const failing = new Set<string>();
const isFailing = (input: unknown): boolean =>
  [...failing].some((id) => JSON.stringify(input ?? null).includes(id));

/** A process whose step fails, by its type. */
interface Waiting {
  process: WorkflowHandle;
  /** The id in the input of its steps for which they fail. */
  about: string;
  /** The entry of the operators' list, and the run, before and after the first month. */
  before?: Listed;
  after?: Listed;
}

type Listed = Entry & { runId: string };

const waiting = new Map<string, Waiting>();

beforeAll(async () => {
  world = await startSkippingWorld({
    fakes: (real) => ({
      ...Object.fromEntries(
        Object.entries<(input: never) => unknown>({ ...real }).map(([step, work]) => [
          step,
          (input: never) => {
            if (isFailing(input)) throw ApplicationFailure.nonRetryable('the disk is full', 'DiskFull');
            return work(input);
          },
        ]),
      ),
      park: real.park,
      unpark: real.unpark,
      // What processes do before they can park.
      beginReading: real.beginReading,
      poolCountableFrom: real.poolCountableFrom,
      // An event that its consumer could not apply, and that only a person tries again.
      parkedDelivery: (delivery) =>
        isFailing(delivery)
          ? Promise.resolve({ attempts: 100, lastError: 'the disk is full' })
          : real.parkedDelivery(delivery),
    }),
  });
  await startAll();
  // The clock is shared, and it takes its time: everything waits at once.
  await world.sleep('3 days');
  for (const one of waiting.values()) one.before = await listed(one);
  await world.sleep('31 days');
  for (const [type, one] of waiting) {
    one.after = await eventually(async () => {
      const now = await listed(one);
      expect([type, now.runId, now.state]).not.toEqual([type, one.before?.runId, 'PARKED']);
      expect([type, now.state]).toEqual([type, 'PARKED']);
      return now;
    });
  }
});
afterAll(async () => {
  expect(await violations(world.db)).toEqual([]);
  await world.teardown();
});

async function start<Input>(process: ProcessDefinition<Input>, input: Input, about: string): Promise<void> {
  failing.add(about);
  await world.processes.start(process, input);
  waiting.set(process.type, {
    about,
    process: patient(world).workflow.getHandle(process.id(input)),
  });
}

async function startAll(): Promise<void> {
  for (const { process, input, about } of ABOUT_NOTHING) await start(process, input, about);

  const staffId = (await make.admin(world.db)).id;
  const sold = await placed(world, { method: 'BANK_TRANSFER' });
  const transfer: BankTransfer = {
    ...{ captureId: v7(), orderId: sold.orderId, userId: sold.userId, amountMinor: PRICE_MINOR },
    ...{ transactionId: `bank-${v7()}`, noteId: await noteOf(world.db, staffId, null) },
    onMismatch: 'REFUSE',
  };
  await start(bankTransferProcess, transfer, transfer.captureId);

  const event = await storedReport(world.db, 'DECLINED', await placed(world));
  await start(paymentEventProcess, event, event.webhookEventId);

  const user = await make.user(world.db, { kycLevel: 'STANDARD' });
  const strategy = await make.strategy(world.db);
  await make.signedIn(world.db, strategy.providerCode, user.id);
  const externalEventId = v7();
  const webhookEventId = await reporting(world.db, strategy.providerCode).store({
    id: externalEventId,
    type: 'investment.created',
    data: {
      ...{ externalId: v7(), userId: user.id, strategyCode: strategy.strategyCode, amount: 1_000 },
      ...{ currency: 'USD', startDate: '2026-06-01', maturityDate: '2126-01-01' },
    },
  });
  const report = { provider: strategy.providerCode, externalEventId, webhookEventId };
  await start(providerEventProcess, report, webhookEventId);
}

/** The entry of a process, which is there as soon as it has parked, with its run. */
const listed = ({ process }: Waiting): Promise<Listed> =>
  eventually(async () => {
    const entry = await entryOf(world.db, process);
    expect([process.workflowId, entry]).not.toEqual([process.workflowId, null]);
    return { ...entry!, runId: (await process.describe()).runId };
  });

const decide = ({ process }: Waiting, decision: typeof retryStep): Promise<null> =>
  process.executeUpdate(decision, { args: [{ noteId: null }] });

const PARKABLE_TYPES = processes.filter(({ parks }) => parks).map(({ type }) => type);

test('these are all processes that can park', () => {
  expect([...waiting.keys()].sort()).toEqual([...PARKABLE_TYPES].sort());
});

test.each(PARKABLE_TYPES)(
  '%s has a new run after a month, and its entry waits since the same moment',
  async (type) => {
    const { process, before, after } = waiting.get(type)!;
    expect(after).toEqual({ ...before, attempts: expect.any(Number) as number, runId: after!.runId });
    expect(after!.runId).not.toBe(before!.runId);
    const first = await patient(world).workflow.getHandle(process.workflowId, before!.runId).describe();
    expect(first.status.name).toBe('CONTINUED_AS_NEW');
    expect(first.closeTime!.getTime() - first.startTime.getTime()).toBeGreaterThanOrEqual(LONGEST_RUN_MS);
    await keepHistory(process, 'parked-for-a-month', before!.runId);
  },
);

test.each([
  { process: bankTransferProcess, result: 'RETURNED' },
  { process: paymentEventProcess, result: 'PROCESSED' },
  { process: providerEventProcess, result: 'PROCESSED' },
])('$process.type is done when a person retries it after that', async ({ process: { type }, result }) => {
  const one = waiting.get(type)!;
  failing.delete(one.about);
  await decide(one, retryStep);
  expect(await one.process.result()).toBe(result);
  await eventually(async () => expect(await entryOf(world.db, one.process)).toBeNull());
});

test('one whose cause is gone when it continues as new leaves the list by itself', async () => {
  const one = waiting.get(suspensionProcess.type)!;
  failing.delete(one.about);
  await world.sleep('31 days');
  expect(await one.process.result()).toBe('OVER');
  await eventually(async () => expect(await entryOf(world.db, one.process)).toBeNull());
  await keepHistory(one.process, 'recovered-in-its-next-run');
});

test.each(ABOUT_NOTHING.filter(({ process }) => process !== suspensionProcess))(
  '$process.type takes a decision after that',
  async ({ process: { type } }) => {
    const one = waiting.get(type)!;
    await decide(one, abandonStep);
    await eventually(async () => {
      expect((await entryOf(world.db, one.process))?.since).not.toEqual(one.before!.since);
    });
  },
);
