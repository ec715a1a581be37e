import { policyFrom, type Policy } from '../../../db/policy/config';

/** The number of requests that one client may send to an endpoint within a time. */
export interface Limit {
  requests: number;
  perSeconds: number;
  /** Counted per user in the database, announced in a header; requests are refused when counting is impossible. */
  financial?: true;
  /** Counted in the database for all API processes together: for endpoints that guard a secret. */
  shared?: true;
  /** The general limit: requests also count against the hourly tier, unlike those of stated limits. */
  general?: true;
  /** A second limit in addition to this one, for work that costs more than the stated limit provides for. */
  also?: Limit;
  /** Counted per sender of signed reports (`Contract.sender`) instead of per client. */
  perSender?: true;
}

/** The limit of endpoints for which the contract states none. */
export const generalLimit: Limit = { requests: 100, perSeconds: 60, general: true };

export const perMinute = (requests: number): Limit => ({ requests, perSeconds: 60 });

/** For sign-in and the like: shared counters. */
export const authPerMinute = (requests: number): Limit => ({ requests, perSeconds: 60, shared: true });

/** A limit per hour, for endpoints that send mail or accept a secret from a mail. */
export const authPerHour = (requests: number): Limit => ({ requests, perSeconds: 3600, shared: true });

/** For endpoints that move money: per user, shared counters, refused when counting is impossible. */
export const financialPerMinute = (requests: number): Limit => ({
  requests,
  perSeconds: 60,
  financial: true,
});

/** The defaults, for the documentation; the policy of the running process decides. */
const defaults = policyFrom({});

/**
 * For reports that other companies sign: each sender has its own count, shared by all API processes, and only signed
 * reports are counted. The tiers below do not apply.
 */
export const webhookLimit: Limit = {
  requests: defaults.webhooksPerMinute,
  perSeconds: 60,
  shared: true,
  perSender: true,
};

/** The limit of signed reports of one sender: its own, or that of the policy. */
export const signedReports = (
  { webhooksPerMinute }: Policy,
  { perMinute }: { perMinute?: number | null },
): Limit => ({
  ...webhookLimit,
  requests: perMinute ?? webhooksPerMinute,
});

/** The limit of wrongly signed reports from one network; counted in memory, since no sender depends on it. */
export const unsignedReports = ({ unsignedWebhooksPerMinute }: Policy): Limit =>
  perMinute(unsignedWebhooksPerMinute);

/** The limit of all requests of one client in a second. */
export const burstTier: Limit = { requests: 10, perSeconds: 1 };

/** The limit of one client in an hour for all endpoints without a stated limit together. */
export const hourlyTier: Limit = { requests: 1000, perSeconds: 3600 };
