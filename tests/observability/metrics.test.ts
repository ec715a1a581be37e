import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../local/machine/ports';
import { eventually } from '../support/checks/eventually';
import { startKillingWorld } from '../support/worlds/killing-world';
import { make } from '../support/builders/make';
import { press } from '../support/builders/sandbox';
import { shopper } from '../support/builders/shop';
import { alerts, expressions, jobs, root } from './operators-view';
import { refunded } from './refunded';
import { familiesIn, selectorsOf, metricsOf, type Family } from './prometheus';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** All pages of the real programs after an order that was paid and refunded, and one that was declined. */
let families: Family[];
let apiPage: string;
beforeAll(async () => {
  const [apiPort, sdkPort] = [await freePort(), await freePort()];
  const world = await startKillingWorld({
    variables: { METRICS_PORT: String(apiPort), WORKER_METRICS_PORT: String(sdkPort) },
  });
  const scrape = async (url: string): Promise<string> => (await fetch(`${url}/metrics`)).text();
  try {
    const product = await make.product(world.db, { stock: 9 });
    const goods = [{ productId: product.id }];
    const ada = await shopper(world, goods);
    const { orderId, payment } = await ada.order();
    await press(world, payment.paymentUrl!, 'pay');
    await refunded(world, ada, orderId);
    const bob = await shopper(world, goods);
    const declined = await bob.order();
    await press(world, declined.payment.paymentUrl!, 'decline');
    await eventually(async () => {
      const { body } = await bob.get(`/orders/${declined.orderId}`);
      expect(body.data.paymentStatus).toBe('FAILED');
    });
    expect((await bob.checkout()).body.error.code).toBe('CART_EMPTY');
    await world.http.post('/api/v1/auth/login').send({ email: ada.buyer.email, password: 'wrong' });
    for (const path of ['/health/live', '/api/docs/', '/api/v1/nothing']) await world.http.get(path);
    apiPage = await scrape(`http://127.0.0.1:${apiPort}`);
    const pages = [apiPage, await scrape(world.workerUrl), await scrape(`http://127.0.0.1:${sdkPort}`)];
    families = [...pages.flatMap(familiesIn), prometheusOwn];
  } finally {
    await world.teardown();
  }
});

/** The metric that Prometheus itself adds: whether each job is reached. */
const prometheusOwn: Family = {
  name: 'up',
  type: 'gauge',
  help: 'Whether a target was scraped.',
  series: jobs.map((job) => ({ text: `up{job="${job}"}`, labels: { job }, value: 1 })),
};

/** The value of a series; null if there is none. */
function value(series: string): number | null {
  const found = families.flatMap((family) => family.series).find(({ text }) => text === series);
  return found ? found.value : null;
}

test('the business is counted', () => {
  expect(value('platform_orders_placed{window="hour"}')).toBe(2);
  expect(value('platform_orders_paid{window="day"}')).toBe(1);
  expect(value('platform_payments_declined{window="hour"}')).toBe(1);
  expect(value('platform_registrations{window="hour"}')).toBeGreaterThanOrEqual(2);
  expect(value('platform_refunds_completed{window="hour",currency="USD"}')).toBe(1);
  expect(value('platform_refunds_completed_amount_minor{window="day",currency="USD"}')).toBeGreaterThan(0);
  expect(value('platform_orders_refused_total{code="CART_EMPTY"}')).toBe(1);
  expect(value('platform_orders_refused_total{code="PRICE_CHANGED"}')).toBe(0);
  expect(value('platform_logins_failed_total{code="INVALID_CREDENTIALS"}')).toBe(1);
  expect(value('security_events_total{event="login",outcome="failure"}')).toBe(1);
});

