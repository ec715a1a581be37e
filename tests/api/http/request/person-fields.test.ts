import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fields from '../../../../api/http/request/fields';
import {
  accountEmail,
  email,
  middleName,
  personName,
  phoneNumber,
} from '../../../../api/http/request/person-fields';

describe('person-fields', () => {
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

    test.each([
      ...[
        'Jean-Luc',
        'O’Neill',
        'Mary Ann',
        '明华',
        'Ångström',
        'علی\u200Cرضا',
        'ක්\u200Dර',
        '买买提·艾力',
        'Col·lell',
      ],
      ...[
        'ディ・カプリオ',
        "ג'ורג'",
        'ג׳ורג׳',
        'J. Simpson',
        'Davis Jr.',
        'J.R.R.',
        'J.-P.',
        'Ch.-A.',
        'Jean\u2011Luc',
        "d'",
        'בן־דוד',
      ],
    ])('%s is one', (name) => {
      expect(takes(personName(), name)).toBe(true);
    });

    test.each([
      ...[
        'Ada1',
        'Love--lace',
        '-Ada',
        'Ada-',
        '<b>',
        'x'.repeat(101),
        'a\r\nb',
        '.Ada',
        'Ada..',
        'A  da',
        '··',
      ],
      ...['\u200CAda', 'Ada\u200C', 'A\u200C\u200Dda', 'Ada ·', 'Ada .'],
    ])('%j is none', (name) => {
      expect(takes(personName(), name)).toBe(false);
    });
  });

  test('an e-mail address is stored in lower case and trimmed', () => {
    expect(email().parse(' Ada@Example.COM ')).toBe('ada@example.com');
    expect(email().safeParse(`${'a'.repeat(64)}@example.com`).success).toBe(true);
    expect(email().safeParse(`${'a'.repeat(65)}@example.com`).success).toBe(false);
  });

  test.each([
    ['info@xn--e1afmkfd.xn--p1ai', 'info@xn--e1afmkfd.xn--p1ai'],
    ['info@ПРИМЕР.рф', 'info@xn--e1afmkfd.xn--p1ai'],
    ['info@müller.de', 'info@xn--mller-kva.de'],
    ...[
      'a&b@example.com',
      'user=tag@example.com',
      'first/last@example.com',
      'a#b@example.com',
      "o'neill@example.com",
    ].map((typed): [string, string] => [typed, typed]),
  ])('%s is an e-mail address', (typed, stored) => {
    expect(email().parse(typed)).toBe(stored);
    expect(accountEmail().parse(stored)).toBe(stored);
  });

  test.each([
    ...[
      'a b@example.com',
      'a@b',
      'a@localhost',
      'a@example..com',
      'a@-x.com',
      'a@x-.com',
      '@example.com',
      'a@',
    ],
    ...[
      'a@b@example.com',
      'a@127.0.0.1',
      'a@[127.0.0.1]',
      'a\r\nb@example.com',
      'ä@example.com',
      'a@exa mple.com',
    ],
    ...[
      'ada@example.com/x',
      'ada@example.com?subject=hi',
      'ada@ex%61mple.com',
      'ada@exam\nple.com',
      'ada@пример.рф/x',
    ],
    ...['a@example.com.', `a@${'я'.repeat(300)}.рф`, `a@${'x'.repeat(64)}.com`, `a@${'x.'.repeat(130)}com`],
  ])('%j is no e-mail address', (typed) => {
    expect(takes(email(), typed)).toBe(false);
  });

  test('a telephone number has a length that its country has, in use or not', () => {
    expect(
      ['+4930901820', '+499999999', '+861012345678'].map((number) => takes(phoneNumber(), number)),
    ).toEqual([true, true, true]);
    expect(
      ['+493', '+12025550', '+99912345678', '4930901820'].map((number) => takes(phoneNumber(), number)),
    ).toEqual([false, false, false, false]);
  });

  test('the fields of a person are defined once', () => {
    expect(Object.keys(fields).filter((name) => /email|name|phone|birth/i.test(name))).toEqual([]);
    const api = join(__dirname, '../../../../api');
    const own = readdirSync(api, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !path.endsWith('person-fields.ts'))
      .filter((path) =>
        /isPossiblePhoneNumber|toLowerCase\(\)\.max\(254\)/.test(readFileSync(join(api, path), 'utf8')),
      );
    expect(own).toEqual([]);
  });
});
