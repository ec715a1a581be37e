import { DOMImplementation, XMLSerializer, type Document, type Element } from '@xmldom/xmldom';
import type { BankFileDebtor } from '../../../db/commerce/bank-file/config';
import { bankName, MOST_NAME } from '../../../workflows/commerce/payout/bank-file/bank-file.rules';
import { currencyDigits, toMajor } from '../../../workflows/commerce/money.rules';
import { sepaText } from '../../../workflows/commerce/payout/bank-file/sepa-text.rules';

const NAMESPACE = 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09';

/** A transfer in the file. */
export interface FiledTransfer {
  id: string;
  amountMinor: number;
  accountHolder: string;
  iban: string;
}

export interface CreditTransferFile {
  id: string;
  madeAt: Date;
  debtor: BankFileDebtor;
  /** The currency of all transfers. */
  currency: string;
  transfers: readonly FiledTransfer[];
}

/** Parts of an element: a text, or elements by name, in the order of the schema. */
type Content = string | readonly Part[];
type Part = readonly [name: string, content: Content, attributes?: Readonly<Record<string, string>>];

/**
 * A credit transfer initiation (ISO 20022 pain.001.001.09): one payment of all transfers, each with its id as its end-to-end
 * reference, which the bank's report repeats. To be executed on the day it is made. In euros it is a SEPA file, by the EPC's
 * guidelines; in another currency the bank chooses how to send, and payer and payee share its charges.
 */
export function creditTransferFile(file: CreditTransferFile): string {
  const document = new DOMImplementation().createDocument(NAMESPACE, 'Document', null);
  const root = document.documentElement;
  if (!root) throw new Error('An XML document has a root.');
  append(document, root, [
    [
      'CstmrCdtTrfInitn',
      [
        ['GrpHdr', groupHeader(file)],
        ['PmtInf', paymentOf(file)],
      ],
    ],
  ]);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(document)}\n`;
}

function groupHeader({ id, madeAt, debtor, currency, transfers }: CreditTransferFile): Content {
  return [
    ['MsgId', bankName(id)],
    ['CreDtTm', madeAt.toISOString()],
    ['NbOfTxs', String(transfers.length)],
    ['CtrlSum', sumOf(transfers, currency)],
    ['InitgPty', [['Nm', debtor.name]]],
  ];
}

function paymentOf({ id, madeAt, debtor, currency, transfers }: CreditTransferFile): Content {
  const isSepa = currency === 'EUR';
  return [
    ['PmtInfId', bankName(id)],
    ['PmtMtd', 'TRF'],
    ['NbOfTxs', String(transfers.length)],
    ['CtrlSum', sumOf(transfers, currency)],
    ...(isSepa ? [['PmtTpInf', [['SvcLvl', [['Cd', 'SEPA']]]]] as const] : []),
    ['ReqdExctnDt', [['Dt', madeAt.toISOString().slice(0, 10)]]],
    ['Dbtr', [['Nm', debtor.name]]],
    ['DbtrAcct', [['Id', [['IBAN', debtor.iban]]]]],
    ['DbtrAgt', [['FinInstnId', [['BICFI', debtor.bic]]]]],
    ['ChrgBr', isSepa ? 'SLEV' : 'SHAR'],
    ...transfers.map((transfer) => ['CdtTrfTxInf', transactionOf(transfer, currency)] as const),
  ];
}

const transactionOf = (
  { id, amountMinor, accountHolder, iban }: FiledTransfer,
  currency: string,
): Content => [
  [
    'PmtId',
    [
      ['InstrId', bankName(id)],
      ['EndToEndId', bankName(id)],
    ],
  ],
  ['Amt', [['InstdAmt', decimal(amountMinor, currency), { Ccy: currency }]]],
  ['Cdtr', [['Nm', sepaText(accountHolder, MOST_NAME)]]],
  ['CdtrAcct', [['Id', [['IBAN', iban]]]]],
];

const sumOf = (transfers: readonly FiledTransfer[], currency: string): string =>
  decimal(
    transfers.reduce((sum, { amountMinor }) => sum + amountMinor, 0),
    currency,
  );

/** All decimals of the currency; exact up to the highest amount of the platform. */
const decimal = (minor: number, currency: string): string =>
  toMajor(minor, currency).toFixed(currencyDigits(currency));

function append(document: Document, parent: Element, content: Content): void {
  if (typeof content === 'string') {
    parent.appendChild(document.createTextNode(content));
    return;
  }
  for (const [name, inner, attributes = {}] of content) {
    const element = document.createElementNS(NAMESPACE, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    parent.appendChild(element);
    append(document, element, inner);
  }
}