describe('names follow the rules of promtool', () => {
  /** Gauges of prom-client with the suffix of a counter; the library keeps them for its users. */
  const LIBRARY = /^nodejs_active_\w+_total$/;
  const ours = (): Family[] => families.filter(({ name }) => !LIBRARY.test(name));
  const names = (chosen: readonly Family[]): string[] => chosen.map(({ name }) => name);

  test('counters end in _total, and nothing else does', () => {
    expect(
      names(ours().filter(({ name, type }) => (type === 'counter') !== name.endsWith('_total'))),
    ).toEqual([]);
  });

  test('units are base units, names lower case, and each family has a type and a help text', () => {
    const odd = /_(ms|milliseconds|minutes|hours|days|kilobytes|megabytes|percent|cents)(_|$)|[A-Z]|__/;
    expect(names(ours()).filter((name) => odd.test(name))).toEqual([]);
    expect(names(ours().filter(({ type }) => type === 'untyped'))).toEqual([]);
    expect(names(ours().filter(({ name, help }) => help === '' && !name.startsWith('temporal_')))).toEqual(
      [],
    );
  });

  test('no label value of ours has a space, and none is a path, an id or an address', () => {
    const values = families
      .filter(({ name }) => !name.startsWith('temporal_'))
      .flatMap(({ series }) => series.flatMap(({ labels }) => Object.values(labels)));
    expect(values.length).toBeGreaterThan(100);
    expect(values.filter((label) => /\s|@|[0-9a-f]{8}-[0-9a-f]{4}/.test(label))).toEqual([]);
  });

  test('durations of requests cost one series a bucket for each class of status, not for each status and code', () => {
    const requests = families.find(({ name }) => name === 'http_requests_total')!.series;
    const of = (...labels: string[]) =>
      new Set(requests.map((each) => labels.map((label) => each.labels[label]).join(' '))).size;
    const buckets = families
      .find(({ name }) => name === 'http_request_duration_seconds')!
      .series.filter(({ text }) => text.startsWith('http_request_duration_seconds_bucket'));
    expect(buckets.length / 12).toBeLessThanOrEqual(of('method', 'route', 'status'));
    expect(new Set(buckets.map(({ labels }) => Object.keys(labels).sort().join())).size).toBe(1);
    expect(buckets[0]!.labels).toEqual(
      expect.objectContaining({ status_class: expect.stringMatching(/^\dxx$/) }),
    );
  });

  test('each page has a route of its own', () => {
    for (const route of ['/health', '/api/docs', '/sandbox', 'unmatched'])
      expect(apiPage).toContain(`,route="${route}",`);
  });
});

describe('alert rules and dashboards', () => {
  test('use metrics that are scraped', () => {
    const known = new Set(
      families.flatMap(({ name, type }) =>
        type === 'histogram' ? [name, `${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
      ),
    );
    expect(expressions.flatMap(metricsOf).filter((name) => !known.has(name))).toEqual([]);
    expect(expressions.flatMap(metricsOf).length).toBeGreaterThan(100);
  });

  test('show every figure of the platform', () => {
    const used = new Set(expressions.flatMap(metricsOf));
    const figures = families.map(({ name }) => name).filter((name) => name.startsWith('platform_'));
    expect(figures.filter((name) => !used.has(name))).toEqual([]);
    expect(figures.length).toBeGreaterThan(50);
  });

  test('select labels that exist, and series that are there before anything happens', () => {
    const selectors = expressions.flatMap(selectorsOf);
    const missing = selectors.filter(({ name, equal, labels }) => {
      const series = families
        .filter((family) => name.startsWith(family.name))
        .flatMap((family) => family.series);
      return !series.some(
        (each) =>
          labels.every((label) => label in each.labels) &&
          Object.entries(equal).every(([label, wanted]) => each.labels[label] === wanted),
      );
    });
    expect(missing).toEqual([]);
    expect(selectors.length).toBeGreaterThan(10);
  });

  test('the runbook has every alert with its severity, and no other', () => {
    const told = [...read('workers/OPERATING.md').matchAll(/^- `(\w+)` \((page|ticket)\): /gm)];
    expect(told.map(([, name, severity]) => `${name} ${severity}`).sort()).toEqual(
      alerts.map(({ alert, labels }) => `${alert} ${labels.severity}`).sort(),
    );
  });

  test('every metric that the documents name is scraped', () => {
    const documents = [
      'README.md',
      'workers/OPERATING.md',
      'workers/README.md',
      'local/README.md',
      'api/README.md',
    ];
    const known = families.map(({ name }) => name);
    const named = documents
      .filter((path) => existsSync(join(root, path)))
      .flatMap((path) => read(path).match(/\b(?:platform|db|http|security)_[a-z_]+\b/g) ?? []);
    expect(named.filter((name) => !known.includes(name))).toEqual([]);
    expect(named).toContain('http_requests_total');
  });
});
