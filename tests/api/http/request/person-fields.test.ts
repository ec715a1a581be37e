import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fields from '../../../../api/http/request/fields';
import { email, middleName, personName } from '../../../../api/http/request/person-fields';

const takes = (field: { safeParse: (value: unknown) => { success: boolean } }, value: string): boolean =>
  field.safeParse(value).success;

describe('names', () => {
  test('a middle name may be an initial, a first or last name may not', () => {
    expect([takes(middleName(), 'K'), takes(middleName(), 'É'), takes(personName(), 'K')]).toEqual([
      true,
      true,
      false,
    ]);
    expect(takes(middleName(), '')).toBe(false);
  });

  test('different spellings of a name are stored in one form', () => {
    expect(personName().parse(' Zoe\u0308 ')).toBe('Zoë');
  });

  test.each(['Jean-Luc', 'O’Neill', 'Mary Ann', '明华', 'Ångström'])('%s is one', (name) => {
    expect(takes(personName(), name)).toBe(true);
  });

  test.each(['Ada1', 'Love--lace', '-Ada', 'Ada-', '<b>', 'x'.repeat(101), 'a\r\nb'])(
    '%j is none',
    (name) => {
      expect(takes(personName(), name)).toBe(false);
    },
  );
});

test('an e-mail address is stored in lower case and trimmed', () => {
  expect(email().parse(' Ada@Example.COM ')).toBe('ada@example.com');
});

test('the fields of a person are defined once', () => {
  expect(Object.keys(fields).filter((name) => /email|name|phone|birth/i.test(name))).toEqual([]);
  const api = join(__dirname, '../../../../api');
  const own = readdirSync(api, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('person-fields.ts'))
    .filter((path) =>
      /isValidPhoneNumber|toLowerCase\(\)\.max\(254\)/.test(readFileSync(join(api, path), 'utf8')),
    );
  expect(own).toEqual([]);
});
