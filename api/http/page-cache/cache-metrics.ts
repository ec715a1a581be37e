import { Counter, Gauge, type Registry } from 'prom-client';
import type { CatalogueCache } from './catalogue-cache';

/** Adds the metrics of the cache to the registry. */
export function addCacheMetrics(registry: Registry, cache: CatalogueCache): void {
  const registers = [registry];
  const counted = new Map<string, number>();
  new Counter({
    name: 'catalogue_cache_requests_total',
    help: 'Requests for catalogue pages: cached (hit), prepared together with a concurrent request (joined), prepared (miss), or not cached because changes cannot be received (bypass).',
    labelNames: ['outcome'],
    registers,
    collect() {
      for (const [outcome, times] of Object.entries(cache.outcomes)) {
        this.inc({ outcome }, times - (counted.get(outcome) ?? 0));
        counted.set(outcome, times);
      }
    },
  });
  new Gauge({
    name: 'catalogue_cache_pages',
    help: 'Catalogue pages in the cache.',
    registers,
    collect() {
      this.set(cache.size);
    },
  });
  new Gauge({
    name: 'catalogue_cache_bytes',
    help: 'Approximate memory of the cached catalogue pages and their URLs.',
    registers,
    collect() {
      this.set(cache.bytes);
    },
  });
}
