/**
 * Values that break careless programs, as JSON text: some of them no JSON writer would write. Each is put in turn into
 * every field, whatever the field's type.
 */
export const nastyJson: readonly string[] = [
  // Other types than the field's.
  ...['null', 'true', 'false', '[]', '{}', '[[]]', '[null]', '{"a":{"b":{"c":1}}}', '"null"', '"true"'],
  // Numbers at and past the edges of int4, int8, doubles and of what JavaScript counts exactly.
  ...['0', '-0', '-1', '0.1', '0.005', '1e-320', '2147483648', '-2147483649', '9007199254740993'],
  ...[
    '9223372036854775808',
    '1e15',
    '1e21',
    '1e308',
    '-1e308',
    '1e400',
    '-1e400',
    '"NaN"',
    '"1e999"',
    '"0x10"',
  ],
  // Invalid dates, and dates that only JavaScript or only PostgreSQL accepts.
  ...['"0000-01-01"', '"0000-01-01T00:00:00Z"', '"-000001-01-01T00:00:00Z"', '"+275760-09-13T00:00:00Z"'],
  ...['"+275760-09-13T00:00:00.001Z"', '"9999-12-31T23:59:60Z"', '"9999-12-31T23:59:59-23:59"'],
  ...['"2026-02-30"', '"2026-13-01"', '"0001-01-01T00:00:00+14:00"', '"infinity"', '"now"'],
  // Strings that look like identifiers.
  ...['"00000000-0000-0000-0000-000000000000"', '"ffffffff-ffff-ffff-ffff-ffffffffffff"'],
  ...['"{0199f0c2-7c2e-7000-8000-0123456789ab}"', '"0199F0C2-7C2E-7000-8000-0123456789AB"'],
  ...['"0199f0c27c2e700080000123456789ab"', '"urn:uuid:0199f0c2-7c2e-7000-8000-0123456789ab"'],
  // Text: empty, blank, broken, endless, in all directions, and injections.
  ...['""', '" "', '"\\t\\r\\n"', '"\\u0000"', '"a\\u0000b"', '"\\ud800"', '"\\udc00\\ud800"', '"\\uffff"'],
  ...['"\\u202egnp.exe"', '"\\u200b"', '"e\\u0301"', '"\\ud83d\\udc69\\u200d\\ud83d\\udcbb"', '"İıẞ"'],
  ...[`"${'x'.repeat(10_000)}"`, `"${'\\ud83d\\ude00'.repeat(200)}"`],
  ...[`"'; DROP TABLE users; --"`, '"%"', '"_%\\\\"', '"$1"', '"\\\\"', '"${7*7}"', '"{{7*7}}"', '"%s%n%x"'],
  ...[
    '"<script>alert(1)</script>"',
    '"../../../etc/passwd"',
    '"=1+1"',
    '"a\\r\\nSet-Cookie: x=1"',
    '"\\"\'`"',
  ],
  // Names that mean something to JavaScript.
  ...['"__proto__"', '"constructor"', '"toString"', '"hasOwnProperty"', '{"__proto__":{"isAdmin":true}}'],
  ...['{"constructor":{"prototype":{"isAdmin":true}}}', '{"length":1}', '{"toString":1}', '{"then":1}'],
];

/** The same for a path or a query, already encoded, with what only an encoding can hold. */
export const nastyUrl: readonly string[] = [
  ...['', '%20', '%00', 'a%00b', '%', '%zz', '%ED%A0%80', '%C0%80', '%FF', '%F0%9F%98%80', '%E2%80%AE'],
  ...['%2F', '..%2F..%2Fetc%2Fpasswd', '%2e%2e', '%5C', '%3F', '%23', '%0d%0aSet-Cookie:%20x=1', '+', '%2B'],
  ...['0', '-1', '1.5', '1e3', '0x10', '2147483648', '9223372036854775808', '99999999999999999999', 'NaN'],
  ...['Infinity', 'null', 'undefined', 'true', '0.001', '100000', '100001', '1%20', '%D9%A1'],
  ...[
    '0000-01-01',
    '-000001-01-01T00:00:00Z',
    '%2B275760-09-13T00:00:00Z',
    '2026-02-30',
    '0000-01-01T00:00:00Z',
  ],
  ...['9999-12-31T23:59:59-23:59', '0001-01-01T00:00:00%2B14:00', 'infinity', 'now', '294277-01-01'],
  ...['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff', '%7B%7D', '%5B%5D'],
  ...[
    "'%3B%20DROP%20TABLE%20users%3B--",
    '%27',
    '%22',
    '%25',
    '_%25',
    '%24%7B7*7%7D',
    '%26',
    '%7C',
    '!',
    '(',
    '%3A*',
  ],
  ...[
    '%22unbalanced',
    '-',
    '--',
    'OR',
    '-%22%22',
    'a%20OR%20',
    '__proto__',
    'constructor',
    'toString',
    'x'.repeat(4_000),
  ],
];

