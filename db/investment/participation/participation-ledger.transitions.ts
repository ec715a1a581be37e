import type { Reference } from '../../../workflows/ledger/reference.rules';
import { clearingAccount, type LedgerLine } from '../../ledger/ledger.accounts';
import { postTransfer } from '../../ledger/ledger.transitions';
import type { Tx } from '../../sql/query';
import type { LockedParticipation } from './participation.transitions';

/**
 * The ledger entries of participations. `investments` holds what we owe investors: of each running participation its principal in
 * force and its returns. The clearing account of a provider is below zero by what that provider holds: the principal that was
 * passed on or paid to it, and the returns that it has distributed, less what it keeps. It is not paid back there by an end:
 * until the provider pays (`bookProviderPayment`), it owes what it holds beyond the running participations.
 */

type Money = Pick<LockedParticipation, 'id' | 'userId' | 'providerCode' | 'currency'>;

/** The columns that say what a running participation is owed. */
type Owed = Pick<LockedParticipation, 'amountMinor' | 'withdrawnMinor' | 'earnedMinor'>;

/** Clearing accounts of investment providers; their codes may equal those of payment providers. */
export const providerAccount = (code: string): ReturnType<typeof clearingAccount> =>
  clearingAccount(`provider_${code}`);

/** The sum that a running participation is owed, in minor units: principal in force and returns. A loss beyond is the provider's. */
export const owedMinor = ({ amountMinor, withdrawnMinor, earnedMinor }: Owed): number =>
  Math.max(0, amountMinor - withdrawnMinor + earnedMinor);

/**
 * Pays a participation from its owner's wallet, or from the payment provider or bank whose payment arrived: our bank passes that
 * on to its provider. What was paid there is only reported.
 */
export async function bookPrincipalPaid(
  tx: Tx,
  participation: Money & Pick<LockedParticipation, 'amountMinor'>,
  paidFrom: 'WALLET' | 'REPORTED' | { provider: string },
  at: Date,
): Promise<void> {
  const { userId, currency, amountMinor, providerCode } = participation;
  const passedOn: LedgerLine[] =
    paidFrom === 'REPORTED'
      ? []
      : [
          paidFrom === 'WALLET'
            ? { account: 'wallet', userId, currency, amountMinor: -amountMinor }
            : { account: clearingAccount(paidFrom.provider), currency, amountMinor: -amountMinor },
          { account: clearingAccount('bank'), currency, amountMinor },
        ];
  await postTransfer(tx, {
    reference: { kind: 'participation-payment', subjectId: participation.id },
    entries: [
      ...passedOn,
      { account: providerAccount(providerCode), currency, amountMinor: -amountMinor },
      { account: 'investments', currency, amountMinor },
    ],
    at,
  });
}

/** Books a profit or a loss of a running participation, as it was before it: its provider holds, and we owe, that much more. */
export async function bookReturn(
  tx: Tx,
  participation: Money & Owed,
  { reference, amountMinor, at }: { reference: Reference; amountMinor: number; at: Date },
): Promise<void> {
  const { currency, providerCode, earnedMinor } = participation;
  const after = owedMinor({ ...participation, earnedMinor: earnedMinor + amountMinor });
  const moreMinor = after - owedMinor(participation);
  await postTransfer(tx, {
    reference,
    entries: [
      { account: providerAccount(providerCode), currency, amountMinor: -moreMinor },
      { account: 'investments', currency, amountMinor: moreMinor },
    ],
    at,
  });
}

/** The parts of a participation that is over, in minor units. `earned` may be a loss. */
export interface EndedParts {
  principalMinor: number;
  earnedMinor: number;
  penaltyMinor: number;
}

/** The amount that is left for the owner; never below zero: a loss beyond the principal is the provider's. */
export const netMinor = ({ principalMinor, earnedMinor, penaltyMinor }: EndedParts): number =>
  Math.max(0, principalMinor + earnedMinor - penaltyMinor);

/** The penalty that is kept: never more than losses have left. */
export const paidPenaltyMinor = ({ principalMinor, earnedMinor, penaltyMinor }: EndedParts): number =>
  Math.min(penaltyMinor, Math.max(0, principalMinor + earnedMinor));

/**
 * Pays out a participation, or a part of it: `owedMinor` is owed no more, `to` receives the net amount and `penalties` the penalty.
 * What its provider pays beyond or below that changes what it holds.
 */
export async function bookPaidOut(
  tx: Tx,
  { currency, providerCode }: Money,
  { owedMinor: owed, penaltyMinor }: { owedMinor: number; penaltyMinor: number },
  { reference, to, at }: { reference: Reference; to: readonly LedgerLine[]; at: Date },
): Promise<void> {
  const paid = to.reduce((sum, { amountMinor }) => sum + amountMinor, 0) + penaltyMinor;
  await postTransfer(tx, {
    reference,
    entries: [
      { account: 'investments', currency, amountMinor: -owed },
      { account: providerAccount(providerCode), currency, amountMinor: owed - paid },
      { account: 'penalties', currency, amountMinor: penaltyMinor },
      ...to,
    ],
    at,
  });
}

/** Credits the owner with a profit that came after the end. */
export async function bookFromProvider(
  tx: Tx,
  { userId, currency, providerCode }: Money,
  { reference, amountMinor, at }: { reference: Reference; amountMinor: number; at: Date },
): Promise<void> {
  await postTransfer(tx, {
    reference,
    entries: [
      { account: providerAccount(providerCode), currency, amountMinor: -amountMinor },
      { account: 'wallet', userId, currency, amountMinor },
    ],
    at,
  });
}
