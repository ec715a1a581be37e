import type { WorkflowHandle } from '@temporalio/client';
import { v7 } from 'uuid';
import { completePayout as completeWith } from '../../../../activities/commerce/payout/complete-payout';
import { processPayout as processWith } from '../../../../activities/commerce/payout/process-payout';
import { leavePayout, sendPayout as sendWith } from '../../../../activities/commerce/payout/send-payout';
import { policyFrom } from '../../../../db/policy/config';
import {
  approvePayout,
  payoutProcess,
  processPayout,
  requestPayout,
  type PayoutDecision,
  type PayoutInput,
  type PayoutState,
} from '../../../../workflows/commerce/payout/payout.contract';
import type { PayoutKind } from '../../../../workflows/commerce/payout/payout.rules';
import { walletWithdrawalProcess } from '../../../../workflows/commerce/payout/wallet-withdrawal.contract';
import { make } from '../../../support/builders/make';
import { noteOf } from '../../../support/builders/ordering';
import { fundsOf, payee, type Payee } from '../../../support/builders/paying-out/payees';
import { eventually } from '../../../support/checks/eventually';
import type { FakePayouts } from '../../../support/fakes/fake-payouts';
import { startSkippingWorld, type SkippingWorld } from '../../../support/worlds/skipping-world';
import { patient } from '../sales';
import type { DecisionDefinition } from '../../../../workflows/kit/decision';

/** The bank of a world of payouts, and the provider of the next transfers. */
export interface Bank {
  provider: FakePayouts;
  current: 'sandbox' | 'bank';
  /** True: the answer of the next report of a person is lost after it was committed. */
  losesAnswer?: boolean;
}

/** A world whose payouts go through `bank`, which a test may replace. */
export function startPayoutWorld(bank: Bank): Promise<SkippingWorld> {
  const payouts = () => ({
    providers: new Map([[bank.provider.code, bank.provider]]),
    current: bank.current,
  });
  const policy = policyFrom({});
  const world: Promise<SkippingWorld> = startSkippingWorld({
    queues: ['interactive', 'ingest', 'providers:sandbox'],
    fakes: () => ({
      processPayout: async (decision) =>
        processWith({ db: (await world).db, payouts: payouts(), policy }, decision),
      sendPayout: async (payout) => sendWith({ db: (await world).db, payouts: payouts() }, payout),
      handOverPayout: async (payout) => leavePayout({ db: (await world).db, payouts: payouts() }, payout),
      completePayout: async (report) => {
        const completed = await completeWith({ db: (await world).db, payouts: payouts(), policy }, report);
        if (!bank.losesAnswer) return completed;
        bank.losesAnswer = false;
        throw new Error('The worker died.');
      },
    }),
  });
  return world;
}

export interface OpenPayout {
  one: Payee;
  input: PayoutInput;
  process: WorkflowHandle;
}

const processOf = (kind: PayoutKind): typeof payoutProcess =>
  kind === 'PARTNER' ? payoutProcess : walletWithdrawalProcess;

/** A payout of 40.00 that somebody has requested; left out: a new payee. */
export async function requested(
  world: SkippingWorld,
  kind: PayoutKind = 'PARTNER',
  by?: Payee,
): Promise<OpenPayout> {
  const one = by ?? (await payee(world.db, { kind }));
  const input = { payoutId: v7(), userId: one.userId };
  await world.processes.open(
    processOf(kind),
    input,
    requestPayout,
    { kind, amountMinor: 40_00, currency: 'USD' },
    { updateId: v7() },
  );
  return { one, input, process: patient(world).workflow.getHandle(processOf(kind).id(input)) };
}

/** Makes a decision as the API does. */
export const decides = async <Command extends PayoutDecision>(
  world: SkippingWorld,
  { one, input }: OpenPayout,
  update: DecisionDefinition<PayoutState, [Command]>,
  { text = null, by, ...command }: Omit<Command, 'noteId'> & { text?: string | null; by?: string },
): Promise<PayoutState> => {
  const noteId = await noteOf(world.db, by ?? (await make.admin(world.db)).id, text);
  return world.processes.open(
    processOf(one.kind),
    { ...input, exists: true },
    update,
    { ...command, noteId } as unknown as Command,
    { updateId: v7() },
  );
};

/** A payout that is approved and that an administrator has processed; answers its state too. */
export async function processed(
  world: SkippingWorld,
  kind: PayoutKind = 'PARTNER',
): Promise<OpenPayout & { state: PayoutState }> {
  const open = await requested(world, kind);
  await decides(world, open, approvePayout, {});
  return { ...open, state: await decides(world, open, processPayout, {}) };
}

export const becomes = (world: SkippingWorld, { one }: OpenPayout, status: string): Promise<void> =>
  eventually(async () => {
    const isOpen = ['PENDING', 'APPROVED', 'PROCESSING'].includes(status);
    expect(await fundsOf(world.db, one.userId)).toMatchObject({
      heldMinor: isOpen ? 40_00 : 0,
      payouts: [`${status} 4000`],
    });
  });
