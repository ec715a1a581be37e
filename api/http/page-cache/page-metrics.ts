import { Counter, Gauge, type Registry } from 'prom-client';
import type { CataloguePages } from './catalogue-pages';

/** What Prometheus may know of the kept pages. */
export function addPageMetrics(registry: Registry, pages: CataloguePages): void {
  const registers = [registry];
  const counted = new Map<string, number>();
  new Counter({
    name: 'catalogue_cache_requests_total',
    help: 'Requests for pages of the catalogue: kept (hit), prepared for another at the same time (joined), prepared (miss), or past the cache because changes cannot be heard (bypass).',
    labelNames: ['outcome'],
    registers,
    collect() {
      for (const [outcome, times] of Object.entries(pages.outcomes)) {
        this.inc({ outcome }, times - (counted.get(outcome) ?? 0));
        counted.set(outcome, times);
      }
    },
  });
  new Gauge({
    name: 'catalogue_cache_pages',
    help: 'Pages of the catalogue that are kept.',
    registers,
    collect() {
      this.set(pages.size);
    },
  });
  new Gauge({
    name: 'catalogue_cache_bytes',
    help: 'Memory that kept pages and their addresses take, about.',
    registers,
    collect() {
      this.set(pages.bytes);
    },
  });
}
