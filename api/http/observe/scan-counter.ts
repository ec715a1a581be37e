import { Counter, type Registry } from 'prom-client';

const RESULTS = ['clean', 'infected', 'unavailable'] as const;

/** Counts a file that the virus scanner looked at, or could not look at. */
export type CountScan = (result: (typeof RESULTS)[number]) => void;

/** Registers the counter; every result has a series from the start, which is 0. */
export function scanCounter(registry: Registry): CountScan {
  const scans = new Counter({
    name: 'virus_scans_total',
    help: 'Uploaded files by the result of the virus scanner; unavailable: it gave none, and the file was refused.',
    labelNames: ['result'] as const,
    registers: [registry],
  });
  for (const result of RESULTS) scans.inc({ result }, 0);
  return (result) => scans.inc({ result });
}
