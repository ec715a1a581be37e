import { lockUserStanding } from '../../../../db/kyc/standing/user-standing.writes';
import type { LockedParticipation } from '../../../../db/investment/participation/participation.transitions';
import { movementsOfDay } from '../../../../db/investment/provider-event/movements-of-day.reads';
import { addToDay } from '../../../../db/investment/provider-event/provider-day-total.transitions';
import type { Policy } from '../../../../db/policy/config';
import type { Tx } from '../../../../db/sql/query';
import { toMinor } from '../../../../workflows/commerce/money.rules';
import {
  isBeyondTerm,
  MOST_OF_ONE_MINOR,
  mostReportedMinor,
  mostValueMinor,
  payoutBounds,
  penaltyOfTerms,
  type Term,
} from '../../../../workflows/investment/participation/report-bounds.rules';
import { principalMinor } from '../../participation/pay-out-participation';
import { Inapplicable, inWords } from '../../report/inapplicable';

/** The conditions under which a report is applied; `confirmed` if a person lets amounts beyond the bounds through. */
export interface Applying {
  policy: Policy;
  confirmed: boolean;
  at: Date;
}

const CONFIRM = 'a person has to confirm it';

/** Throws Inapplicable where one report says of a larger profit or loss than it may. */
export function requireProfitWithin(
  { amountMinor: principal, earnedMinor, currency, externalId }: LockedParticipation,
  amountMinor: number,
  { policy, confirmed }: Applying,
): void {
  if (Math.abs(earnedMinor + amountMinor) > MOST_OF_ONE_MINOR)
    throw new Inapplicable(
      `With its ${inWords(amountMinor, currency)} the profits of the investment ${externalId} are more than any can have, ${inWords(MOST_OF_ONE_MINOR, currency)}.`,
    );
  const percent = policy.providerReportPercent;
  if (!confirmed && Math.abs(amountMinor) > mostReportedMinor(principal, percent))
    throw new Inapplicable(
      `Its ${inWords(amountMinor, currency)} is more than ${percent} % of the principal of the investment ${externalId}, ${inWords(principal, currency)}: ${CONFIRM}.`,
    );
}

/** Throws Inapplicable where a principal that was paid at a provider is more than any may be; nobody can allow more. */
export function requirePrincipalWithin(amountMinor: number, currency: string): void {
  if (amountMinor > MOST_OF_ONE_MINOR)
    throw new Inapplicable(
      `Its amount ${inWords(amountMinor, currency)} is more than any investment can have, ${inWords(MOST_OF_ONE_MINOR, currency)}.`,
    );
}

/** Throws Inapplicable where a value is more than principal, returns and the share of one report. */
export function requireValueWithin(
  participation: LockedParticipation,
  valueMinor: number,
  { policy, confirmed }: Applying,
): void {
  const { currency, externalId } = participation;
  const value = inWords(valueMinor, currency);
  if (valueMinor > MOST_OF_ONE_MINOR)
    throw new Inapplicable(
      `Its value ${value} is more than any investment can be worth, ${inWords(MOST_OF_ONE_MINOR, currency)}.`,
    );
  const mostMinor = mostValueMinor(participation, policy.providerReportPercent);
  if (!confirmed && valueMinor > mostMinor)
    throw new Inapplicable(
      `Its value ${value} is more than the ${inWords(mostMinor, currency)} that the investment ${externalId} can be worth: ${CONFIRM}.`,
    );
}

/** Throws Inapplicable where a maturity is later than a provider may move it. */
export function requireMaturityWithin(term: Term, maturesAt: Date, { policy, confirmed }: Applying): void {
  const days = policy.providerExtensionDays;
  if (!confirmed && isBeyondTerm(term, maturesAt, days))
    throw new Inapplicable(`It matures more than ${days} days after its term: ${CONFIRM}.`);
}

/**
 * Throws Inapplicable where a locked participation has as many movements on the day (UTC) of a report as it may have. All
 * that is dated before its start is of one day.
 */