/** Ways to send more than one value for a parameter. */
export const nastyQueries = (name: string): readonly string[] => [
  `${name}=1&${name}=2`,
  `${name}[]=1`,
  `${name}[a]=1`,
  `${name}[$gt]=`,
  `${name}[__proto__]=1`,
  name,
  `${name}=1;${name}=2`,
  `__proto__=1&constructor=1&__proto__[${name}]=1`,
  `=1&&&==&%00=1&%ED%A0%80=1&%=1`,
  `${name}=1&`.repeat(2_000),
];

/** Whole bodies, with their content types. */
export const nastyBodies: readonly { body: string | Buffer; headers: Readonly<Record<string, string>> }[] = [
  ...[
    '',
    ' ',
    'null',
    '[]',
    '"x"',
    '1',
    '{',
    '{"a":1}}',
    '{"a":1,"a":2}',
    '{"__proto__":null}',
    '\ufeff{}',
  ].map(json),
  ...[
    '['.repeat(100_000),
    `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`,
    `{"${'k'.repeat(100_000)}":1}`,
  ].map(json),
  json(Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])),
  json(`{"a":"${'x'.repeat(1024 * 1024)}"}`),
  ...[
    ...[
      'text/plain',
      'text/html',
      'application/xml',
      'multipart/form-data',
      'multipart/form-data; boundary=x',
    ],
    ...[
      'application/x-www-form-urlencoded',
      'application/json; charset=utf-16',
      'application/json; charset="',
    ],
    ...['application/json;;;', ';', '/', '*/*', 'application/merge-patch+json', 'x'.repeat(5_000)],
  ].map((type) => ({ body: '{}', headers: { 'content-type': type } })),
  ...['gzip', 'deflate', 'br', 'zstd', 'gzip, gzip', 'x'].map((encoding) => ({
    body: '{}',
    headers: { 'content-type': 'application/json', 'content-encoding': encoding },
  })),
];

function json(body: string | Buffer) {
  return { body, headers: { 'content-type': 'application/json' } };
}

/** Headers that we read, or that something on the way might. */
export const nastyHeaders: readonly Readonly<Record<string, string>>[] = [
  ...[
    '',
    'Bearer',
    'Bearer ',
    'Bearer a.b.c',
    'bearer x y',
    'Basic Og==',
    `Bearer ${'x'.repeat(7_000)}`,
    'Bearer é',
  ].map((authorization) => ({ authorization })),
  { authorization: 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.' },
  { authorization: 'Bearer eyJhbGciOiJFUzI1NiIsImtpZCI6Il9fcHJvdG9fXyJ9.eyJzdWIiOiJ4In0.AAAA' },
  ...[
    'svc_access_token=%',
    'svc_access_token',
    '=;;=',
    `svc_refresh_token=${'x'.repeat(7_000)}`,
    '__proto__=1',
  ].map((cookie) => ({ cookie })),
  ...['', ' ', 'x'.repeat(256), 'é', '\t', '__proto__'].map((key) => ({ 'idempotency-key': key })),
  ...['', 'x'.repeat(7_000), 'é"\\'].map((id) => ({ 'x-request-id': id })),
  ...['*', '""', 'W/"', '"a", "b"', 'x'.repeat(5_000)].map((tags) => ({ 'if-none-match': tags })),
  { 'if-modified-since': 'yesterday', range: 'bytes=5-1', 'if-range': 'x' },
  { accept: 'text/html', 'accept-encoding': 'x', 'accept-language': '*;q=NaN', 'accept-charset': 'x' },
  { 'x-forwarded-for': "'; --, 999.999.999.999", 'x-forwarded-proto': 'gopher', forwarded: 'for="' },
  { origin: 'null', referer: '\\', 'user-agent': '' },
  { origin: 'http://[', 'user-agent': 'x'.repeat(5_000) },
  { 'x-http-method-override': 'DELETE', 'x-original-url': '/', traceparent: '00-0-0-0', baggage: '=' },
];
