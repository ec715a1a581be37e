import { z } from 'zod';
import { readVariables } from '../sql/environment/variables';

const integer = (initial: number, max: number) => z.coerce.number().int().min(1).max(max).default(initial);
const minutes = (initial: number) => integer(initial, 30 * 24 * 60);
const hours = (initial: number) => integer(initial, 365 * 24);
const days = (initial: number) => integer(initial, 3_650);
const count = (initial: number) => integer(initial, 1_000_000);

/** Upper bound of POLICY_CART_LINES, and so of the lines of any order. */
export const MOST_CART_LINES = 500;

/** The business rules of the platform that are numbers: windows, thresholds, counts. Rows of tables hold the others. */
export const PolicyVariables = z.object({
  /** Reservation of goods for a payment by card, e-wallet or balance. */
  POLICY_CARD_WINDOW_MINUTES: minutes(30),
  /** Reservation of goods for a bank transfer. */
  POLICY_TRANSFER_WINDOW_HOURS: hours(72),
  /** Longest wait of an order for its payment, over all attempts. */
  POLICY_LONGEST_PAYMENT_HOURS: hours(72),
  /** Attempts to pay one order. */
  POLICY_PAYMENT_ATTEMPTS: integer(20, 100),
  /** Time after delivery in which a buyer may request a refund. */
  POLICY_REFUND_WINDOW_DAYS: days(14),
  /** A refund that a person has to send by bank transfer is shown to operators after this time. */
  POLICY_BANK_REFUND_DAYS: days(3),
  /** A shipped order counts as delivered after this time, unless its delivery was recorded before. */
  POLICY_DELIVERED_AFTER_DAYS: days(30),
  /** An order that is still being prepared after this time is shown to operators. */
  POLICY_PROCESSING_DAYS: days(14),
  /** A cart that was not changed for this time counts as empty. */
  POLICY_CART_DAYS: days(90),
  /** Lines of one cart. */
  POLICY_CART_LINES: integer(100, MOST_CART_LINES),
  /** Largest order of a buyer whose KYC level is NONE, in whole units of the platform currency. */
  POLICY_ORDER_WITHOUT_KYC: count(1_000),
  /** Longest wait of a provider's report for the payment that it names. */
  POLICY_EVENT_PATIENCE_DAYS: days(3),
  /** Signed reports of one payment provider in a minute. */
  POLICY_WEBHOOKS_PER_MINUTE: count(600),
  /** Reports with a wrong signature that one client network may send in a minute. */
  POLICY_UNSIGNED_WEBHOOKS_PER_MINUTE: count(60),
  /** Units sold in this period make a product's popularity. */
  POLICY_POPULARITY_DAYS: days(90),
  /** Lifetime of a referral's cookies. */
  POLICY_REFERRAL_DAYS: days(30),
  /** An account whose e-mail address is not verified is deleted after this time. */
  POLICY_UNVERIFIED_DAYS: days(7),
  /** Validity of a token that verifies an e-mail address. */
  POLICY_VERIFICATION_HOURS: hours(24),
  /** Time in which a requested deletion of an account can be withdrawn. */
  POLICY_DELETION_GRACE_DAYS: days(14),
  /** Time after a sign-in in which a session may do what requires a recent one. */
  POLICY_FRESH_SIGN_IN_MINUTES: minutes(10),
  /** Validity of the undo token in a mail about a second factor or a deletion. */
  POLICY_UNDO_DAYS: days(14),
  /** Failed logins within the window after which an account is locked until it has passed. */
  POLICY_LOGIN_FAILURES: count(10),
  POLICY_LOGIN_WINDOW_MINUTES: minutes(15),
  /** Texts and addresses of requests to processes are kept this long; what was decided is copied from them. */
  POLICY_REQUEST_NOTE_DAYS: days(90),
  /** Bodies of webhook events are kept this long after they were processed or ignored. */
  POLICY_WEBHOOK_BODY_DAYS: days(30),
  /** Rows of the outbox are kept this long. */
  POLICY_OUTBOX_DAYS: days(90),
  /** Rows of the sandbox provider are kept this long. */
  POLICY_SANDBOX_DAYS: days(30),
});

type Variables = z.output<typeof PolicyVariables>;

type Camel<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${Lowercase<First>}${Capitalize<Camel<Rest>>}`
  : Lowercase<Name>;

/** The policy as code reads it: POLICY_CARD_WINDOW_MINUTES is `cardWindowMinutes`. */
export type Policy = {
  readonly [
    Name in keyof Variables as Name extends `POLICY_${infer Rest}` ? Camel<Rest> : never
  ]: Variables[Name];
};

const camel = (name: string): string =>
  name
    .replace('POLICY_', '')
    .toLowerCase()
    .replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The policy that these variables set. Throws ConfigurationError naming each wrong variable. */
export function policyFrom(variables: Readonly<Record<string, string | undefined>>): Policy {
  // An empty line of an `.env` file counts as unset.
  const set = Object.entries(variables).filter(([, value]) => value !== '');
  const parsed = readVariables(PolicyVariables, Object.fromEntries(set));
  return Object.fromEntries(Object.entries(parsed).map(([name, value]) => [camel(name), value])) as Policy;
}

export const policyConfig = (): Policy => policyFrom(process.env);
