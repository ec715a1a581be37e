import {
  meaningOf,
  type Meaning,
  type ReportedLevel,
  type ReportedReason,
} from '../../../../workflows/commerce/payout/bank-file/bank-report.rules';

const KINDS: Readonly<Record<string, ReportedReason['kind']>> = { '=': 'OWN_CODE', '+': 'WORDS' };

/** `RJCT AC04 =Z1 +Closed` is a rejection with a code of the standard, one of the bank's own, and words; `-` has no status. */
function level(said: string): ReportedLevel {
  const [status = '-', ...reasons] = said.split(' ');
  return {
    status: status === '-' ? null : status,
    reasons: reasons.map((text) => {
      const kind = KINDS[text.charAt(0)];
      return kind ? { kind, text: text.slice(1).replaceAll('_', ' ') } : { kind: 'CODE', text };
    }),
  };
}

/** `ARRIVED`, `UNDER_WAY`, or `REFUSED` with its code. */
const inWords = (meaning: Meaning): string =>
  meaning.status === 'REFUSED' ? `REFUSED ${meaning.code ?? '-'}` : meaning.status;

const meaningIn = (own: string | null, payment: string | null, group: string): string =>
  inWords(
    meaningOf(own === null ? null : level(own), [
      ...(payment === null ? [] : [level(payment)]),
      level(group),
    ]),
  );

describe('a transfer that is named', () => {
  test.each<[own: string, payment: string | null, group: string, meaning: string]>([
    ['ACSC', '-', '-', 'ARRIVED'],
    ['ACCC', 'PART', 'PART', 'ARRIVED'],
    ['RJCT AC04', '-', 'PART', 'REFUSED AC04'],
    ['RJCT MS03', '-', '-', 'REFUSED MS03'],
    ['CANC CUST', '-', '-', 'REFUSED CUST'],
    // The bank has looked at this one, so it needs no reason.
    ['RJCT', '-', 'PART', 'REFUSED -'],
    ['RJCT', 'RJCT AC01', 'RJCT', 'REFUSED AC01'],
    ['RJCT =Z1', '-', '-', 'REFUSED Z1'],
    // A bank's own code may be any text; only what looks like a code is kept.
    ['RJCT =Ada_Lovelace', '-', '-', 'REFUSED -'],
    ['RJCT =DE89370400440532013000', '-', '-', 'REFUSED -'],
    ['RJCT =0532013 AC01', '-', '-', 'REFUSED AC01'],
    ['RJCT =Z12345', '-', '-', 'REFUSED Z12345'],
    [`RJCT ${'A'.repeat(36)}`, '-', '-', 'REFUSED -'],
    ['RJCT =Account_closed AC04', '-', '-', 'REFUSED AC04'],
    // A duplicate, wherever the report says so: as any reason of any level.
    ['RJCT AM05', '-', '-', 'UNDER_WAY'],
    ['RJCT AC04 DU04', '-', '-', 'UNDER_WAY'],
    ['RJCT =AM05', '-', '-', 'UNDER_WAY'],
    ['RJCT =Duplicate_payment', '-', '-', 'UNDER_WAY'],
    ['RJCT NARR +Duplikat_von_gestern', '-', '-', 'UNDER_WAY'],
    ['RJCT', 'RJCT DU02', '-', 'UNDER_WAY'],
    ['RJCT', '-', 'RJCT DU01', 'UNDER_WAY'],
    ['RJCT AC04', 'PART', 'RJCT AM05', 'UNDER_WAY'],
    ['CANC', '-', 'RJCT FF01 DU01', 'UNDER_WAY'],
    // It does not take the status of all.
    ['-', 'RJCT AC01', 'RJCT AC01', 'UNDER_WAY'],
    ['-', 'ACSC', 'ACSC', 'UNDER_WAY'],
    ['PDNG', 'RJCT AC01', 'RJCT AC01', 'UNDER_WAY'],
    ['acsc', '-', '-', 'UNDER_WAY'],
  ])('%s, its payment %s, the file %s: %s', (own, payment, group, meaning) => {
    expect(meaningIn(own, payment, group)).toBe(meaning);
  });
});

describe('a transfer that is not named', () => {
  test.each<[payment: string | null, group: string, meaning: string]>([
    [null, 'ACSC', 'ARRIVED'],
    ['ACCC', 'PART', 'ARRIVED'],
    ['-', 'ACSC', 'ARRIVED'],
    [null, 'RJCT FF01', 'REFUSED FF01'],
    ['RJCT AC01', 'PART', 'REFUSED AC01'],
    ['RJCT', 'RJCT AC01', 'REFUSED AC01'],
    ['-', 'RJCT AG01', 'REFUSED AG01'],
    ['CANC CUST', '-', 'REFUSED CUST'],
    ['RJCT =Z1 AC01', '-', 'REFUSED Z1'],
    // Without a reason of the standard the rejection may be that of a duplicate.
    [null, 'RJCT', 'UNDER_WAY'],
    [null, 'RJCT =Z1', 'UNDER_WAY'],
    [null, 'RJCT NARR +See_letter', 'UNDER_WAY'],
    ['RJCT', 'PART', 'UNDER_WAY'],
    ['RJCT =Z1', 'RJCT', 'UNDER_WAY'],
    ['RJCT', 'PART AC01', 'UNDER_WAY'],
    ['CANC', '-', 'UNDER_WAY'],
    ...['AM05', 'DU01', 'DU02', 'DU03', 'DU04', 'DU05', 'du01'].map((code): [null, string, string] => [
      null,
      `RJCT ${code}`,
      'UNDER_WAY',
    ]),
    [null, 'RJCT FF01 DU01', 'UNDER_WAY'],
    ['RJCT AC01', 'RJCT DU01', 'UNDER_WAY'],
    ['RJCT AC01 =DUPL', 'PART', 'UNDER_WAY'],
    ['RJCT AC01 +A_duplicate_of_M1', 'PART', 'UNDER_WAY'],
    // Neither the payment's status nor, without one, the file's says an end.
    ['PDNG', 'RJCT AC01', 'UNDER_WAY'],
    ...['ACTC', 'ACCP', 'ACSP', 'ACWC', 'ACWP', 'ACFC', 'PDNG', 'PART', 'RCVD', 'acsc', 'NEW1', '-'].map(
      (status): [null, string, string] => [null, status, 'UNDER_WAY'],
    ),
  ])('its payment %s, the file %s: %s', (payment, group, meaning) => {
    expect(meaningIn(null, payment, group)).toBe(meaning);
  });
});
