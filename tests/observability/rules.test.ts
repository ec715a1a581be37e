import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { promtool } from '../support/servers/promtool';
import { alerts, folder } from './operators-view';

const unitTests = join(__dirname, 'alerts.unit.yml');

test('Prometheus takes the alert rules and its configuration', async () => {
  const rules = await promtool('check', 'rules', '--lint-fatal', join(folder, 'alerts.yml'));
  expect(rules).toEqual({
    code: 0,
    output: expect.stringContaining(`SUCCESS: ${alerts.length} rules found`),
  });
  const config = await promtool('check', 'config', '--syntax-only', join(folder, 'prometheus.yml'));
  expect(config).toMatchObject({ code: 0 });
});

test('alerts fire when they should, and only then', async () => {
  expect(await promtool('test', 'rules', unitTests)).toEqual({
    code: 0,
    output: expect.stringContaining('SUCCESS'),
  });
});

test('every alert that pages has such a test, that it fires and that it does not', () => {
  const { tests } = z
    .object({
      tests: z.array(
        z.object({
          alert_rule_test: z.array(
            z.object({ alertname: z.string(), exp_alerts: z.array(z.unknown()).optional() }),
          ),
        }),
      ),
    })
    .parse(parse(readFileSync(unitTests, 'utf8')));
  const cases = tests.flatMap(({ alert_rule_test }) => alert_rule_test);
  const named = (fires: boolean) =>
    cases.filter(({ exp_alerts = [] }) => exp_alerts.length > 0 === fires).map(({ alertname }) => alertname);
  const paging = alerts.filter(({ labels }) => labels.severity === 'page').map(({ alert }) => alert);
  expect(paging.filter((name) => !named(true).includes(name))).toEqual([]);
  expect(paging.filter((name) => !named(false).includes(name))).toEqual([]);
});
