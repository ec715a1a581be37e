/** The code with which a new term was refused, or ACCOUNT_NOT_ACTIVE, or NOTHING_LEFT: then none was tried. */
export type NotReinvested = string;

/** The amounts of a participation that matures, in minor units. */
export interface MaturedAmounts {
  /** The principal that still runs. */
  principalMinor: number;
  /** Principal and returns, never below zero. */
  netMinor: number;
}

/**
 * The principal of the next term: with compounding all that there is, else the earlier principal, of which a loss has left
 * less. The rest of the net amount goes to the wallet.
 */
export const nextPrincipalMinor = (
  { principalMinor, netMinor }: MaturedAmounts,
  { compounding }: { compounding: boolean },
): number => (compounding ? netMinor : Math.min(principalMinor, netMinor));
