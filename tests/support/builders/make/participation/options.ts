import type {
  ParticipationMethod,
  ParticipationOrigin,
} from '../../../../../workflows/investment/participation/participation.rules';
import type { ParticipationStatus } from '../../../../../workflows/investment/participation/participation.states';

export interface Participation {
  id: string;
  number: string;
  userId: string;
  strategyId: string;
  amountMinor: number;
  /** The payout to its owner; null unless its status is WITHDRAWN. */
  withdrawalId: string | null;
}

/** An amount in minor units and its time, by default that of the participation. */
export interface Movement {
  amountMinor: number;
  at?: Date;
}

export interface ParticipationOptions {
  userId?: string;
  strategyId?: string;
  status?: ParticipationStatus;
  /** PLATFORM: paid here; PROVIDER: made and paid at the provider. */
  origin?: Exclude<ParticipationOrigin, 'REINVESTMENT'>;
  /** One that ended by moving its principal into this one. */
  reinvestedFromId?: string;
  amountMinor?: number;
  durationDays?: number;
  externalId?: string | null;
  paymentMethod?: ParticipationMethod;
  autoReinvest?: boolean;
  compounding?: boolean;
  /** Profits that its provider distributed, or below zero losses. */
  profits?: readonly Movement[];
  /** Principal that its provider has paid out while it runs. */
  payouts?: readonly Movement[];
  /** Values that its provider reported. */
  values?: readonly Movement[];
  /** Kept of a WITHDRAWN one. */
  penaltyMinor?: number;
  /** The time of its request, and of its start if it runs. */
  at?: Date;
  /** By default its maturity for MATURED, else `at`. */
  endedAt?: Date;
}
