import type { WorkflowHandle } from '@temporalio/client';
import { v7 } from 'uuid';
import { requestWithdrawal as requestWithdrawalWith } from '../../../../activities/investment/withdrawal/request-withdrawal';
import {
  leaveWithdrawal,
  sendWithdrawal,
} from '../../../../activities/investment/withdrawal/send-withdrawal';
import { settleWithdrawal as settleWithdrawalWith } from '../../../../activities/investment/withdrawal/settle-withdrawal';
import { policyFrom } from '../../../../db/policy/config';
import { execute } from '../../../../db/sql/query';
import { transferReported } from '../../../../workflows/commerce/payout/payout.contract';
import { abandonStep, retryStep } from '../../../../workflows/kit/parking.contract';
import {
  requestWithdrawal,
  settleWithdrawal,
  withdrawalProcess,
  type WithdrawalInput,
  type WithdrawalState,
} from '../../../../workflows/investment/withdrawal/withdrawal.contract';
import type { WithdrawalMethod } from '../../../../workflows/investment/withdrawal/withdrawal.rules';
import { make } from '../../../support/builders/make';
import type { ParticipationOptions } from '../../../support/builders/make/participation/options';
import { noteOf } from '../../../support/builders/ordering';
import { CARD, cardNote, moneyOf } from '../../../support/builders/investing/withdrawing';
import { eventually } from '../../../support/checks/eventually';
import { keepHistory } from '../../../support/checks/histories';
import { violations } from '../../../support/checks/violations';
import { FakePayouts } from '../../../support/fakes/fake-payouts';
import { startSkippingWorld, type SkippingWorld } from '../../../support/worlds/skipping-world';
import { detailsOf, parks } from '../../commerce/refund/refund-processes';
import { patient } from '../../commerce/sales';
import { overAMonth, remindsOnceAcrossRuns } from '../../over-a-month';

let world: SkippingWorld;
let bank: FakePayouts;
/** True: the answer of the next settlement is lost after it was committed. */
let losesAnswer = false;
/** The provider of new withdrawals. */
let current: 'sandbox' | 'bank';

const payouts = () => ({ providers: new Map([[bank.code, bank]]), current });

beforeAll(async () => {
  world = await startSkippingWorld({
    queues: ['interactive', 'providers:sandbox'],
    fakes: () => ({
      requestWithdrawal: (request) =>
        requestWithdrawalWith({ db: world.db, payouts: payouts(), policy: policyFrom({}) }, request),
      handOverWithdrawal: (withdrawal) => leaveWithdrawal({ db: world.db, payouts: payouts() }, withdrawal),
      sendWithdrawal: (withdrawal) =>
        sendWithdrawal({ db: world.db, payouts: payouts(), policy: policyFrom({}) }, withdrawal),
      settleWithdrawal: async (settlement) => {
        const deps = { db: world.db, payouts: payouts(), policy: policyFrom({}) };
        const settled = await settleWithdrawalWith(deps, settlement);
        if (!losesAnswer) return settled;
        losesAnswer = false;
        throw new Error('The worker died.');
      },
    }),
  });
});
afterAll(async () => {
  expect(await violations(world.db)).toEqual([]);
  await world.teardown();
});
beforeEach(() => {
  bank = new FakePayouts();
  current = 'sandbox';
});

interface Withdrawn {
  input: WithdrawalInput;
  process: WorkflowHandle;
  state: WithdrawalState;
}

/** A withdrawal of 1,000 USD; by hand if `current` says so. */
async function withdrawn(
  method: WithdrawalMethod = 'BANK_CARD',
  options: ParticipationOptions = {},
): Promise<Withdrawn> {
  const { db } = world;
  const user = await make.user(db, { kycLevel: 'STANDARD' });
  const { id: strategyId } = await make.strategy(db, { lockDays: 0 });
  const at = await world.now();
  const { id: participationId } = await make.participation(db, {
    ...{ status: 'ACTIVE', userId: user.id, strategyId, at, durationDays: 365 },
    ...options,
  });
  const input = { withdrawalId: v7(), participationId, userId: user.id };
  const detailsNoteId = method === 'BALANCE' ? null : await cardNote(world.db, input);
  const state = await world.processes.open(
    withdrawalProcess,
    input,
    requestWithdrawal,
    { method, acceptPenalty: false, detailsNoteId },
    { updateId: v7() },
  );
  return { input, state, process: patient(world).workflow.getHandle(withdrawalProcess.id(input)) };
}

const becomes = ({ input: { userId } }: Withdrawn, status: string, walletMinor: number): Promise<void> =>
  eventually(async () =>
    expect(await moneyOf(world.db, userId)).toEqual({
      walletMinor,
      participation: 'WITHDRAWN',
      withdrawals: [`${status} 100000`],
    }),
  );
const settles = async (
  { input }: Withdrawn,
  outcome: 'DONE' | 'REFUSED',
  reference: string = v7(),
): Promise<WithdrawalState> =>
  world.processes.open(
    withdrawalProcess,
    input,
    settleWithdrawal,
    { noteId: await noteOf(world.db, (await make.admin(world.db)).id, reference), outcome },
    { updateId: v7() },
  );
