import { z } from 'zod';
import { environment } from '../../../db/sql/config';
import { loadPlatformFile } from '../../../db/sql/environment/platform-file';
import { configurationFault, readVariables } from '../../../db/sql/environment/variables';
import { PaymentsConfig } from '../../payments/config';
import { transfersAddress } from './address';

const Variables = z.object({
  SANDBOX_SECRET: PaymentsConfig.shape.SANDBOX_SECRET,
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).default('http://localhost:3000'),
});

/** The address of the sandbox's page of transfers. Throws ConfigurationError without SANDBOX_SECRET. */
export function pageAddress(): string {
  const { SANDBOX_SECRET: secrets, PUBLIC_URL: publicUrl } = readVariables(Variables, environment());
  return transfersAddress(publicUrl, secrets[0]);
}

if (require.main === module) {
  loadPlatformFile();
  try {
    process.stdout.write(`${pageAddress()}\n`);
  } catch (error) {
    process.stderr.write(`${configurationFault(error) ?? String(error)}\n`);
    process.exitCode = 2;
  }
}
