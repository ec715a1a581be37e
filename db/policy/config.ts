import { z } from 'zod';
import { Switch } from '../sql/config';
import { readVariables } from '../sql/environment/variables';

const integer = (initial: number, max: number) => z.coerce.number().int().min(1).max(max).default(initial);
const minutes = (initial: number) => integer(initial, 30 * 24 * 60);
const hours = (initial: number) => integer(initial, 365 * 24);
const days = (initial: number) => integer(initial, 3_650);
/** Of waits within one run of a process, which lasts 30 days at most. */
const daysOfRun = (initial: number) => integer(initial, 28);
const count = (initial: number) => integer(initial, 1_000_000);

/** Upper bound of POLICY_CART_LINES, and so of the lines of any order. */
export const MOST_CART_LINES = 500;

/** The business rules of the platform that are numbers: windows, thresholds, counts. Rows of tables hold the others. */
export const PolicyVariables = z
  .object({
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
    /** A buyer's request for money back that nobody has decided is shown to operators after this time. */
    POLICY_REFUND_REVIEW_DAYS: days(7),
    /** A refund that a person has to send by bank transfer is shown to operators after this time. */
    POLICY_BANK_REFUND_DAYS: daysOfRun(3),
    /** Business days in which a transfer out of the platform is to arrive. */
    POLICY_PAYOUT_BUSINESS_DAYS: days(3),
    /** A transfer out that has not arrived after this time is shown to operators. */
    POLICY_TRANSFER_OUT_DAYS: days(3),
    /** The least amount of a payout or of a withdrawal from a wallet, in whole units of its currency. */
    POLICY_PAYOUT_MINIMUM: count(10),
    /** Payouts above this, in whole units, are approved and processed by two administrators; unset: by one. */
    POLICY_PAYOUT_FOUR_EYES: z.coerce.number().int().min(0).max(1_000_000_000).optional(),
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
    /** The most that a user of KYC level STANDARD can have invested, in whole units of the platform currency. */
    POLICY_KYC_STANDARD_LIMIT: count(100_000),
    /** An investment above this, in whole units of its currency, puts the user's open verification first in the queue. */
    POLICY_KYC_LARGE_INVESTMENT: count(50_000),
    /** Users are told this long before their identity verification ends. */
    POLICY_KYC_NOTICE_DAYS: days(30),
    /** Participations of one user that may wait for their payment at the same time. */
    POLICY_PENDING_PARTICIPATIONS: integer(3, 1_000),
    /** The least and the most that a user can pay into their wallet at once, in whole units of the platform currency. */
    POLICY_TOP_UP_MINIMUM: count(10),
    POLICY_TOP_UP_MAXIMUM: count(10_000),
    /** Top-ups of one user that may wait for their payment at the same time. */
    POLICY_PENDING_TOP_UPS: integer(3, 1_000),
    /** The fee for joining the partner programme, in units of the platform currency; 0: none. */
    PARTNER_ENTRANCE_FEE: z
      .string()
      .regex(/^\d{1,6}(\.\d{1,2})?$/, 'must be an amount with at most 2 decimals')
      .default('0')
      .transform(Number),
    /** Batches of identity verifications that one investment provider is sent in a minute. */
    POLICY_KYC_PUSHES_PER_MINUTE: count(300),
    /** Rejections of documents of one type that a user has, before an administrator allows more. */
    POLICY_KYC_TRIES: integer(3, 100),
    /** Files of one type that a user can upload between two submissions of an identity verification. */
    POLICY_KYC_FILES_PER_TRY: integer(3, 20),
    /** Youngest age, in years, of a person whose identity is verified. */
    POLICY_KYC_MINIMUM_AGE: integer(18, 130),
    /** Time from the submission of a verification that was rejected to the next one. */
    POLICY_KYC_RESUBMISSION_HOURS: hours(24),
    /** Longest wait of a provider's report for the payment that it names. */
    POLICY_EVENT_PATIENCE_DAYS: daysOfRun(3),
    /** Reports of one investment provider that wait at a time for what they name; more are DEAD at once. */
    POLICY_WAITING_EVENTS: count(10_000),
    /** Signed reports of one payment provider in a minute. */
    POLICY_WEBHOOKS_PER_MINUTE: count(600),
    /** Reports with a wrong signature that one client network may send in a minute. */
    POLICY_UNSIGNED_WEBHOOKS_PER_MINUTE: count(60),
    /** Time for which the replaced secret of an investment provider's reports is still accepted. */
    POLICY_PROVIDER_SECRET_HOURS: hours(24),
    /** The most profit or loss in one report of an investment provider, as a percentage of the principal. */
    POLICY_PROVIDER_REPORT_PERCENT: integer(100, 10_000),
    /** The most that the reports of one investment provider promise in a day (UTC) beyond what was paid here, in whole units. */
    POLICY_PROVIDER_DAILY_LIMIT: integer(1_000_000, 1_000_000_000),
    /** The most that one investment provider may owe before operators are told, in whole units of each currency. */
    POLICY_PROVIDER_DEBT_LIMIT: integer(1_000_000, 1_000_000_000),
    /** The most by which an investment provider may move a maturity beyond the term that the owner was told. */
    POLICY_PROVIDER_EXTENSION_DAYS: days(365),
    /** Profits and parts of one investment, dated on one day (UTC), that its provider may report. */
    POLICY_PROVIDER_MOVEMENTS_A_DAY: integer(24, 100_000),
    /** Units sold in this period make a product's popularity. */
    POLICY_POPULARITY_DAYS: days(90),
    /** Events that each of their consumers, such as the commission engine, applies at the same time. */
    POLICY_EVENT_CONCURRENCY: integer(1, 16),
    /** Time after its sale in which a commission is pending. */
    POLICY_COMMISSION_PENDING_DAYS: days(30),
    /** Lifetime of a referral's cookies. */
    POLICY_REFERRAL_DAYS: days(30),
    /** Links of one partner. */
    POLICY_PARTNER_LINKS: count(100),
    /** Time in which a visitor's further clicks of one link are repetitions, which do not count. */
    POLICY_LINK_REPEAT_MINUTES: minutes(30),
    /** Clicks of one link in a minute that are counted. */
    POLICY_LINK_CLICKS_PER_MINUTE: count(600),
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
    /** An identity verification that its user did not submit or change for this time is withdrawn. */
    POLICY_KYC_ABANDONED_DAYS: days(90),
    /** Documents and personal data of an identity verification are kept this long after it was over. */
    POLICY_KYC_RECORD_DAYS: days(1_825),
    /** Bodies of webhook events are kept this long after they were processed, ignored or discarded; those of DEAD ones longer. */
    POLICY_WEBHOOK_BODY_DAYS: days(30),
    POLICY_DEAD_WEBHOOK_BODY_DAYS: days(90),
    /** Contents of messages that could not be sent are kept this long, to be sent again; rows of the outbox longer. */
    POLICY_DEAD_MESSAGE_DAYS: days(14),
    POLICY_OUTBOX_DAYS: days(90),
    /** Rows of the sandbox provider are kept this long. */
    POLICY_SANDBOX_DAYS: days(30),
    /** Account and card numbers that money was sent to are kept this long after it was. */
    POLICY_PAYOUT_DETAILS_DAYS: days(90),
    /** Business hours run on Monday to Friday from this hour of UTC to that of POLICY_KYC_BUSINESS_DAY_END. */
    POLICY_KYC_BUSINESS_DAY_START: integer(9, 23),
    POLICY_KYC_BUSINESS_DAY_END: integer(17, 24),
    /** Business hours in which an identity verification is reviewed. */
    POLICY_KYC_NORMAL_HOURS: hours(48),
    /** Business hours in which one of priority HIGH is reviewed, and after which its reviewer is reminded. */
    POLICY_KYC_HIGH_HOURS: hours(8),
    /** Business hours after which a reviewer's claim of an identity verification lapses. */
    POLICY_KYC_CLAIM_HOURS: hours(8),
    /** A user whom a reviewer has asked for more is reminded after this time. */
    POLICY_KYC_INFO_REMINDER_DAYS: days(7),
    /** They are reminded once more after this time. */
    POLICY_KYC_INFO_LAST_REMINDER_DAYS: days(21),
    /** A verification whose user does not answer a reviewer is rejected after this time. */
    POLICY_KYC_INFO_DAYS: days(30),
    /** Commissions that mature in one transaction. */
    POLICY_COMMISSION_BATCH: integer(5_000, 20_000),
    /** Days back for which the statement of a payment provider can be compared with ours; what it said is kept a week longer. */
    POLICY_RECONCILIATION_DAYS: integer(28, 365),
    /** True if no payout is sent while a difference with a payment provider is open. */
    POLICY_RECONCILIATION_STOPS_PAYOUTS: Switch.default(true),
    /** The fee that the sandbox provider keeps of each payment, in basis points. */
    POLICY_SANDBOX_FEE_BP: z.coerce.number().int().min(0).max(1_000).default(150),
    /** Shares of a leadership pool that are paid in one transaction. */
    POLICY_POOL_BATCH: integer(1_000, 20_000),
    /** A leadership pool is counted so long after the end of its period, so that sales of its last moments are known. */
    POLICY_POOL_SETTLE_MINUTES: minutes(60),
  })
  .refine(({ POLICY_KYC_BUSINESS_DAY_START: start, POLICY_KYC_BUSINESS_DAY_END: end }) => start < end, {
    path: ['POLICY_KYC_BUSINESS_DAY_END'],
    message: 'must be later than POLICY_KYC_BUSINESS_DAY_START',
  })
  .refine(({ POLICY_TOP_UP_MINIMUM: least, POLICY_TOP_UP_MAXIMUM: most }) => least <= most, {
    path: ['POLICY_TOP_UP_MAXIMUM'],
    message: 'must not be below POLICY_TOP_UP_MINIMUM',
  });

type Variables = z.output<typeof PolicyVariables>;

type Camel<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${Lowercase<First>}${Capitalize<Camel<Rest>>}`
  : Lowercase<Name>;

/** The policy as code reads it: POLICY_CARD_WINDOW_MINUTES is `cardWindowMinutes`. */
export type Policy = {
  readonly [
    Name in keyof Variables as Name extends `POLICY_${infer Rest}` ? Camel<Rest> : Camel<Name>
  ]: Variables[Name];
};

const camel = (name: string): string =>
  name
    .replace('POLICY_', '')
    .toLowerCase()
    .replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The policy that these variables set; an empty one counts as unset. Throws ConfigurationError naming each wrong variable. */
export function policyFrom(variables: Readonly<Record<string, string | undefined>>): Policy {
  const set = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
  const parsed = Object.entries(readVariables(PolicyVariables, set));
  return Object.fromEntries(parsed.map(([name, value]) => [camel(name), value])) as Policy;
}

export const policyConfig = (): Policy => policyFrom(process.env);
