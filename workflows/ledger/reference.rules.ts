import type { EntryType } from './entry.rules';

/**
 * The kinds of business events that move money. `type`: the kind of movement that people see. `text`: the name of the event as
 * it is shown, with the id of its subject, and with its part where several events of a kind have one subject.
 */
export const REFERENCES = {
  /** Part: the account of the buyer that pays. */
  'order-hold': { type: 'ORDER_PAYMENT', text: 'order:{subject}:{part}' },
  'order-release': { type: 'ORDER_RELEASE', text: 'order:{subject}:{part}:release' },
  'order-repayment': { type: 'ORDER_REFUND', text: 'order:{subject}:{part}:refund' },
  'order-payment': { type: 'ORDER_PAYMENT', text: 'order:{subject}:payment' },
  'order-cancellation': { type: 'ORDER_PAYMENT', text: 'order:{subject}:cancellation' },
  'order-charged-back': { type: 'ORDER_PAYMENT', text: 'order:{subject}:charged-back' },
  refund: { type: 'ORDER_REFUND', text: 'refund:{subject}' },
  /** Part: the account of the buyer that gets it. */
  'refund-repayment': { type: 'ORDER_REFUND', text: 'refund:{subject}:{part}' },
  capture: { type: 'ADJUSTMENT', text: 'capture:{subject}' },
  'payment-refund': { type: 'ADJUSTMENT', text: 'payment-refund:{subject}' },
  /** Part: the name of the sending, by its provider or a person. */
  'payment-refund-again': { type: 'ADJUSTMENT', text: 'payment-refund:{subject}:again:{part}' },
  /** Part: the provider's id of it, by which it was settled before the provider reported it. */
  'payment-refund-by-provider': { type: 'ADJUSTMENT', text: 'payment-refund:{subject}:by-provider:{part}' },
  'payment-refund-returned': { type: 'ADJUSTMENT', text: 'payment-refund:{subject}:returned:{part}' },
  /** Part: the id of the chargeback. */
  'payment-refund-chargeback': { type: 'ADJUSTMENT', text: 'payment-refund:{subject}:chargeback:{part}' },
  'payment-refund-chargeback-return': {
    type: 'ADJUSTMENT',
    text: 'payment-refund:{subject}:chargeback-return:{part}',
  },
  chargeback: { type: 'ADJUSTMENT', text: 'chargeback:{subject}' },
  'chargeback-return': { type: 'ADJUSTMENT', text: 'chargeback:{subject}:return' },
  'chargeback-owed': { type: 'ADJUSTMENT', text: 'chargeback:{subject}:owed' },
  /** Part: `fee`, `lost-fee` or `return-fee`. */
  'chargeback-fee': { type: 'ADJUSTMENT', text: 'chargeback:{subject}:{part}' },
  /** Subject: a provider. Part: its id of the fee. */
  fee: { type: 'ADJUSTMENT', text: 'fee:{subject}:{part}' },
  /** Part: `hold`, `completed`, `returned` or `forfeited`. */
  payout: { type: 'PAYOUT', text: 'payout:{subject}:{part}' },
  'wallet-withdrawal': { type: 'WITHDRAWAL', text: 'wallet-withdrawal:{subject}:{part}' },
  'top-up': { type: 'TOP_UP', text: 'top-up:{subject}:payment' },
  /** Part: the id of the chargeback. */
  'top-up-chargeback': { type: 'TOP_UP_CHARGEBACK', text: 'top-up:{subject}:chargeback:{part}' },
  'top-up-chargeback-return': {
    type: 'TOP_UP_CHARGEBACK',
    text: 'top-up:{subject}:chargeback:{part}:return',
  },
  'participation-payment': { type: 'INVESTMENT', text: 'participation:{subject}:payment' },
  'participation-maturity': { type: 'INVESTMENT_PAYOUT', text: 'participation:{subject}:maturity' },
  'participation-payout': { type: 'INVESTMENT_PAYOUT', text: 'participation:{subject}:reported-payout' },
  /** Subject: the transaction. */
  profit: { type: 'INVESTMENT_RETURN', text: 'profit:{subject}' },
  'provider-payout': { type: 'INVESTMENT_PAYOUT', text: 'provider-payout:{subject}' },
  /** Subject: an investment provider. Part: the reference of the bank. */
  'provider-payment': { type: 'ADJUSTMENT', text: 'provider-payment:{subject}:{part}' },
  'provider-write-off': { type: 'ADJUSTMENT', text: 'provider-write-off:{subject}' },
  withdrawal: { type: 'INVESTMENT_PAYOUT', text: 'withdrawal:{subject}' },
  'withdrawal-arrival': { type: 'INVESTMENT_PAYOUT', text: 'withdrawal:{subject}:arrived' },
  'withdrawal-credit': { type: 'INVESTMENT_PAYOUT', text: 'withdrawal:{subject}:credited' },
  entrance: { type: 'ENTRANCE_FEE', text: 'entrance:{subject}:payment' },
  commission: { type: 'ADJUSTMENT', text: 'commission:{subject}' },
  'commission-maturation': { type: 'ADJUSTMENT', text: 'commission:{subject}:mature' },
  /** Part: the id of the event that takes it back, or restores it. */
  'commission-reversal': { type: 'ADJUSTMENT', text: 'commission:{subject}:reverse:{part}' },
  'commission-restoration': { type: 'ADJUSTMENT', text: 'commission:{subject}:restore:{part}' },
  /** Part: the number of the adjustment. */
  'commission-adjustment': { type: 'ADJUSTMENT', text: 'commission:{subject}:adjust:{part}' },
  /** Subject: the kind and the period of the pool. */
  'pool-fund': { type: 'ADJUSTMENT', text: 'pool:{subject}:fund' },
  /** Entered in the database by a person, after a fault. Subject: the case. */
  correction: { type: 'ADJUSTMENT', text: 'correction:{subject}' },
  /** Money of the demo. Subject: the address of its owner. */
  'seed-wallet': { type: 'ADJUSTMENT', text: 'seed:wallet:{subject}' },
} as const satisfies Record<string, { type: EntryType; text: `${string}{subject}${string}` }>;

