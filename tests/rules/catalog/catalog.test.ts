import { BOUGHT, type Concern, concernOf, statusOfNew } from '../../../workflows/catalog/review/review.rules';
import { endpoints } from '../../../api/endpoints';
import { slugOf, slugRoot } from '../../../workflows/catalog/slug.rules';
import { fastest } from '../../support/cost/fastest';

describe('reviews', () => {
  const BLOCKED = ['casino', 'promo code', 'scheiße'];

  test.each<[string, Concern | null]>([
    // Ordinary texts.
    ['It is quiet, warm and worth every cent. I would buy it again!', null],
    ['Bought on 2026-01-02 for 1.299,00 EUR; delivered 05.01.2026.', null],
    ['Measures 100 x 200 x 300 mm, model AB-123456-C, weighs 1 250 g.', null],
    ['Rated 4.5/5 by my family and/or friends, e.g. my aunt.', null],
    ['Great.It works.The colour is nice.I am happy', null],
    ['Works with Node.js and version 2.10.1', null],
    ['We met @home, 3 @ 10 cents', null],
    ['Connect the dot to the end', null],
    ['Called 112 at once', null],
    ['From +5 to +40 degrees, +123 456 points', null],
    ['Lasts 12 345 678 hours', null],
    ['See page-1.jpeg / page-2', null],
    ['A (hat) and a [cat] for me', null],
    ['Thewww. is not one', null],
    ['很好,我很喜欢这个产品。', null],
    ['Occasionally it squeaks', null],
    // Links.
    ['see https://example.com/x', 'link'],
    ['see ftp://files', 'link'],
    ['see WWW.example', 'link'],
    ['see www .example', 'link'],
    ['see 1.is/a', 'link'],
    ['see a.is/1', 'link'],
    ['cheaper at example.com', 'link'],
    ['cheaper at shop.example.co.uk today', 'link'],
    ['cheaper at EXAMPLE.COM.', 'link'],
    ['cheaper at example[.]com', 'link'],
    ['cheaper at example (dot) com', 'link'],
    ['cheaper at example dot com', 'link'],
    ['cheaper at short.is/abc', 'link'],
    ['cheaper at exam\u200bple.c\u00adom', 'link'],
    ['cheaper at ｅｘａｍｐｌｅ．ｃｏｍ', 'link'],
    ['cheaper at магазин.com', 'link'],
    // E-mail addresses.
    ['write to ada@example.org', 'e-mail address'],
    ['write to ada@example.museum', 'e-mail address'],
    ['write to ada (at) example', 'e-mail address'],
    ['write to ada[@]example', 'e-mail address'],
    ['write to 1 (at) example', 'e-mail address'],
    ['write to ada ( at ) 1', 'e-mail address'],
    ['write to ada[at]example', 'e-mail address'],
    // Phone numbers.
    ['call +1 234 567', 'phone number'],
    ['call + (1) 2-3.4/5 6 7', 'phone number'],
    ['call +(1)- 234567', 'phone number'],
    ['call +49 30 901820', 'phone number'],
    ['call +4930901820', 'phone number'],
    ['call 0049 (30) 90-18-20', 'phone number'],
    ['call (555) 123-4567', 'phone number'],
    ['call 030 / 901 82 00', 'phone number'],
    ['call ٠٣٠٩٠١٨٢٠٠', 'phone number'],
    // Blocked words: whole ones, however they are written.
    ['Won it in a CASINO!', 'blocked word'],
    ['Won it in a Càsìno', 'blocked word'],
    ['Won it in a cas\u200bino', 'blocked word'],
    ['Use my promo -- code', 'blocked word'],
    ['Use my promo code', 'blocked word'],
    ['-- casino', 'blocked word'],
    ['Schei\u00dfe', 'blocked word'],
    ['The casinos of my town', null],
  ])('%s: %s', (text, concern) => {
    expect(concernOf(text, BLOCKED)).toBe(concern);
  });

  test('a review is shown at once, or waits if one of its texts has a concern', () => {
    expect(statusOfNew(['', 'It is good.', 'Quiet'], BLOCKED)).toBe('PUBLISHED');
    expect(statusOfNew(['', 'It is good.', 'example.com'], BLOCKED)).toBe('PENDING');
    expect(statusOfNew(['Casino', 'It is good.'], BLOCKED)).toBe('PENDING');
    expect(statusOfNew(['Casino', 'It is good.'], [])).toBe('PUBLISHED');
  });

  test.each(['a', '@', '.', '1 ', '+', 'a@', 'a.b', '00', '(at', 'dot ', '\u0301', 'www.'])(
    'a long row of «%s» is read about as fast as ordinary text',
    async (part) => {
      const row = part.repeat(2_000 / part.length);
      const ordinary = 'It is good, warm and quiet. '.repeat(75);
      const ordinaryMs = await fastest(() => concernOf(ordinary, BLOCKED));
      expect(await fastest(() => concernOf(row, BLOCKED))).toBeLessThan(50 * ordinaryMs);
    },
  );

  test('cancelled and refunded orders are not purchases', () => {
    expect(BOUGHT).toEqual(['PAID', 'PROCESSING', 'SHIPPED', 'DELIVERED']);
  });
});

describe('slugs', () => {
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

  test('a slug is never a part of a path of the API, nor looks like an id', () => {
    const places =
      /^(?:\/admin)?\/(?:products|categories|investment\/strategies|admin\/strategies)\/([a-z-]+)$/;
    const segments = endpoints.flatMap(({ path }) => places.exec(path)?.[1] ?? []);
    expect(segments.length).toBeGreaterThan(2);
    for (const segment of segments) expect(slugOf(segment)).toBe(`${segment}-product`);
    const id = '0199f0c2-7c2e-7000-8000-0123456789ab';
    expect(slugOf(id.toUpperCase(), 'strategy')).toBe(`${id}-strategy`);
  });

  test('slugs that could collide have one root', () => {
    for (const slug of ['lamp', 'lamp-2', 'lamp-2-2', 'lamp-10-3-1']) expect(slugRoot(slug)).toBe('lamp');
    expect(slugRoot('lamp-2-b')).toBe('lamp-2-b');
  });
});
