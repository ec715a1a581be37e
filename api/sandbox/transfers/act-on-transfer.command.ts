import {
  endSandboxTransfer,
  loseSandboxAnswer,
  type SandboxTransferEnd,
} from '../../../db/commerce/sandbox/sandbox-transfer.writes';
import { sandboxTransferBy } from '../../../db/commerce/sandbox/sandbox-transfer.reads';
import type { Db } from '../../../db/sql/query';

/** Buttons of the page of transfers; each is the last segment of its form's URL. */
export const TRANSFER_ACTIONS = ['settle', 'refuse', 'settle-twice', 'lose-answer'] as const;
export type TransferAction = (typeof TRANSFER_ACTIONS)[number];

/** The result of a button. ALREADY_…: the transfer had ended before, so nothing was changed. */
export const TRANSFER_OUTCOMES = [
  'SETTLED',
  'REFUSED',
  'SETTLED_TWICE',
  'LOSES_ANSWER',
  'ALREADY_ARRIVED',
  'ALREADY_REFUSED',
  'UNKNOWN',
] as const;
export type TransferOutcome = (typeof TRANSFER_OUTCOMES)[number];

const ends: Readonly<
  Record<Exclude<TransferAction, 'lose-answer'>, SandboxTransferEnd & { outcome: TransferOutcome }>
> = {
  settle: { status: 'ARRIVED', copies: 1, outcome: 'SETTLED' },
  refuse: { status: 'REFUSED', copies: 1, outcome: 'REFUSED' },
  'settle-twice': { status: 'ARRIVED', copies: 2, outcome: 'SETTLED_TWICE' },
};

/** Carries out the action of a button. Of two that would end a transfer the first decides. */
export async function actOnTransfer(db: Db, key: string, action: TransferAction): Promise<TransferOutcome> {
  if (action === 'lose-answer') return (await loseSandboxAnswer(db, key)) ? 'LOSES_ANSWER' : 'UNKNOWN';
  const { outcome, ...end } = ends[action];
  if (await endSandboxTransfer(db, key, end)) return outcome;
  const transfer = await sandboxTransferBy(db, key);
  if (!transfer) return 'UNKNOWN';
  return transfer.status === 'REFUSED' ? 'ALREADY_REFUSED' : 'ALREADY_ARRIVED';
}
