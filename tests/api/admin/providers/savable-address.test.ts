import { requireSavableAddress } from '../../../../api/admin/providers/savable-address';
import { refusalIn } from '../../../../workflows/errors';

const strict = { isPrivateAllowed: false, ports: [443] };
const leadingTo =
  (...addresses: string[]) =>
  () =>
    Promise.resolve(addresses.map((address) => ({ address })));

async function refusedFor(addresses: string[], allowed = strict): Promise<unknown> {
  try {
    await requireSavableAddress('ssoUrl', 'https://gamma.example/api', allowed, leadingTo(...addresses));
    return null;
  } catch (error) {
    return refusalIn(error);
  }
}

test('a host with public addresses may be saved', async () => {
  expect(await refusedFor(['93.184.216.34', '2606:4700:4700::1111'])).toBeNull();
});

test.each([
  '127.0.0.1',
  '10.0.0.1',
  '169.254.169.254',
  '::1',
  '::ffff:10.0.0.1',
  'fd00::1',
  '64:ff9b::a00:1',
])('ADDRESS_NOT_PUBLIC: a host that leads to %s, even next to public ones', async (address) => {
  expect(await refusedFor(['93.184.216.34', address])).toMatchObject({
    code: 'VALIDATION_ERROR',
    reason: 'ADDRESS_NOT_PUBLIC',
    details: { ssoUrl: ['must lead to a public host'] },
  });
});

test('where private hosts are allowed, nothing is looked up', async () => {
  const lookup = jest.fn(leadingTo('127.0.0.1'));
  await requireSavableAddress(
    'apiBase',
    'http://localhost:4000',
    { ...strict, isPrivateAllowed: true },
    lookup,
  );
  expect(lookup).not.toHaveBeenCalled();
});

test('a host that cannot be resolved now may be saved: each connection checks it', async () => {
  const lost = () => Promise.reject(new Error('EAI_AGAIN'));
  await expect(
    requireSavableAddress('apiBase', 'https://gamma.example', strict, lost),
  ).resolves.toBeUndefined();
});

test('a resolver that does not answer holds nobody up', async () => {
  const silent = () => new Promise<never>(() => undefined);
  await expect(
    requireSavableAddress('apiBase', 'https://gamma.example', strict, silent),
  ).resolves.toBeUndefined();
});