export async function requireFewMovements(
  tx: Tx,
  { id, startedAt, externalId }: LockedParticipation,
  occurredAt: Date,
  { policy, confirmed }: Applying,
): Promise<void> {
  const most = policy.providerMovementsADay;
  if (confirmed || (await movementsOfDay(tx, id, { occurredAt, startedAt })) < most) return;
  throw new Inapplicable(
    `The investment ${externalId} has ${most} movements on that day, the most that one may have: ${CONFIRM}.`,
  );
}

interface Paid {
  amountMinor: number;
  penaltyMinor: number;
  /** The time whose terms say what penalty may be kept. */
  termsAt: Date;
}

/** A payout that ends a participation and pays less than that holds. */
interface Short {
  /** The least that it should have paid, in minor units. */
  leastMinor: number;
  /** True where it does not cover the principal, or keeps more than the terms ask for: it ends nothing yet. */
  waits: boolean;
}

/**
 * The shortage of a payout that ends a participation, of which losses or parts may still be reported; null where it pays enough.
 * Throws Inapplicable where it is more than it may be.
 */
export function shortage(
  participation: LockedParticipation,
  { amountMinor, penaltyMinor, termsAt }: Paid,
  { policy, confirmed }: Applying,
): Short | null {
  const { currency, externalId } = participation;
  const takenMinor = amountMinor + penaltyMinor;
  const taken = inWords(takenMinor, currency);
  if (takenMinor > MOST_OF_ONE_MINOR)
    throw new Inapplicable(
      `It pays out ${taken}, more than any investment can be paid, ${inWords(MOST_OF_ONE_MINOR, currency)}.`,
    );
  if (confirmed) return null;
  const { leastMinor, mostMinor } = payoutBounds(participation, policy.providerReportPercent, termsAt);
  if (takenMinor > mostMinor)
    throw new Inapplicable(
      `It pays out ${taken}, more than the ${inWords(mostMinor, currency)} that the investment ${externalId} can have earned: ${CONFIRM}.`,
    );
  if (amountMinor >= leastMinor) return null;
  const principal = principalMinor(participation);
  const keepsTerms = penaltyMinor <= penaltyOfTerms(participation, principal, termsAt);
  return { leastMinor, waits: takenMinor < principal || !keepsTerms };
}

/** Throws Inapplicable where a provider keeps more of a part that it pays out than the terms say. */
export function requirePenaltyWithin(
  participation: LockedParticipation,
  { amountMinor, penaltyMinor, termsAt }: Paid,
  { confirmed }: Applying,
): void {
  const { currency, externalId } = participation;
  const asked = penaltyOfTerms(participation, amountMinor + penaltyMinor, termsAt);
  if (!confirmed && penaltyMinor > asked)
    throw new Inapplicable(
      `Its penalty of ${inWords(penaltyMinor, currency)} is more than the ${inWords(asked, currency)} that the terms of the investment ${externalId} ask for: ${CONFIRM}.`,
    );
}

/**
 * Counts money beyond what was paid here that a report promises to a user whose row is locked. Throws Inapplicable where
 * the account is deleted, or where its provider has promised too much on this day (UTC); what a person confirms is not counted.
 */
export async function requireCreditable(
  tx: Tx,
  {
    userId,
    providerCode,
    currency,
    externalId,
  }: Pick<LockedParticipation, 'userId' | 'providerCode' | 'currency' | 'externalId'>,
  amountMinor: number,
  { policy, confirmed, at }: Applying,
): Promise<void> {
  const owner = await lockUserStanding(tx, userId);
  if (owner === null || owner.erasedAt !== null)
    throw new Inapplicable(`The owner of the investment ${externalId} has deleted the account.`);
  if (amountMinor <= 0 || confirmed) return;
  const limitMinor = toMinor(policy.providerDailyLimit, currency);
  if (!(await addToDay(tx, { providerCode, currency }, { amountMinor, limitMinor, at })))
    throw new Inapplicable(
      `With its ${inWords(amountMinor, currency)} its provider would pay more in a day than ${inWords(limitMinor, currency)}: ${CONFIRM}.`,
    );
}
