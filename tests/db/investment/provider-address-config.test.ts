import { addressesAllowedBy, ProviderAddressConfig } from '../../../db/investment/provider/config';

const allowedBy = (variables: Record<string, string>) =>
  addressesAllowedBy(ProviderAddressConfig.parse(variables));

test('public hosts at the usual port, unless configured', () => {
  expect(allowedBy({})).toEqual({ isPrivateAllowed: false, ports: [443] });
  expect(allowedBy({ NODE_ENV: 'production' }).isPrivateAllowed).toBe(false);
  expect(allowedBy({ PROVIDER_PORTS: '443, 8443' }).ports).toEqual([443, 8443]);
  expect(allowedBy({ PROVIDER_PRIVATE_ADDRESSES: 'true' }).isPrivateAllowed).toBe(true);
});

test('production refuses private hosts, unless the platform is only tried out', () => {
  const production = { NODE_ENV: 'production', PROVIDER_PRIVATE_ADDRESSES: 'true' };
  expect(() => allowedBy(production)).toThrow(/^PROVIDER_PRIVATE_ADDRESSES .* ALLOW_SANDBOX_PAYMENTS=true/);
  expect(allowedBy({ ...production, ALLOW_SANDBOX_PAYMENTS: 'true' }).isPrivateAllowed).toBe(true);
});

test.each(['https', '0', '65536', '443,', '443;80', '-1'])('PROVIDER_PORTS is not %s', (PROVIDER_PORTS) => {
  expect(ProviderAddressConfig.safeParse({ PROVIDER_PORTS }).success).toBe(false);
});
