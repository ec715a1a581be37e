import {
  entryType,
  REFERENCES,
  referenceText,
  type Reference,
  type ReferenceKind,
} from '../../workflows/ledger/reference.rules';

/** The name and the type of each kind as people see them, for the subject S and the part P. */
const SHOWN: Record<ReferenceKind, readonly [text: string, type: string]> = {
  'order-hold': ['order:S:P', 'ORDER_PAYMENT'],
  'order-release': ['order:S:P:release', 'ORDER_RELEASE'],
  'order-repayment': ['order:S:P:refund', 'ORDER_REFUND'],
  'order-payment': ['order:S:payment', 'ORDER_PAYMENT'],
  'order-cancellation': ['order:S:cancellation', 'ORDER_PAYMENT'],
  'order-charged-back': ['order:S:charged-back', 'ORDER_PAYMENT'],
  refund: ['refund:S', 'ORDER_REFUND'],
  'refund-repayment': ['refund:S:P', 'ORDER_REFUND'],
  capture: ['capture:S', 'ADJUSTMENT'],
  'payment-refund': ['payment-refund:S', 'ADJUSTMENT'],
  'payment-refund-again': ['payment-refund:S:again:P', 'ADJUSTMENT'],
  'payment-refund-by-provider': ['payment-refund:S:by-provider:P', 'ADJUSTMENT'],
  'payment-refund-returned': ['payment-refund:S:returned:P', 'ADJUSTMENT'],
  'payment-refund-chargeback': ['payment-refund:S:chargeback:P', 'ADJUSTMENT'],
  'payment-refund-chargeback-return': ['payment-refund:S:chargeback-return:P', 'ADJUSTMENT'],
  chargeback: ['chargeback:S', 'ADJUSTMENT'],
  'chargeback-return': ['chargeback:S:return', 'ADJUSTMENT'],
  'chargeback-owed': ['chargeback:S:owed', 'ADJUSTMENT'],
  'chargeback-fee': ['chargeback:S:P', 'ADJUSTMENT'],
  fee: ['fee:S:P', 'ADJUSTMENT'],
  payout: ['payout:S:P', 'PAYOUT'],
  'wallet-withdrawal': ['wallet-withdrawal:S:P', 'WITHDRAWAL'],
  'top-up': ['top-up:S:payment', 'TOP_UP'],
  'top-up-chargeback': ['top-up:S:chargeback:P', 'TOP_UP_CHARGEBACK'],
  'top-up-chargeback-return': ['top-up:S:chargeback:P:return', 'TOP_UP_CHARGEBACK'],
  'participation-payment': ['participation:S:payment', 'INVESTMENT'],
  'participation-maturity': ['participation:S:maturity', 'INVESTMENT_PAYOUT'],
  'participation-payout': ['participation:S:reported-payout', 'INVESTMENT_PAYOUT'],
  profit: ['profit:S', 'INVESTMENT_RETURN'],
  'provider-payout': ['provider-payout:S', 'INVESTMENT_PAYOUT'],
  'provider-payment': ['provider-payment:S:P', 'ADJUSTMENT'],
  'provider-write-off': ['provider-write-off:S', 'ADJUSTMENT'],
  withdrawal: ['withdrawal:S', 'INVESTMENT_PAYOUT'],
  'withdrawal-arrival': ['withdrawal:S:arrived', 'INVESTMENT_PAYOUT'],
  'withdrawal-credit': ['withdrawal:S:credited', 'INVESTMENT_PAYOUT'],
  entrance: ['entrance:S:payment', 'ENTRANCE_FEE'],
  commission: ['commission:S', 'ADJUSTMENT'],
  'commission-maturation': ['commission:S:mature', 'ADJUSTMENT'],
  'commission-reversal': ['commission:S:reverse:P', 'ADJUSTMENT'],
  'commission-restoration': ['commission:S:restore:P', 'ADJUSTMENT'],
  'commission-adjustment': ['commission:S:adjust:P', 'ADJUSTMENT'],
  'pool-fund': ['pool:S:fund', 'ADJUSTMENT'],
  correction: ['correction:S', 'ADJUSTMENT'],
  'seed-wallet': ['seed:wallet:S', 'ADJUSTMENT'],
};

test.each(Object.entries(SHOWN))('a movement by %s is shown as %p', (kind, [text, type]) => {
  expect(referenceText({ kind, subjectId: 'S', part: 'P' })).toBe(text);
  expect(entryType({ kind })).toBe(type);
});

test('every kind has a text of its own', () => {
  const texts = Object.values(REFERENCES).map(({ text }) => text);
  expect(new Set(texts).size).toBe(texts.length);
});

test('a subject or a part is shown as it is', () => {
  const odd = { subjectId: '{part} $& :', part: '{subject} $1' };
  expect(referenceText({ kind: 'fee', ...odd })).toBe('fee:{part} $& ::{subject} $1');
});

test.each([
  [{ kind: 'gift', subjectId: '1', part: '' }, 'gift:1'],
  [{ kind: 'gift', subjectId: '1', part: 'late' }, 'gift:1:late'],
  [{ kind: 'toString', subjectId: '1' }, 'toString:1'],
])('a kind of a later release is shown as an adjustment: %j', (stored, text) => {
  expect([entryType(stored), referenceText(stored)]).toEqual(['ADJUSTMENT', text]);
});

/** `true` for what `postTransfer` takes as a reference. */
type Compiles<Given> = Given extends Reference ? true : false;

test('a kind that is not listed does not compile, nor one with or without its part', () => {
  interface Subject {
    subjectId: string;
  }
  const event: Compiles<Subject & { kind: 'order-payment' }> = true;
  const part: Compiles<Subject & { kind: 'order-hold'; part: string }> = true;
  const misspelled: Compiles<Subject & { kind: 'order-paymnet' }> = false;
  const anyKind: Compiles<Subject & { kind: string }> = false;
  const withoutPart: Compiles<Subject & { kind: 'order-hold' }> = false;
  const withPart: Compiles<Subject & { kind: 'order-payment'; part: string }> = false;
  const ofNothing: Compiles<{ kind: 'order-payment' }> = false;
  expect([event, part]).not.toContain(false);
  expect([misspelled, anyKind, withoutPart, withPart, ofNothing]).not.toContain(true);
});

type IsReference<Candidate> = Candidate extends Reference ? true : false;

/** Compared by the compiler: a wrong kind, and a part where there is none, do not compile. */
const COMPILES: [
  IsReference<{ kind: 'payout'; subjectId: string; part: string }>,
  IsReference<{ kind: 'order-payment'; subjectId: string }>,
  IsReference<{ kind: 'order-pay'; subjectId: string }>,
  IsReference<{ kind: 'payout'; subjectId: string }>,
  IsReference<{ kind: 'order-payment'; subjectId: string; part: string }>,
] = [true, true, false, false, false];

test('the compiler lets whole references through, and no wrong kind nor a part where there is none', () => {
  expect(COMPILES).toEqual([true, true, false, false, false]);
});
