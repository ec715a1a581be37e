import { policyFrom, type Policy } from '../../../db/policy/config';

/** How often one client may call an endpoint. */
export interface Limit {
  requests: number;
  perSeconds: number;
  /** Financial limits count per user, are shared by all API processes, fail closed, and say so in a header. */
  financial?: true;
  /** Counted in the database, so that all API processes share it: for endpoints that guard a secret. */
  shared?: true;
  /** The general limit is also held to the hourly tier; stated limits are not. */
  general?: true;
  /** A second limit, held beside this one: for what costs more than its stated limit allows for. */
  also?: Limit;
  /** Counted per sender that has proven itself by a signature (`Contract.sender`), instead of per client. */
  perSender?: true;
}

/** The limit of endpoints for which the contract states none. */
export const generalLimit: Limit = { requests: 100, perSeconds: 60, general: true };

export const perMinute = (requests: number): Limit => ({ requests, perSeconds: 60 });

/** For sign-in and the like: shared counters. */
export const authPerMinute = (requests: number): Limit => ({ requests, perSeconds: 60, shared: true });

/** The same by the hour: for what sends mail or takes a secret that was mailed. */
export const authPerHour = (requests: number): Limit => ({ requests, perSeconds: 3600, shared: true });

/** For moving money: per user, shared counters, closed when counting is impossible. */
export const financialPerMinute = (requests: number): Limit => ({
  requests,
  perSeconds: 60,
  financial: true,
});

/** As documented; the numbers that hold are the policy's. */
const usual = policyFrom({});

/**
 * For reports that other companies sign: each sender has its own count, shared by all API processes, and only reports
 * that are signed use it up. Exempt from the tiers below.
 */
export const webhookLimit: Limit = {
  requests: usual.webhooksPerMinute,
  perSeconds: 60,
  shared: true,
  perSender: true,
};

/** Signed reports of one sender. */
export const signedReports = ({ webhooksPerMinute }: Policy): Limit => ({
  ...webhookLimit,
  requests: webhooksPerMinute,
});

/** Reports of one client network whose signature is wrong; the network is not the sender's, so memory will do. */
export const unsignedReports = ({ unsignedWebhooksPerMinute }: Policy): Limit =>
  perMinute(unsignedWebhooksPerMinute);

/** What any client may ask in a second, whatever it asks. */
export const burstTier: Limit = { requests: 10, perSeconds: 1 };

/** What any client may ask in an hour of all endpoints without a stated limit together. */
export const hourlyTier: Limit = { requests: 1000, perSeconds: 3600 };
