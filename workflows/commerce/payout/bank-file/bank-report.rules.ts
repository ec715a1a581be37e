/** The words of a bank's report (pain.002) on one level: a transfer, its payment, or the whole file. */
export interface ReportedLevel {
  status: string | null;
  reasons: readonly ReportedReason[];
}

/** CODE: of ISO 20022's external code sets. OWN_CODE: the bank's own, which may be any text. WORDS: further information. */
export interface ReportedReason {
  kind: 'CODE' | 'OWN_CODE' | 'WORDS';
  text: string;
}

/** The meaning of a report for a transfer. `code`: the code of a refusal's reason; null when the bank gave none. */
export type Meaning =
  { status: 'ARRIVED' } | { status: 'UNDER_WAY' } | { status: 'REFUSED'; code: string | null };

/**
 * Settled on the account of the payer or of the payee. Every other acceptance (ACTC, ACCP, ACSP, ACWC, ACWP, PDNG, RCVD,
 * PART) is a step on the way, after which a transfer can still be refused.
 */
const SETTLED: readonly string[] = ['ACSC', 'ACCC'];
/** Rejected, or cancelled at our request. */
const REFUSED: readonly string[] = ['RJCT', 'CANC'];

/**
 * Reasons of a rejection as a duplicate. It says nothing about the transfer that the bank has already, which may arrive: a
 * file that was handed in twice must not make its transfers be sent again. Banks say so in words of their own too.
 */
const DUPLICATE = /AM05|DU0[1-5]|DUPL/i;

/**
 * A code that may be stored and shown. A bank's own may be any text, and so have data of a person: it is shorter than the shortest
 * IBAN (15 characters) and most account numbers.
 */
const CODE = { CODE: /^[A-Za-z0-9]{1,35}$/, OWN_CODE: /^[A-Za-z0-9]{1,6}$/ };

/** The code of a reason that is only in the words with it. */
const NARRATIVE = 'NARR';

/**
 * The meaning of a report for one transfer. `own`: the words on it; null when it is not named, so that those on all count, `ofAll`,
 * the nearest level first. Unknown codes change nothing.
 *
 * Chosen: refused only if that is certain, since a refused transfer is sent again; one that is taken for under way just waits
 * for a person. So a duplicate on any level is no refusal, a transfer that is named without a status does not take that of all, and a
 * rejection of all needs a code of the standard for its reason. That of a single transfer does not: the bank has looked at it.
 */
export function meaningOf(own: ReportedLevel | null, ofAll: readonly ReportedLevel[]): Meaning {
  const levels = own === null ? ofAll : [own, ...ofAll];
  const status = own === null ? (ofAll.find((level) => level.status !== null)?.status ?? null) : own.status;
  if (status === null) return { status: 'UNDER_WAY' };
  if (SETTLED.includes(status)) return { status: 'ARRIVED' };
  if (!REFUSED.includes(status)) return { status: 'UNDER_WAY' };
  const isDuplicate = levels.some(({ reasons }) => reasons.some(({ text }) => DUPLICATE.test(text)));
  const isCertain = own !== null || ofAll.some(refusesWithReason);
  return isCertain && !isDuplicate ? { status: 'REFUSED', code: codeIn(levels) } : { status: 'UNDER_WAY' };
}

const refusesWithReason = ({ status, reasons }: ReportedLevel): boolean =>
  REFUSED.includes(status ?? '') &&
  reasons.some(({ kind, text }) => kind === 'CODE' && CODE.CODE.test(text) && text !== NARRATIVE);

/** The first code, of the nearest level that has one. */
const codeIn = (levels: readonly ReportedLevel[]): string | null =>
  levels.flatMap(({ reasons }) => reasons).find(({ kind, text }) => kind !== 'WORDS' && CODE[kind].test(text))
    ?.text ?? null;
