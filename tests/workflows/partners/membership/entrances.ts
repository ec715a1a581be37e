import type { WorkflowHandle } from '@temporalio/client';
import { v7 } from 'uuid';
import { firstRow } from '../../../../db/sql/query';
import {
  bankTransferProcess,
  transferOutcome,
  type ConfirmedTransfer,
} from '../../../../workflows/commerce/payment-event/bank-transfer.contract';
import {
  entranceProcess,
  openEntrance,
  type OpenedEntrance,
  type OpenEntrance,
} from '../../../../workflows/partners/membership/entrance.contract';
import { make } from '../../../support/builders/make';
import { noteOf } from '../../../support/builders/ordering';
import type { SkippingWorld } from '../../../support/worlds/skipping-world';
import { patient } from '../../commerce/sales';

export const FEE_MINOR = 49_90;

type Platform = Pick<SkippingWorld, 'db' | 'temporal' | 'processes'>;

export const processOf = (world: Platform, userId: string): WorkflowHandle =>
  patient(world).workflow.getHandle(entranceProcess.id({ userId }));

/** Asks to join, by card unless said otherwise. */
export const joins = (
  world: Platform,
  userId: string,
  asked: Partial<OpenEntrance> = {},
): Promise<OpenedEntrance> =>
  world.processes.open(
    entranceProcess,
    { userId },
    openEntrance,
    { partnerId: v7(), entranceId: v7(), attemptId: v7(), paymentMethod: 'CARD', ...asked },
    { updateId: v7() },
  );

/** An administrator enters a bank transfer of the fee for the user's newest entrance fee. */
export async function transfers(world: Platform, userId: string): Promise<ConfirmedTransfer> {
  const staff = await make.admin(world.db);
  const entrance = await firstRow<{ id: string }>(
    world.db,
    'SELECT id FROM partner_entrances WHERE user_id = $1 ORDER BY created_at DESC LIMIT 1',
    [userId],
  );
  const transfer = {
    ...{ captureId: v7(), entranceId: entrance!.id, userId, amountMinor: FEE_MINOR },
    ...{ transactionId: `bank-${v7()}`, onMismatch: 'REFUSE' as const },
    noteId: await noteOf(world.db, staff.id, null),
  };
  const how = { updateId: v7() };
  return world.processes.open(bankTransferProcess, transfer, transferOutcome, null, how);
}
