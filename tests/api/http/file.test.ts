import { startFile } from '../../../api/http/answer/files/file';

const bytes = Buffer.from('%PDF');
const pdf = { type: 'application/pdf', bytes, fileName: 'passport-1.pdf' } as const;

test('pictures are shown, everything else is only saved, and nothing may run', () => {
  const { headers, chunks } = startFile({ method: 'GET' }, ['application/pdf'], pdf);
  expect(headers).toEqual({
    'Content-Disposition': 'attachment; filename=passport-1.pdf',
    'Content-Length': '4',
    'Content-Security-Policy': "sandbox; default-src 'none'",
  });
  expect(chunks).toEqual([bytes]);
  const picture = { type: 'image/png', bytes, fileName: 'selfie-1.png' };
  expect(startFile({ method: 'GET' }, ['image/png'], picture).headers).toMatchObject({
    'Content-Disposition': 'inline; filename=selfie-1.png',
  });
});

test('a name of any letters is given in both forms, and quotes do not end it', () => {
  const named = (fileName: string) =>
    startFile({ method: 'GET' }, ['application/pdf'], { ...pdf, fileName }).headers!['Content-Disposition'];
  expect(named('pässe.pdf')).toBe('attachment; filename="p?sse.pdf"; filename*=UTF-8\'\'p%C3%A4sse.pdf');
  expect(named('a"; filename=b.pdf')).toBe('attachment; filename="a\\"; filename=b.pdf"');
});

test('a picture may be declared to be only saved', () => {
  const picture = { type: 'image/png', bytes, fileName: 'selfie-1.png', isAttachment: true };
  expect(startFile({ method: 'GET' }, ['image/png'], picture).headers).toMatchObject({
    'Content-Disposition': expect.stringMatching(/^attachment;/),
  });
});

test('HEAD gets the headers of the file and no byte', () => {
  const { headers, chunks } = startFile({ method: 'HEAD' }, ['application/pdf'], pdf);
  expect([headers!['Content-Length'], chunks]).toEqual(['4', []]);
});

test.each([
  'a.pdf\r\nSet-Cookie: x=1',
  'a\r\nSet-Cookie: x=1.pdf',
  '../../etc/passwd.txt',
  'a\\b.pdf',
  'a\u202Efdp.pdf',
  '.pdf',
  '',
])('a name that could leave its header or its folder is none: %j', (fileName) => {
  expect(() => startFile({ method: 'GET' }, ['application/pdf'], { ...pdf, fileName })).toThrow('fileName');
});

test('a type that the contract does not declare is not sent', () => {
  expect(() => startFile({ method: 'GET' }, ['image/png'], pdf)).toThrow('does not declare');
  expect(() => startFile({ method: 'GET' }, ['image/png'], { ...pdf, type: 'text/html' })).toThrow();
});
