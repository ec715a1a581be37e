import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

export const root = resolve(__dirname, '../..');
/** The files for Prometheus and Grafana. */
export const folder = join(root, 'workers/observability');
const read = (path: string): string => readFileSync(join(folder, path), 'utf8');

const Rules = z.strictObject({
  groups: z.array(
    z.strictObject({
      name: z.string(),
      rules: z.array(
        z.strictObject({
          alert: z.string(),
          expr: z.string(),
          for: z.string().optional(),
          labels: z.strictObject({ severity: z.enum(['page', 'ticket']) }),
          annotations: z.strictObject({ summary: z.string() }),
        }),
      ),
    }),
  ),
});

export const alerts = Rules.parse(parse(read('alerts.yml'))).groups.flatMap(({ rules }) => rules);

/** The jobs that Prometheus scrapes. */
export const jobs = z
  .object({ scrape_configs: z.array(z.object({ job_name: z.string() })) })
  .parse(parse(read('prometheus.yml')))
  .scrape_configs.map(({ job_name }) => job_name);

const Datasource = z.strictObject({ type: z.literal('prometheus'), uid: z.literal('${datasource}') });
const COLUMNS = 24;
const position = { h: z.int().min(1), w: z.int().min(1).max(COLUMNS), x: z.int().min(0), y: z.int().min(0) };
const GridPos = z.strictObject(position).refine(({ x, w }) => x + w <= COLUMNS, 'ends within the page');

/** A heading, under which the panels up to the next one stand. */
const Row = z.strictObject({
  id: z.int().positive(),
  type: z.literal('row'),
  title: z.string().min(1),
  collapsed: z.literal(false),
  gridPos: GridPos,
  panels: z.tuple([]),
});

const Panel = z.strictObject({
  id: z.int().positive(),
  type: z.enum(['timeseries', 'stat']),
  title: z.string().min(1),
  datasource: Datasource,
  gridPos: GridPos,
  fieldConfig: z.strictObject({
    // Units of Grafana: counts, a second, seconds, bytes, parts of one.
    defaults: z.strictObject({
      unit: z.enum(['short', 'reqps', 'ops', 's', 'bytes', 'percentunit']),
      min: z.int().optional(),
    }),
    overrides: z.tuple([]),
  }),
  targets: z
    .array(
      z.strictObject({
        refId: z.string().regex(/^[A-Z]$/),
        expr: z.string().min(1),
        legendFormat: z.string().min(1),
      }),
    )
    .min(1),
});

/** The part of Grafana's dashboard model (schema version 39) that ours use; Grafana publishes no schema of it as a package. */
export const Dashboard = z.strictObject({
  title: z.string().startsWith('Marketplace: '),
  uid: z.string().regex(/^marketplace-[a-z]+$/),
  schemaVersion: z.literal(39),
  version: z.int(),
  editable: z.boolean(),
  refresh: z.string().regex(/^\d+s$/),
  tags: z.array(z.string()),
  time: z.strictObject({ from: z.string(), to: z.literal('now') }),
  timezone: z.literal('browser'),
  annotations: z.strictObject({ list: z.tuple([]) }),
  templating: z.strictObject({
    list: z.tuple([
      z.strictObject({
        name: z.literal('datasource'),
        label: z.string(),
        type: z.literal('datasource'),
        query: z.literal('prometheus'),
        hide: z.literal(0),
        refresh: z.literal(1),
      }),
    ]),
  }),
  panels: z.array(z.discriminatedUnion('type', [Row, Panel])).min(1),
});

/** The dashboards as JSON, by the names of their files. */
export const dashboardFiles: Readonly<Record<string, unknown>> = Object.fromEntries(
  readdirSync(join(folder, 'dashboards')).map((name) => [name, JSON.parse(read(`dashboards/${name}`))]),
);

/** The expressions of a dashboard that fits the schema. */
const expressionsOf = (dashboard: unknown): string[] =>
  Dashboard.parse(dashboard).panels.flatMap((panel) =>
    panel.type === 'row' ? [] : panel.targets.map(({ expr }) => expr),
  );

/** Every expression of the rules and the dashboards. */
export const expressions = [
  ...alerts.map(({ expr }) => expr),
  ...Object.values(dashboardFiles).flatMap(expressionsOf),
];
