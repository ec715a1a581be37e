import fc from 'fast-check';
import { cleanedFileName } from '../../../workflows/kyc/document.rules';

const jpeg = { type: 'DRIVERS_LICENCE', contentType: 'image/jpeg' } as const;

test.each([
  ['my passport.jpg', 'my passport.jpg'],
  ['SCAN.JPEG', 'SCAN.JPEG'],
  ['Mu\u0308ggelsee.jpg', 'Müggelsee.jpg'],
  ['/etc/passwd/licence.jpg', 'licence.jpg'],
  ['C:\\photos\\licence.jpg', 'licence.jpg'],
  ['../../licence', 'licence.jpg'],
  ['page.html', 'page.html.jpg'],
  ['gpj.\u202Efdp', 'gpj.fdp.jpg'],
  ['a\r\nSet-Cookie: x.jpg', 'a Set-Cookie_ x.jpg'],
  ['.htaccess.jpg', 'htaccess.jpg'],
  ['', 'drivers-licence.jpg'],
  ['photos/', 'drivers-licence.jpg'],
  [' . .jpg', 'jpg.jpg'],
])('%j becomes %j', (name, cleaned) => {
  expect(cleanedFileName(name, jpeg)).toBe(cleaned);
});

test('a long name is cut between characters, and the ending stays', () => {
  const cleaned = cleanedFileName(`${'😀'.repeat(200)}.pdf`, {
    type: 'SELFIE',
    contentType: 'application/pdf',
  });
  expect(cleaned).toBe(`${'😀'.repeat(96)}.pdf`);
});

test('whatever is sent, the name is a short one without a folder, and cleaning it again changes nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (name) => {
      const cleaned = cleanedFileName(name, jpeg);
      expect(Array.from(cleaned).length).toBeLessThanOrEqual(100);
      expect(cleaned).toMatch(/^[^.\p{Cc}\p{Cf}\p{Cs}/\\][^\p{Cc}\p{Cf}\p{Cs}/\\]*\.jpe?g$/iu);
      expect(cleanedFileName(cleaned, jpeg)).toBe(cleaned);
    }),
  );
});
