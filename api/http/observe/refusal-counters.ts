import { Counter, type Registry } from 'prom-client';
import type { Endpoint } from '../endpoint';

/** Counts the refusal of a request to an endpoint that has a `refusalCounter`. */
export type CountRefusal = (endpoint: Endpoint, code: string) => void;

/** Registers the counters of these endpoints. Each of their codes has a series from the start, which is 0. */
export function refusalCounters(registry: Registry, endpoints: readonly Endpoint[]): CountRefusal {
  const counters = new Map<Endpoint, Counter<'code'>>();
  for (const endpoint of endpoints) {
    if (!endpoint.refusalCounter) continue;
    const { name, help } = endpoint.refusalCounter;
    const counter = new Counter({ name, help, labelNames: ['code'] as const, registers: [registry] });
    for (const code of Object.keys(endpoint.errors)) counter.inc({ code }, 0);
    counters.set(endpoint, counter);
  }
  return (endpoint, code) => {
    if (code in endpoint.errors) counters.get(endpoint)?.inc({ code });
  };
}