const decides = (one: Withdrawn, decision: typeof retryStep): Promise<null> =>
  one.process.executeUpdate(decision, { args: [{ noteId: null }] });
const waitsForPerson = ({ process }: Withdrawn): Promise<void> =>
  eventually(async () => expect(await detailsOf(process)).toContain('Waits for a person to send the money'));
const staysWithProvider = ({ process }: Withdrawn): Promise<void> =>
  eventually(async () =>
    expect(await detailsOf(process)).toContain('sandbox may still send this withdrawal'),
  );

test('to the balance it is over at once', async () => {
  const one = await withdrawn('BALANCE');
  expect(one.state).toEqual({ status: 'COMPLETED', transfer: null });
  expect(await one.process.result()).toBe('COMPLETED');
  await becomes(one, 'COMPLETED', 1_000_00);
  await keepHistory(one.process, 'to-balance');
});

test('told of the end of its transfer while it is parked, it looks at once', async () => {
  bank.mood = 'is silent';
  const one = await withdrawn();
  await world.sleep('73 hours');
  await parks(one.process);
  bank.arrives(bank.sent[0]!);
  await one.process.signal(transferReported);
  await becomes(one, 'COMPLETED', 0);
  expect(await one.process.result()).toBe('COMPLETED');
  await keepHistory(one.process, 'told-while-parked');
});

test('a transfer that arrives is sent once, under the key of its first attempt', async () => {
  const one = await withdrawn();
  expect(await one.process.result()).toBe('COMPLETED');
  await becomes(one, 'COMPLETED', 0);
  expect(bank.sent).toEqual([
    {
      key: `${one.input.withdrawalId}:1`,
      amountMinor: 1_000_00,
      currency: 'USD',
      destination: { method: 'CARD', accountHolder: 'Ada Lovelace', cardNumber: CARD },
    },
  ]);
  await keepHistory(one.process, 'arrived');
});

test('one that is refused goes to the wallet', async () => {
  bank.mood = 'refuses';
  const one = await withdrawn();
  expect(await one.process.result()).toBe('CREDITED');
  await becomes(one, 'CREDITED', 1_000_00);
  expect(bank.sent).toEqual([]);
  await keepHistory(one.process, 'refused');
});

test('so does one that was accepted and is refused later', async () => {
  bank.mood = 'lies';
  const one = await withdrawn();
  expect(await one.process.result()).toBe('CREDITED');
  await becomes(one, 'CREDITED', 1_000_00);
});

test('one whose answer was lost is looked up, and never sent twice', async () => {
  bank.mood = 'loses the answer';
  const one = await withdrawn();
  await eventually(() => expect(bank.requests).toEqual(['send']));
  await world.sleep('2 seconds');
  await eventually(() => expect(bank.requests).toEqual(['send', 'look up']));
  bank.mood = 'sends';
  await world.sleep('5 seconds');
  expect(await one.process.result()).toBe('COMPLETED');
  expect(bank.sent).toHaveLength(1);
  await becomes(one, 'COMPLETED', 0);
});

test('a provider that could not be reached gets it when an operator retries', async () => {
  bank.mood = 'is not reached';
  const one = await withdrawn();
  await world.sleep('20 minutes');
  await parks(one.process);
  expect(await detailsOf(one.process)).toContain('Last error: The bank is not reached.');
  await becomes(one, 'PROCESSING', 0);
  bank.mood = 'sends';
  await decides(one, retryStep);
  expect(await one.process.result()).toBe('COMPLETED');
  expect(bank.sent.map(({ key }) => key)).toEqual([`${one.input.withdrawalId}:1`]);
  await keepHistory(one.process, 'unreached-then-retried');
});

test('and by itself a day later', async () => {
  bank.mood = 'is not reached';
  const one = await withdrawn();
  await world.sleep('20 minutes');
  await parks(one.process);
  bank.mood = 'sends';
  await world.sleep('25 hours');
  expect(await one.process.result()).toBe('COMPLETED');
  expect(bank.sent).toHaveLength(1);
  await keepHistory(one.process, 'unreached-then-recovered');
});

test('one that takes its time is looked at every hour until it arrives', async () => {
  bank.mood = 'is silent';
  const one = await withdrawn();
  await eventually(() => expect(bank.requests).toEqual(['send', 'look up']));
  await world.sleep('150 minutes');
  await eventually(() => expect(bank.requests).toEqual(['send', ...Array<string>(3).fill('look up')]));
  bank.arrives(bank.sent[0]!);
  await world.sleep('1 hour');
  expect(await one.process.result()).toBe('COMPLETED');
  await keepHistory(one.process, 'slow');
});

