import { isPostalCode } from '../../../workflows/commerce/postal-code.rules';

test.each([
  ['DE', '10115'],
  ['DE', 'DE-10115'],
  ['LV', 'LV-1010'],
  ['NL', '1012 AB'],
  ['NL', '1012ab'],
  ['IE', 'D02 AF30'],
  ['PT', '1000-001'],
  ['GB', 'SW1A 1AA'],
  ['US', '94105-1234'],
  ['JP', '100-0001'],
])('%s knows %s', (country, code) => {
  expect(isPostalCode(country, code)).toBe(true);
});

test.each([
  ['DE', '1011'],
  ['DE', 'ABCDE'],
  ['US', '9410'],
  ['NL', '1012'],
  ['JP', ''],
  ['JP', '100;0001'],
  ['JP', '123456789012'],
])('%s does not know %s', (country, code) => {
  expect(isPostalCode(country, code)).toBe(false);
});
