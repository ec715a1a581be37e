import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { compose } from '../architecture/compose/compose';
import { Dashboard, dashboardFiles, folder } from '../observability/operators-view';

const names = Object.keys(dashboardFiles);
const dashboards = names.map((name) => Dashboard.safeParse(dashboardFiles[name]));

test('there are those of the platform, of processes and of money, each as Grafana reads it', () => {
  expect(names.sort()).toEqual(['money.json', 'platform.json', 'processes.json']);
  expect(dashboards.map(({ error }) => error?.message)).toEqual(names.map(() => undefined));
  expect(new Set(dashboards.map(({ data }) => data?.uid)).size).toBe(names.length);
});

test.each(names)('%s: panels have ids and letters of their own, and do not overlap', (name) => {
  const { panels } = Dashboard.parse(dashboardFiles[name]);
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)},${y + Math.floor(cell / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
  for (const panel of panels)
    if (panel.type !== 'row')
      expect(new Set(panel.targets.map(({ refId }) => refId)).size).toBe(panel.targets.length);
});

test('Prometheus and Grafana start with their profile only', () => {
  for (const name of ['prometheus', 'grafana'])
    expect([name, compose.services[name]?.profiles]).toEqual([name, ['observability']]);
});

test('every file that Grafana and Prometheus are given is there, where their own settings look for it', () => {
  const mounted = ['prometheus', 'grafana'].flatMap((name) =>
    (compose.services[name]?.volumes ?? [])
      .filter((volume) => volume.startsWith('./'))
      .map((volume) => volume.split(':') as [string, string, string]),
  );
  const sources = new Map(mounted.map(([source, target]) => [target, source]));
  const read = (source = '') => readFileSync(join(folder, '../..', source), 'utf8');
  expect(mounted.every(([, , mode]) => mode === 'ro')).toBe(true);
  const prometheus = parse(read(sources.get('/etc/prometheus/prometheus.yml'))) as { rule_files: string[] };
  expect(prometheus.rule_files.map((file) => sources.get(file))).toEqual([
    './workers/observability/alerts.yml',
  ]);
  const providers = parse(read(sources.get('/etc/grafana/provisioning/dashboards/marketplace.yml'))) as {
    providers: { options: { path: string } }[];
  };
  expect(providers.providers.map(({ options }) => sources.get(options.path))).toEqual([
    './workers/observability/dashboards',
  ]);
  const home = compose.services['grafana']?.environment['GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH'] ?? '';
  expect(names.map((name) => `${providers.providers[0]?.options.path}/${name}`)).toContain(home);
  const datasources = parse(read(sources.get('/etc/grafana/provisioning/datasources/marketplace.yml'))) as {
    datasources: { url: string }[];
  };
  expect(datasources.datasources.map(({ url }) => url)).toEqual(['http://prometheus:9090']);
});

test('Prometheus scrapes each program of Compose at the port of its metrics, and reaches it inside', () => {
  const { scrape_configs: jobs } = parse(readFileSync(join(folder, 'prometheus.yml'), 'utf8')) as {
    scrape_configs: {
      dns_sd_configs?: { names: string[]; port: number }[];
      static_configs?: { targets: string[] }[];
    }[];
  };
  const targets = jobs.flatMap(({ dns_sd_configs: found = [], static_configs: fixed = [] }) => [
    ...found.flatMap(({ names: services, port }) => services.map((service) => `${service}:${port}`)),
    ...fixed.flatMap(({ targets: named }) => named),
  ]);
  const portOf = (service: string, variable: string) =>
    `${service}:${compose.services[service]?.environment[variable]?.replace(/^.*:/, '')}`;
  const workers = ['worker-interactive', 'worker-background'];
  expect(targets.sort()).toEqual(
    [
      portOf('api', 'METRICS_PORT'),
      ...workers.map((worker) => portOf(worker, 'WORKER_METRICS_PORT')),
      ...workers.map((worker) => portOf(worker, 'WORKER_HEALTH_PORT')),
      portOf('temporal', 'PROMETHEUS_ENDPOINT'),
      '127.0.0.1:9090',
    ].sort(),
  );
  const reached = compose.services['prometheus']?.networks ?? [];
  for (const name of ['api', ...workers, 'temporal'])
    expect(compose.services[name]?.networks.some((network) => reached.includes(network))).toBe(true);
  // Neither reaches the public side, and Grafana not the databases.
  expect(reached).not.toContain('edge');
  expect(compose.services['grafana']?.networks).toEqual(['ops']);
});
