import { z } from 'zod';

const whole = (usual: number, most: number) => z.coerce.number().int().min(1).max(most).default(usual);
const minutes = (usual: number) => whole(usual, 30 * 24 * 60);
const hours = (usual: number) => whole(usual, 365 * 24);
const days = (usual: number) => whole(usual, 3_650);
const count = (usual: number) => whole(usual, 1_000_000);

/** Lines of any cart, and so of any order, whatever the policy says. */
export const MOST_CART_LINES = 500;

/** The business rules of the platform that are numbers: windows, thresholds, counts. Rows of tables hold the others. */
export const PolicyVariables = z.object({
  /** How long goods stay reserved for a payment by card, e-wallet or balance. */
  POLICY_CARD_WINDOW_MINUTES: minutes(30),
  /** How long they stay reserved for a bank transfer. */
  POLICY_TRANSFER_WINDOW_HOURS: hours(72),
  /** How long an order waits for payment at the most, however many attempts are made. */
  POLICY_LONGEST_PAYMENT_HOURS: hours(72),
  /** Attempts to pay one order. */
  POLICY_PAYMENT_ATTEMPTS: whole(20, 100),
  /** How long after delivery a buyer may ask for money back. */
  POLICY_REFUND_WINDOW_DAYS: days(14),
  /** Money that a person has to send back by transfer asks for attention when it waits for this long. */
  POLICY_BANK_REFUND_DAYS: days(3),
  /** A shipped order counts as delivered this long after, unless somebody said otherwise. */
  POLICY_DELIVERED_AFTER_DAYS: days(30),
  /** An order that is being prepared for this long asks for attention. */
  POLICY_PROCESSING_DAYS: days(14),
  /** A cart that nobody changed for this long counts as empty. */
  POLICY_CART_DAYS: days(90),
  /** Lines of one cart. */
  POLICY_CART_LINES: whole(100, MOST_CART_LINES),
  /** Largest order of a buyer whose KYC level is NONE, in whole units of the platform currency. */
  POLICY_ORDER_WITHOUT_KYC: count(1_000),
  /** How long a provider's report waits for what it speaks of. */
  POLICY_EVENT_PATIENCE_DAYS: days(3),
  /** Signed reports of one payment provider in a minute. */
  POLICY_WEBHOOKS_PER_MINUTE: count(600),
  /** Reports with a wrong signature that one client network may send in a minute. */
  POLICY_UNSIGNED_WEBHOOKS_PER_MINUTE: count(60),
  /** Units sold in this period make a product's popularity. */
  POLICY_POPULARITY_DAYS: days(90),
  /** How long a referral is remembered in cookies. */
  POLICY_REFERRAL_DAYS: days(30),
  /** An account whose e-mail address is not verified is deleted after this time. */
  POLICY_UNVERIFIED_DAYS: days(7),
  /** How long a token that verifies an address is good. */
  POLICY_VERIFICATION_HOURS: hours(24),
  /** How long a deletion that was asked for can be taken back. */
  POLICY_DELETION_GRACE_DAYS: days(14),
  /** How long a session counts as freshly signed in, for what needs that. */
  POLICY_FRESH_SIGN_IN_MINUTES: minutes(10),
  /** How long the token in a mail about a second factor or a deletion undoes it. */
  POLICY_UNDO_DAYS: days(14),
  /** Failed logins within the window after which an account is locked until it has passed. */
  POLICY_LOGIN_FAILURES: count(10),
  POLICY_LOGIN_WINDOW_MINUTES: minutes(15),
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

/** The policy that these variables set. Throws a ZodError that names each variable that will not do. */
export function policyFrom(variables: Readonly<Record<string, string | undefined>>): Policy {
  // An empty line in an `.env` file says nothing.
  const set = Object.entries(variables).filter(([, value]) => value !== '');
  const parsed = PolicyVariables.parse(Object.fromEntries(set));
  return Object.fromEntries(Object.entries(parsed).map(([name, value]) => [camel(name), value])) as Policy;
}

export const policyConfig = (): Policy => policyFrom(process.env);
