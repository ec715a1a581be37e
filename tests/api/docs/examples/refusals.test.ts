import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import {
  recordedRefusals,
  refusalExample,
  type RefusalExample,
} from '../../../../api/docs/examples/refusals';
import { nameOf } from '../../../../api/docs/examples/requests';
import { endpoints } from '../../../../api/endpoints';
import { errorsOf } from '../../../../api/http/answer/errors';
import type { Endpoint } from '../../../../api/http/endpoint';
import { ERROR_CODES } from '../../../../workflows/error-codes';
import type { ErrorCode } from '../../../../workflows/errors';
import { listedMessages } from '../../../architecture/messages/listed-messages';
import { normalised } from './normalise';

/** The folder of tests/api/docs/examples/record-refusals.cjs. */
const folder = join(tmpdir(), 'recorded-refusals');
const FILE = resolve(__dirname, '../../../../api/docs/examples/refused.json');

interface Answered {
  method: string;
  path: string;
  error: RefusalExample & { code: ErrorCode };
}

const patterns = endpoints.map((endpoint) => ({
  endpoint,
  pattern: new RegExp(`^/api/v1${endpoint.path.replace(/:\w+/g, '[^/]+')}/?$`),
}));

const endpointOf = ({ method, path }: Answered): Endpoint | undefined =>
  patterns.find(({ endpoint, pattern }) => endpoint.method === method.toLowerCase() && pattern.test(path))
    ?.endpoint;

const codesOf = (endpoint: Endpoint): ErrorCode[] => Object.keys(errorsOf(endpoint)) as ErrorCode[];

const listed = listedMessages().byCode;
const escaped = (text: string): string => text.replace(/[$()*+.?[\\\]^|]/g, '\\$&');

/** True if the code of the platform, and not only a test's own endpoint, gives this message. */
const isListed = (code: string, message: string): boolean =>
  (listed.get(code) ?? []).some((known) =>
    new RegExp(`^${escaped(known).replace(/\{[^}]*\}/g, '.+')}$`, 's').test(message),
  );

/** A message of the code that holds no values of the moment. */
const plainMessageOf = (code: string): string | undefined =>
  listed.get(code)?.find((message) => !message.includes('{'));

/** Short messages first, so that the choice does not depend on the order of tests. */
const byLength = (one: string, other: string): number =>
  one.length - other.length || (one < other ? -1 : one > other ? 1 : 0);

/** The recorded refusals: one of each endpoint and code, and of each code the one that most endpoints give. */
function assembled(answers: readonly Answered[]): typeof recordedRefusals {
  const texts = new Map<string, Map<string, Set<string>>>();
  for (const answer of answers) {
    const { code, message, reason, details } = answer.error;
    const endpoint = endpointOf(answer);
    if (!isListed(code, message) || (endpoint && !codesOf(endpoint).includes(code))) continue;
    const text = JSON.stringify(
      normalised({ message, ...(reason && { reason }), ...(details && { details }) }, Date.now()),
    );
    const places = texts.get(code) ?? new Map<string, Set<string>>();
    texts.set(code, places.set(text, (places.get(text) ?? new Set()).add(endpoint ? nameOf(endpoint) : '')));
  }
  const byCode: Record<string, RefusalExample> = {};
  const byEndpoint: Record<string, Record<string, RefusalExample>> = {};
  for (const code of [...texts.keys()].sort()) {
    const places = [...texts.get(code)!];
    const usual = places.sort(
      ([one, of], [other, ofOther]) => ofOther.size - of.size || byLength(one, other),
    )[0]![0];
    byCode[code] = JSON.parse(usual) as RefusalExample;
    for (const name of endpoints.map(nameOf)) {
      const own = places.filter(([, of]) => of.has(name)).map(([text]) => text);
      if (own.length > 0 && !own.includes(usual))
        (byEndpoint[name] ??= {})[code] = JSON.parse(own.sort(byLength)[0]!) as RefusalExample;
    }
  }
  for (const code of new Set(endpoints.flatMap(codesOf))) {
    const message = plainMessageOf(code);
    if (byCode[code] === undefined && message !== undefined) byCode[code] = { message };
  }
  return { byCode, byEndpoint };
}

if (process.env['RECORD_EXAMPLES'] === 'refusals')
  test('records what the tests of this machine were refused with', () => {
    const lines = readdirSync(folder).flatMap((name) =>
      readFileSync(join(folder, name), 'utf8').trim().split('\n'),
    );
    const answers = lines.map((line) => JSON.parse(line) as Answered);
    writeFileSync(FILE, `${JSON.stringify(assembled(answers), null, 2)}\n`);
  });
else
  describe('the refusals in the document', () => {
    test('every code of every endpoint has a recorded message', () => {
      const codes = new Set(endpoints.flatMap(codesOf));
      expect([...codes].filter((code) => recordedRefusals.byCode[code] === undefined)).toEqual([]);
    });

    test('every recorded message is of a code that exists, and of an endpoint that has it', () => {
      const known: readonly string[] = ERROR_CODES;
      expect(Object.keys(recordedRefusals.byCode).filter((code) => !known.includes(code))).toEqual([]);
      const gone = Object.entries(recordedRefusals.byEndpoint).flatMap(([name, refusals]) => {
        const endpoint = endpoints.find((one) => nameOf(one) === name);
        const codes: string[] = endpoint ? codesOf(endpoint) : [];
        return Object.keys(refusals).flatMap((code) => (codes.includes(code) ? [] : [`${name} ${code}`]));
      });
      expect(gone).toEqual([]);
    });

    test('every message in the document is one that the platform gives with this code', () => {
      const wrong = endpoints.flatMap((endpoint) =>
        codesOf(endpoint).flatMap((code) => {
          const { message } = refusalExample(endpoint, code);
          return isListed(code, message) ? [] : [`${nameOf(endpoint)} ${code}: ${message}`];
        }),
      );
      expect([...new Set(wrong)]).toEqual([]);
    });

    test('an example of invalid fields is what the contract itself says', () => {
      const endpoint = endpoints.find(({ path }) => path === '/cart/checkout')!;
      const { details } = refusalExample(endpoint, 'VALIDATION_ERROR');
      expect(Object.keys(details!).sort()).toEqual([
        'paymentMethod',
        'shippingAddressId',
        'shippingMethodId',
      ]);
    });
  });
