import { isIban, isSepaIban } from '../../../../db/commerce/bank-file/iban';
import { sepaText } from '../../../../workflows/commerce/payout/bank-file/sepa-text.rules';

describe('a text of a SEPA file', () => {
  test.each([
    ['Ada Lovelace', 'Ada Lovelace'],
    ['Zoë Müller-Öst', 'Zoe Muller-Ost'],
    ['Łukasz Strauß', 'Lukasz Strauss'],
    ['Åse Æbleø', 'Ase AEbleo'],
    ['O’Neil & <Sons>', "O'Neil . .Sons."],
    ['//A//B//', 'A/B'],
    ['  A   B  ', 'A B'],
    ['Ⅷ ﬁ', 'VIII fi'],
    ['Иван Петров', ''],
    ['李', ''],
    ['...', ''],
  ])('%p is written as %p', (text, written) => {
    expect(sepaText(text, 70)).toBe(written);
  });

  test('has at most so many characters, and does not end in a blank', () => {
    expect(sepaText('x'.repeat(100), 70)).toHaveLength(70);
    expect(sepaText(`${'x'.repeat(69)} y`, 70)).toBe('x'.repeat(69));
  });
});

test.each([
  ['DE89370400440532013000', true],
  ['DE02120300000000202051', true],
  ['NO9386011117947', true],
  ['AE070331234567890123456', true],
  ['DE89370400440532013001', false],
  // The check digits of these are right: of no country, of a country without IBANs, too short, and with a letter in the account.
  ['XX82WEST12345698765432', false],
  ['US64SVBKUS6S3300958879', false],
  ['DE0212030000000020205', false],
  ['DE8937040044053201300A', false],
  ['de89370400440532013000', false],
  ['', false],
])('%s is an IBAN: %p', (iban, isValid) => {
  expect(isIban(iban)).toBe(isValid);
});

test.each([
  ['DE89370400440532013000', true],
  ['NO9386011117947', true],
  ['AE070331234567890123456', false],
  ['DE89370400440532013001', false],
])('%s can be paid in euros by SEPA: %p', (iban, isSepa) => {
  expect(isSepaIban(iban)).toBe(isSepa);
});
