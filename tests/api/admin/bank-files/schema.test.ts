import { readFile } from 'node:fs/promises';
import { v7 } from 'uuid';
import { validateXML } from 'xmllint-wasm';
import { creditTransferFile } from '../../../../api/admin/bank-files/credit-transfer-file';
import { resolveSepaSchema } from '../../../support/tools/sepa-schema';
import { debtor } from '../../../support/builders/payouts/bank-files';

let schema: string;
beforeAll(async () => {
  schema = await readFile(await resolveSepaSchema((line) => void process.stderr.write(`${line}\n`)), 'utf8');
}, 600_000);

const transfer = (change: object = {}) => ({
  ...{ id: v7(), amountMinor: 12_345, accountHolder: 'Ada Lovelace', iban: 'DE89370400440532013000' },
  ...change,
});

/** The faults that the published schema (ISO 20022 pain.001.001.09) finds. */
async function faultsOf(xml: string): Promise<string[]> {
  const { errors } = await validateXML({
    xml: [{ fileName: 'transfers.xml', contents: xml }],
    schema: [{ fileName: 'pain.001.001.09.xsd', contents: schema }],
  });
  return errors.map(({ message }) => message);
}

const fileOf = (currency: string, ...transfers: ReturnType<typeof transfer>[]): string =>
  creditTransferFile({ id: v7(), madeAt: new Date(), debtor, currency, transfers });

describe.each(['EUR', 'USD', 'JPY', 'KWD', 'CLF'])('in %s', (currency) => {
  test.each<[string, object[]]>([
    ['one transfer', [{}]],
    ['the smallest and the largest amount', [{ amountMinor: 1 }, { amountMinor: 99_999_999_999 }]],
    [
      'names that XML and the scheme read otherwise',
      [{ accountHolder: `Zoë <Ö'Neil> & "Łukasz" //`.repeat(9) }],
    ],
    ['a short and a long IBAN', [{ iban: 'NO9386011117947' }, { iban: 'MT84MALT011000012345MTLCAST001S' }]],
    ['as many as a file can have', Array.from({ length: 1_000 }, () => ({}))],
  ])('a file of %s is valid by the published schema', async (_, transfers) => {
    expect(await faultsOf(fileOf(currency, ...transfers.map(transfer)))).toEqual([]);
  });
});

describe('what a file says of', () => {
  const said = (xml: string, name: string): string[] =>
    Array.from(xml.matchAll(new RegExp(`<${name}[^>]*>.*?</${name}>`, 'g')), ([part]) => part);

  test.each([
    ['EUR', 12_345, '123.45', '246.90'],
    ['USD', 12_345, '123.45', '246.90'],
    ['USD', 5, '0.05', '0.10'],
    ['USD', 99_999_999_999, '999999999.99', '1999999999.98'],
    ['JPY', 12_345, '12345', '24690'],
    ['KWD', 12_345, '12.345', '24.690'],
    ['CLF', 12_345, '1.2345', '2.4690'],
  ])('amounts in %s: %d minor units are %s, twice %s', (currency, amountMinor, amount, sum) => {
    const xml = fileOf(currency, transfer({ amountMinor }), transfer({ amountMinor }));
    const instructed = `<InstdAmt Ccy="${currency}">${amount}</InstdAmt>`;
    expect(said(xml, 'InstdAmt')).toEqual([instructed, instructed]);
    expect(said(xml, 'CtrlSum')).toEqual([`<CtrlSum>${sum}</CtrlSum>`, `<CtrlSum>${sum}</CtrlSum>`]);
  });

  test('how to send euros: by the scheme, with its charges', () => {
    const xml = fileOf('EUR', transfer());
    expect(said(xml, 'PmtTpInf')).toEqual(['<PmtTpInf><SvcLvl><Cd>SEPA</Cd></SvcLvl></PmtTpInf>']);
    expect(said(xml, 'ChrgBr')).toEqual(['<ChrgBr>SLEV</ChrgBr>']);
  });

  test('how to send any other currency: as the bank chooses, with shared charges', () => {
    const xml = fileOf('USD', transfer());
    expect(said(xml, 'PmtTpInf')).toEqual([]);
    expect(said(xml, 'ChrgBr')).toEqual(['<ChrgBr>SHAR</ChrgBr>']);
  });
});

test.each<[string, (xml: string) => string]>([
  ['without its name', (xml) => xml.replace(/<MsgId>.*?<\/MsgId>/, '')],
  [
    'with its parts in another order',
    (xml) => xml.replace(/(<PmtInfId>.*?<\/PmtInfId>)(<PmtMtd>.*?<\/PmtMtd>)/, '$2$1'),
  ],
  ['with an IBAN that is none', (xml) => xml.replace('DE89370400440532013000', '1')],
  ['with an amount that is none', (xml) => xml.replace('>123.45</InstdAmt>', '>123,45</InstdAmt>')],
  ['with a currency that is none', (xml) => xml.replace('Ccy="USD"', 'Ccy="usd"')],
])('the schema refuses a file %s, so these tests can fail', async (_, broken) => {
  const xml = fileOf('USD', transfer());
  expect(broken(xml)).not.toBe(xml);
  expect(await faultsOf(broken(xml))).not.toEqual([]);
});
