import { slugOf, slugRoot } from '../../../workflows/catalog/slug.rules';

test.each([
  ['Enamel kettle', 'enamel-kettle'],
  ['  The chef’s “best” — knife! ', 'the-chefs-best-knife'],
  ['Crème brûlée', 'creme-brulee'],
  ['Чайник', 'чаиник'],
  ['コーヒー 1', 'コーヒー-1'],
  ['../../etc/passwd', 'etc-passwd'],
  ['!!!', 'product'],
  ['', 'product'],
])('%p has the address %p', (name, slug) => {
  expect(slugOf(name)).toBe(slug);
});

test('a slug is never long and never ends in a hyphen', () => {
  const slug = slugOf(`${'a'.repeat(79)} ${'b'.repeat(79)}`);
  expect(slug).toBe('a'.repeat(79));
  expect(slugOf('😀'.repeat(200) + 'x')).toBe('x');
  expect(slugOf('a'.repeat(200))).toBe('a'.repeat(80));
  expect(slugOf(`a\n${'b'.repeat(90)}`)).toBe(`a-${'b'.repeat(78)}`);
});

test('slugs that could collide have one root', () => {
  for (const slug of ['lamp', 'lamp-2', 'lamp-2-2', 'lamp-10-3-1']) expect(slugRoot(slug)).toBe('lamp');
  expect(slugRoot('lamp-2-b')).toBe('lamp-2-b');
});
