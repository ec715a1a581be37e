import { generateKeyPairSync } from 'node:crypto';
import { ExternalConfig } from '../../../../api/http/auth/external/config';

/** The values of EXTERNAL_PROVIDERS. */
const pemOf = (namedCurve: string): string =>
  generateKeyPairSync('ec', { namedCurve }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const key = { teamId: 'TEAM123456', keyId: 'KEY1234567', privateKey: pemOf('P-256') };
const client = { issuer: 'https://accounts.example', clientId: 'shop' };

const parsed = (provider: object) =>
  ExternalConfig.safeParse({ EXTERNAL_PROVIDERS: JSON.stringify({ company: { ...client, ...provider } }) });

test.each([
  ['a secret', { clientSecret: 'x' }],
  ['a key', { clientKey: key }],
  [
    'a key whose lines are as Windows ends them',
    { clientKey: { ...key, privateKey: key.privateKey.replaceAll('\n', '\r\n') } },
  ],
  ['a way to answer and a scope', { clientSecret: 'x', responseMode: 'form_post', scope: 'openid email' }],
])('a provider with %s is taken', (_, provider) => {
  expect(parsed(provider).success).toBe(true);
});

test.each([
  ['neither secret nor key', {}, 'must have a clientSecret or a clientKey'],
  ['both', { clientSecret: 'x', clientKey: key }, 'must have a clientSecret or a clientKey'],
  ['an unknown way to answer', { clientSecret: 'x', responseMode: 'fragment' }, 'Invalid option'],
  ['no key', { clientKey: { ...key, privateKey: 'x' } }, 'must be a private key of the curve P-256 in PEM'],
  ['a key of another curve', { clientKey: { ...key, privateKey: pemOf('P-384') } }, 'of the curve P-256'],
])('a provider with %s is refused, and the message holds no secret', (_, provider, message) => {
  const text = JSON.stringify(parsed(provider).error?.issues);
  expect(text).toContain(message);
  expect(text).not.toContain('PRIVATE KEY');
});
