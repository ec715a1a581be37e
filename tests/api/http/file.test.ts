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

test('HEAD gets the headers of the file and no byte', () => {
  const { headers, chunks } = startFile({ method: 'HEAD' }, ['application/pdf'], pdf);
  expect([headers!['Content-Length'], chunks]).toEqual(['4', []]);
});

test.each([
  'a.pdf\r\nSet-Cookie: x=1',
  'a.pdf"; filename=b.html',
  '../../etc/passwd.txt',
  'a b.pdf',
  '.pdf',
  'pässe.pdf',
  '',
])('a name that could leave its header or its folder is none: %j', (fileName) => {
  expect(() => startFile({ method: 'GET' }, ['application/pdf'], { ...pdf, fileName })).toThrow('fileName');
});

test('a type that the contract does not declare is not sent', () => {
  expect(() => startFile({ method: 'GET' }, ['image/png'], pdf)).toThrow('does not declare');
  expect(() => startFile({ method: 'GET' }, ['image/png'], { ...pdf, type: 'text/html' })).toThrow();
});
