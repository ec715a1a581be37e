import { personName } from '../../../../api/http/request/person-fields';
import { externalNames } from '../../../../api/auth/external/names';

const issuer = { iss: 'https://accounts.example', sub: '1' };
const namesOf = (claims: object, email = 'kim.lee@example.com', posted?: string): string[] => {
  const { firstName, lastName } = externalNames({ ...issuer, ...claims }, email, posted);
  return [firstName, lastName];
};
const posted = (firstName: unknown, lastName: unknown): string =>
  JSON.stringify({ name: { firstName, lastName } });

describe('names from another provider', () => {
  test.each([
    ['signed claims', { given_name: 'Ada', family_name: 'Lovelace', name: 'A L' }, ['Ada', 'Lovelace']],
    ['the full name', { name: 'Grace Brewster Hopper' }, ['Grace', 'Brewster Hopper']],
    ['one word', { name: 'Madonna' }, ['Madonna', 'Member']],
    ['nothing', {}, ['kim lee', 'Member']],
    [
      'NFD, which is stored in NFC',
      { given_name: 'Zoe\u0308', family_name: 'A\u030Angstro\u0308m' },
      ['Zoë', 'Ångström'],
    ],
    ['what the platform takes', { given_name: 'J.-P.', family_name: 'Davis Jr.' }, ['J.-P.', 'Davis Jr.']],
    ['joiners', { given_name: 'علی\u200Cرضا', family_name: 'Əliyev' }, ['علی\u200Cرضا', 'Əliyev']],
    [
      'signs that no name has',
      { given_name: 'Ada 👩‍💻', family_name: '<b>Love</b>lace' },
      ['Ada', 'b Love b lace'],
    ],
    ['line ends', { given_name: 'Ada\r\nBcc: x', family_name: 'A\u0000B' }, ['Ada Bcc x', 'A B']],
    ['one letter', { given_name: 'J', family_name: '李' }, ['kim lee', 'Member']],
    ['no letters', { given_name: '\u0301\u0301', family_name: '😀', name: '--- ---' }, ['kim lee', 'Member']],
    ['half a pair', { given_name: '\uD800Ada', family_name: 'Lo\uDC00' }, ['Ada', 'Lo']],
  ])('%s', (_, claims, expected) => {
    expect(namesOf(claims)).toEqual(expected);
  });

  test('the address gives a name only where it has letters', () => {
    expect(namesOf({}, '007@example.com')).toEqual(['New', 'Member']);
    expect(namesOf({}, 'ada_99@example.com')).toEqual(['ada', 'Member']);
  });

  test('posted names come after signed ones', () => {
    expect(namesOf({}, undefined, posted('Ada', 'Lovelace'))).toEqual(['Ada', 'Lovelace']);
    expect(namesOf({ given_name: 'Grace' }, undefined, posted('Ada', 'Lovelace'))).toEqual([
      'Grace',
      'Lovelace',
    ]);
    expect(namesOf({ name: 'Kim' }, undefined, posted('\u0007', 5))).toEqual(['Kim', 'Member']);
    expect(namesOf({}, undefined, 'null')).toEqual(['kim lee', 'Member']);
  });

  test('every name is one by the rules of the platform', () => {
    const rule = personName();
    const texts = [
      'x'.repeat(500),
      `${'a'.repeat(99)}😀`,
      'a '.repeat(200),
      "O''Brien",
      "'",
      '·a·',
      '\u0300',
      'ﬀ',
    ];
    for (const text of texts)
      for (const name of namesOf({ given_name: text, family_name: text }, `${text}@example.com`))
        expect(rule.safeParse(name)).toMatchObject({ success: true, data: name });
  });
});
