import { z } from 'zod';
import { ConfigurationError } from '../../../db/sql/environment/variables';
import { Clamav, type ClamavAddress } from './clamav';
import type { VirusScanner } from './port';

const HOST_AND_PORT = /^\[?([^\s[\]/]+?)\]?:(\d{1,5})$/;

/** The environment variables of the virus scanner; a part of the API's configuration. */
export const ScannerConfig = z.object({
  VIRUS_SCANNER: z.enum(['none', 'clamav']).default('none'),
  /** The address on which clamd listens; null without one. */
  CLAMAV_ADDRESS: z
    .string()
    .default('')
    .transform((text, ctx): ClamavAddress | null => {
      if (text === '') return null;
      if (text.startsWith('/')) return { path: text };
      const [, host, port] = HOST_AND_PORT.exec(text) ?? [];
      if (host !== undefined && Number(port) >= 1 && Number(port) <= 65_535)
        return { host, port: Number(port) };
      ctx.addIssue({ code: 'custom', message: 'must be host:port, or the path of a socket' });
      return z.NEVER;
    }),
});

/** Requires the address of a scanner that is in use. Throws an error that names the missing variable. */
export function requireScannerAddress(config: z.output<typeof ScannerConfig>): void {
  if (config.VIRUS_SCANNER === 'clamav' && config.CLAMAV_ADDRESS === null)
    throw new ConfigurationError('VIRUS_SCANNER is clamav, so CLAMAV_ADDRESS must be set.');
}

/** The scanner that is in use; undefined if there is none. */
export function scannerOf(config: z.output<typeof ScannerConfig>): VirusScanner | undefined {
  const { VIRUS_SCANNER: driver, CLAMAV_ADDRESS: address } = config;
  return driver === 'clamav' && address ? new Clamav(address) : undefined;
}