test('a provider that is silent for days parks; left to a person, the transfer is settled', async () => {
  bank.mood = 'is silent';
  const one = await withdrawn();
  await world.sleep('73 hours');
  await parks(one.process);
  expect(await detailsOf(one.process)).toContain('does not say whether the money arrived');
  await expect(settles(one, 'DONE')).rejects.toThrow('sandbox may still send this withdrawal.');
  await decides(one, abandonStep);
  await staysWithProvider(one);
  await becomes(one, 'PROCESSING', 0);
  await expect(settles(one, 'REFUSED')).rejects.toThrow('sandbox may still send this withdrawal.');
  bank.refuses(bank.sent[0]!);
  expect(await settles(one, 'REFUSED')).toEqual({ status: 'CREDITED', transfer: null });
  expect(await one.process.result()).toBe('CREDITED');
  expect(bank.sent).toHaveLength(1);
  await keepHistory(one.process, 'silent-then-by-hand');
});

test('one that a difference with a provider stops says so, and is sent once that is resolved', async () => {
  const { id } = await make.difference(world.db);
  const one = await withdrawn();
  await eventually(async () => expect(await detailsOf(one.process)).toContain('stops payouts'));
  await world.sleep('73 hours');
  await parks(one.process);
  expect(await detailsOf(one.process)).toContain('Resolve it: GET /admin/reconciliation/differences.');
  expect(bank.requests).toEqual([]);
  await execute(world.db, 'UPDATE reconciliation_differences SET resolved_at = now() WHERE id = $1', [id]);
  await decides(one, retryStep);
  expect(await one.process.result()).toBe('COMPLETED');
  expect(bank.sent).toHaveLength(1);
});

test('one that was abandoned and had arrived is completed by that, and the person is told', async () => {
  bank.mood = 'is silent';
  const one = await withdrawn();
  await world.sleep('73 hours');
  await parks(one.process);
  await decides(one, abandonStep);
  await staysWithProvider(one);
  bank.arrives(bank.sent[0]!);
  await expect(settles(one, 'DONE')).rejects.toThrow('The money had already arrived through sandbox');
  expect(await one.process.result()).toBe('COMPLETED');
  await becomes(one, 'COMPLETED', 0);
  await keepHistory(one.process, 'arrived-after-all');
});

test('the same when the answer of the settlement was lost: the person is told, and the process ends', async () => {
  bank.mood = 'is silent';
  const one = await withdrawn();
  await world.sleep('73 hours');
  await parks(one.process);
  await decides(one, abandonStep);
  await staysWithProvider(one);
  bank.arrives(bank.sent[0]!);
  losesAnswer = true;
  await expect(settles(one, 'DONE')).rejects.toThrow('The money had already arrived through sandbox');
  expect(await one.process.result()).toBe('COMPLETED');
  await keepHistory(one.process, 'arrived-answer-lost');
});

describe('from our bank account', () => {
  beforeEach(() => (current = 'bank'));

  test('a person sends it, and is reminded after days', async () => {
    const one = await withdrawn();
    await waitsForPerson(one);
    await world.sleep('73 hours');
    await parks(one.process);
    expect(await detailsOf(one.process)).toContain('It takes too long');
    await decides(one, retryStep);
    await waitsForPerson(one);
    await world.sleep('25 hours');
    await parks(one.process);
    await settles(one, 'DONE');
    expect(await one.process.result()).toBe('COMPLETED');
    expect(bank.requests).toEqual([]);
    await becomes(one, 'COMPLETED', 0);
    await keepHistory(one.process, 'by-hand');
  });

  test('it waits for months, with a new run each; settled then, it ends', async () => {
    const one = await withdrawn();
    await world.sleep('73 hours');
    await parks(one.process);
    await overAMonth(world, one.process);
    await overAMonth(world, one.process);
    await settles(one, 'DONE');
    expect(await patient(world).workflow.getHandle(one.process.workflowId).result()).toBe('COMPLETED');
    await becomes(one, 'COMPLETED', 0);
  });

  test('a new run reminds when the run before would have', async () => {
    const one = await withdrawn();
    await remindsOnceAcrossRuns(world, one.process, {
      words: 'send the money from our bank account',
      history: 'by-hand-between-reminders',
    });
    await settles(one, 'DONE');
    expect(await patient(world).workflow.getHandle(one.process.workflowId).result()).toBe('COMPLETED');
  });

  test('what the bank refuses goes to the wallet; a wrong reference changes nothing', async () => {
    const [first, one] = [await withdrawn(), await withdrawn()];
    await settles(first, 'DONE', 'OUT 7');
    await expect(settles(one, 'REFUSED', 'out7')).rejects.toThrow(
      'This transfer is already recorded for another payment.',
    );
    await becomes(one, 'PROCESSING', 0);
    await settles(one, 'REFUSED', 'OUT 8');
    expect(await one.process.result()).toBe('CREDITED');
    await becomes(one, 'CREDITED', 1_000_00);
    await expect(settles(one, 'DONE')).rejects.toThrow('This withdrawal is already settled.');
    await keepHistory(first.process, 'settled');
  });

  test('a process that was lost is opened again by the settlement', async () => {
    const one = await withdrawn();
    await one.process.terminate('lost');
    await settles(one, 'DONE');
    expect(await patient(world).workflow.getHandle(one.process.workflowId).result()).toBe('COMPLETED');
    await becomes(one, 'COMPLETED', 0);
  });
});
