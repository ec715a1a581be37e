import type { WorkflowHandle } from '@temporalio/client';
import { v7 } from 'uuid';
import {
  bankTransferProcess,
  transferOutcome,
  type ConfirmedTransfer,
} from '../../../../workflows/commerce/payment-event/bank-transfer.contract';
import {
  cancelTopUp,
  openTopUp,
  topUpProcess,
  type OpenedTopUp,
  type OpenTopUp,
  type TopUpState,
} from '../../../../workflows/ledger/top-up/top-up.contract';
import { make } from '../../../support/builders/make';
import { noteOf } from '../../../support/builders/ordering';
import { TOP_UP_MINOR } from '../../../support/builders/wallets/top-ups';
import type { SkippingWorld } from '../../../support/worlds/skipping-world';
import { patient } from '../../commerce/sales';

type Platform = Pick<SkippingWorld, 'db' | 'temporal' | 'processes'>;

/** A top-up and its user. */
export interface Asked {
  topUpId: string;
  userId: string;
}

export const processOf = (world: Platform, { topUpId }: Pick<Asked, 'topUpId'>): WorkflowHandle =>
  patient(world).workflow.getHandle(topUpProcess.id({ topUpId }));

/** A new user asks for 100 USD by card, unless said otherwise. */
export async function asks(
  world: Platform,
  { topUpId = v7(), ...change }: Partial<OpenTopUp & Pick<Asked, 'topUpId'>> = {},
): Promise<Asked & { opened: OpenedTopUp }> {
  const { id: userId } = await make.user(world.db);
  const opened = await world.processes.open(
    topUpProcess,
    { topUpId, userId },
    openTopUp,
    { amountMinor: TOP_UP_MINOR, currency: 'USD', paymentMethod: 'CARD', attemptId: v7(), ...change },
    { updateId: v7() },
  );
  return { topUpId, userId, opened };
}

/** Its owner cancels it. */
export const cancels = (world: Platform, { topUpId, userId }: Asked): Promise<TopUpState> =>
  world.processes.open(topUpProcess, { topUpId, userId, exists: true }, cancelTopUp, null, {
    ...{ updateId: v7() },
  });

/** An administrator enters a bank transfer of its amount for it; answers the transfer's id, too. */
export async function transfers(
  world: Platform,
  { topUpId, userId }: Asked,
): Promise<ConfirmedTransfer & { captureId: string }> {
  const staff = await make.admin(world.db);
  const captureId = v7();
  const transfer = {
    ...{ captureId, topUpId, userId, amountMinor: TOP_UP_MINOR },
    ...{ transactionId: `bank-${v7()}`, onMismatch: 'REFUSE' as const },
    noteId: await noteOf(world.db, staff.id, null),
  };
  const how = { updateId: v7() };
  const outcome = await world.processes.open(bankTransferProcess, transfer, transferOutcome, null, how);
  return { ...outcome, captureId };
}
