import { z } from 'zod';
import type { AllowedAddresses } from '../../../workflows/investment/provider-address.rules';
import { isSandboxAllowed } from '../../policy/production';
import { PaymentsMode, Switch } from '../../sql/config';
import { ConfigurationError } from '../../sql/environment/variables';

const PORTS = /^\d{1,5}(\s*,\s*\d{1,5})*$/;

/** The variables that decide which addresses of investment providers are called, for API and workers. */
export const ProviderAddressConfig = z.object({
  ...PaymentsMode.shape,
  /** Allows plain HTTP, every port and private hosts, for development and tests; production refuses it. */
  PROVIDER_PRIVATE_ADDRESSES: Switch.default(false),
  /** The ports that may be called. */
  PROVIDER_PORTS: z
    .string()
    .regex(PORTS, 'must be port numbers, parted by commas')
    .transform((list) => list.split(',').map(Number))
    .pipe(z.array(z.number().min(1).max(65_535)))
    .default([443]),
});

export type ProviderAddressConfig = z.output<typeof ProviderAddressConfig>;

/** The addresses that the variables allow. Throws where production would call private addresses without permission. */
export function addressesAllowedBy(config: ProviderAddressConfig): AllowedAddresses {
  const { PROVIDER_PRIVATE_ADDRESSES: isPrivateAllowed, PROVIDER_PORTS: ports } = config;
  if (isPrivateAllowed && !isSandboxAllowed(config))
    throw new ConfigurationError(
      'PROVIDER_PRIVATE_ADDRESSES lets providers name hosts of this network: unset it, or set ALLOW_SANDBOX_PAYMENTS=true to try the platform out.',
    );
  return { isPrivateAllowed, ports };
}