export type ReferenceKind = keyof typeof REFERENCES;

/** All transfers of commissions. */
export const COMMISSION_KINDS = [
  'commission',
  'commission-maturation',
  'commission-reversal',
  'commission-restoration',
  'commission-adjustment',
] as const satisfies readonly ReferenceKind[];

/** Transfers by which buyers pay orders from their own accounts, and get that back. */
export const SPENDING_KINDS = [
  'order-hold',
  'order-release',
  'order-repayment',
  'refund-repayment',
] as const satisfies readonly ReferenceKind[];

/** The kinds whose references have a part. */
type PartedKind = {
  [Kind in ReferenceKind]: (typeof REFERENCES)[Kind]['text'] extends `${string}{part}${string}`
    ? Kind
    : never;
}[ReferenceKind];

/** Names the business event behind a transfer: the same event moves money once. */
export type Reference =
  | { kind: PartedKind; subjectId: string; part: string }
  | { kind: Exclude<ReferenceKind, PartedKind>; subjectId: string; part?: never };

/** A reference as it is stored, perhaps by a later release; `part` is empty where there is none. */
export interface StoredReference {
  kind: string;
  subjectId: string;
  part?: string | undefined;
}

const knownKind = (kind: string): (typeof REFERENCES)[ReferenceKind] | undefined =>
  Object.hasOwn(REFERENCES, kind) ? REFERENCES[kind as ReferenceKind] : undefined;

/** The kind of a movement that people see; that of an unknown kind is an adjustment. */
export const entryType = ({ kind }: Pick<StoredReference, 'kind'>): EntryType =>
  knownKind(kind)?.type ?? 'ADJUSTMENT';

/** The reference as it is shown, such as `order:<id>:payment`. */
export function referenceText({ kind, subjectId, part = '' }: StoredReference): string {
  const text = knownKind(kind)?.text ?? `${kind}:{subject}${part && ':{part}'}`;
  return text.replace(/\{(subject|part)\}/g, (_, name: string) => (name === 'part' ? part : subjectId));
}
