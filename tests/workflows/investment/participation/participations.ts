import type { WorkflowHandle } from '@temporalio/client';
import { v7 } from 'uuid';
import { bookReturn } from '../../../../db/investment/participation/participation-ledger.transitions';
import {
  changeParticipation,
  lockParticipation,
} from '../../../../db/investment/participation/participation.transitions';
import { recordTransaction } from '../../../../db/investment/transaction/investment-transaction.transitions';
import { announce } from '../../../../db/administration/domain-event/domain-event.writes';
import { firstRow, type Db } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import {
  openParticipation,
  participationProcess,
  type OpenedParticipation,
  type OpenParticipation,
} from '../../../../workflows/investment/participation/participation.contract';
import { make } from '../../../support/builders/make';
import type { SkippingWorld } from '../../../support/worlds/skipping-world';
import { patient } from '../../commerce/sales';

/** Somebody of level STANDARD with 50,000 USD. */
export async function person(db: Db, walletMinor = 50_000_00): Promise<string> {
  const { id } = await make.user(db, { kycLevel: 'STANDARD' });
  if (walletMinor > 0) await make.money(db, id, walletMinor);
  return id;
}

export interface Held {
  participationId: string;
  userId: string;
  opened: OpenedParticipation;
  process: WorkflowHandle;
}

type Options = Partial<OpenParticipation> & {
  strategyId: string;
  userId?: string;
  participationId?: string;
};

/** Opens a participation of 1,000 USD for 90 days from the balance, unless said otherwise. */
export async function holds(world: SkippingWorld, options: Options): Promise<Held> {
  const { userId = await person(world.db), participationId = v7(), ...asked } = options;
  const opened = await world.processes.open(
    participationProcess,
    { participationId, userId },
    openParticipation,
    {
      ...{
        amountMinor: 1_000_00,
        currency: 'USD',
        durationDays: 90,
        compounding: false,
        autoReinvest: false,
      },
      ...{ paymentMethod: 'BALANCE', attemptId: v7() },
      ...asked,
    },
    { updateId: v7() },
  );
  return { participationId, userId, opened, process: processOf(world, participationId) };
}

export const processOf = (world: SkippingWorld, participationId: string): WorkflowHandle =>
  patient(world).workflow.getHandle(participationProcess.id({ participationId }));

/** A profit, or below zero a loss, that its provider has distributed. */
export const earns = (db: Db, participationId: string, amountMinor: number, at: Date): Promise<void> =>
  inTransaction(db, async (tx) => {
    const found = await lockParticipation(tx, participationId);
    const { userId, currency, providerCode, earnedMinor } = found!;
    const profit = { id: v7(), participationId, userId, type: 'PROFIT', amountMinor, currency } as const;
    await recordTransaction(tx, { ...profit, providerCode, externalId: v7(), occurredAt: at }, at);
    await changeParticipation(tx, participationId, { earnedMinor: earnedMinor + amountMinor }, at);
    await bookReturn(tx, found!, { reference: { kind: 'profit', subjectId: profit.id }, amountMinor, at });
    const announced = { participationId, transactionId: profit.id, userId, amountMinor, currency };
    if (amountMinor > 0) await announce(tx, { type: 'profit.distributed', ...announced }, at.toISOString());
  });

/** The participation that a matured one was reinvested in. */
export const successorOf = (
  db: Db,
  participationId: string,
): Promise<{ id: string; amountMinor: number; status: string; maturesAt: Date } | null> =>
  firstRow(
    db,
    'SELECT id, amount_minor, status, matures_at FROM participations WHERE reinvested_from_id = $1',
    [participationId],
  );
