import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { isSigned } from '../../../../activities/providers/payments/sandbox/webhook';

const makeSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;
const [secret, other] = [makeSecret(), makeSecret()];
const now = new Date('2026-03-01T12:00:00.000Z');
const body = Buffer.from('{"type":"payment.paid","data":{"note":"grün"}}');
const id = 'evt_1';

const secondsFromNow = (seconds: number): Date => new Date(now.getTime() + seconds * 1000);
const timestampOf = (at: Date): string => String(Math.floor(at.getTime() / 1000));

/** Signed by the library that providers use. */
function signed({ by = secret, at = now, over = body, as = id } = {}) {
  return { id: as, timestamp: timestampOf(at), signature: new Webhook(by).sign(as, at, over.toString()) };
}

test('what the library of the other side signs is accepted', () => {
  expect(isSigned(body, signed(), [secret], now)).toBe(true);
});

test.each([
  ['no id', { ...signed(), id: undefined }],
  ['no timestamp', { ...signed(), timestamp: undefined }],
  ['no signature', { ...signed(), signature: undefined }],
  ['an empty signature', { ...signed(), signature: '' }],
  ['a short signature', { ...signed(), signature: 'v1,AAAA' }],
  ['a very long signature', { ...signed(), signature: `v1,${'A'.repeat(100_000)}` }],
  ['a signature without its version', { ...signed(), signature: signed().signature.slice(3) }],
  ['a signature of an unknown version', { ...signed(), signature: signed().signature.replace('v1', 'v2') }],
  ['the right signature cut by one character', { ...signed(), signature: signed().signature.slice(0, -1) }],
  ['the secret of another provider', signed({ by: other })],
  ['another id', { ...signed(), id: 'evt_2' }],
  ['another timestamp', { ...signed(), timestamp: timestampOf(secondsFromNow(1)) }],
  ['a timestamp that is no number', { ...signed(), timestamp: 'NaN' }],
  ['a timestamp with a sign', { ...signed(), timestamp: `+${timestampOf(now)}` }],
  ['another body', signed({ over: Buffer.from('{"type":"payment.paid"}') })],
])('%s is refused', (_, headers) => {
  expect(isSigned(body, headers, [secret], now)).toBe(false);
});

test('a body that was parsed and written again is refused: only the bytes count', () => {
  const spaced = Buffer.from('{ "type": "payment.paid" }');
  const headers = signed({ over: spaced });
  expect(isSigned(spaced, headers, [secret], now)).toBe(true);
  expect(isSigned(Buffer.from(JSON.stringify(JSON.parse(spaced.toString()))), headers, [secret], now)).toBe(
    false,
  );
});

test.each([
  [-301, false],
  [-300, true],
  [300, true],
  [301, false],
])('a timestamp %i s from now: accepted %s', (seconds, accepted) => {
  expect(isSigned(body, signed({ at: secondsFromNow(seconds) }), [secret], now)).toBe(accepted);
});

test('while a secret is changed, the old and the new one are good, and a header may carry both signatures', () => {
  expect(isSigned(body, signed({ by: other }), [secret, other], now)).toBe(true);
  const both = `${signed({ by: makeSecret() }).signature} ${signed().signature}`;
  expect(isSigned(body, { ...signed(), signature: both }, [secret], now)).toBe(true);
});

test('at most ten signatures are compared', () => {
  const wrong = Array.from({ length: 10 }, () => 'v1,AAAA').join(' ');
  expect(isSigned(body, { ...signed(), signature: `${wrong} ${signed().signature}` }, [secret], now)).toBe(
    false,
  );
});

test('without a secret nothing is accepted', () => {
  expect(isSigned(body, signed(), [], now)).toBe(false);
});
