import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { roomsImportingEachOther, type ImportingFile } from './rooms';

const run = promisify(execFile);
const root = resolve(__dirname, '../../..');
const layers = jest.requireActual<{ forbidden: { name: string }[] }>('./layers.cjs');
const folders = ['api', 'workflows', 'activities', 'workers', 'db', 'local'];

const LETTERS = 'letters are pure: they import nothing but rules, states and each other';
const TRANSACTIONS =
  'a use case opens its transaction: activities, commands of the API, and the kits that keep claims';
const SIDE_EFFECTS = 'db holds statements: it neither audits nor queues messages';
const PURE = 'webhooks, messages and variables of providers are pure: api imports them';
const REFUSALS = 'db holds statements: it refuses nothing';

interface Violation {
  from: string;
  to: string;
  rule: { name: string };
}

/** The imports of a tree, and the rules that they break, as `rule: from -> to`. */
async function cruise(tree: string): Promise<{ files: ImportingFile[]; violations: string[] }> {
  const depcruise = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const config = join(__dirname, 'layers.cjs');
  const args = [depcruise, '--config', config, '--output-type', 'json', ...folders];
  const { stdout } = await run(process.execPath, args, { cwd: tree, maxBuffer: 1 << 28 });
  const { modules, summary }: { modules: ImportingFile[]; summary: { violations: Violation[] } } =
    JSON.parse(stdout);
  const violations = summary.violations.map(({ from, to, rule }) => `${rule.name}: ${from} -> ${to}`);
  return { files: modules, violations };
}

const violationsIn = async (tree: string): Promise<string[]> => (await cruise(tree)).violations;

describe('the code', () => {
  let code: Awaited<ReturnType<typeof cruise>>;
  beforeAll(async () => {
    code = await cruise(root);
  });

  test('follows the arrows with every import', () => {
    expect(code.violations).toEqual([]);
  });

  test('has no rooms that import each other, but for those that are known', () => {
    expect(roomsImportingEachOther(code.files)).toEqual([
      // An account shows its second factor, and a change of the account locks both.
      'api/auth <-> api/users',
      // A connection carries the keys of what is sealed in its rows.
      'db/sealing <-> db/sql',
      // A refund tells the fulfilment of its order, which itself sends refunds when an order is cancelled.
      'workflows/commerce/fulfilment <-> workflows/commerce/refund',
    ]);
  });
});

test('rooms that import each other are found, also by folders within them', () => {
  expect(
    roomsImportingEachOther([
      { source: 'db/a/b/c/x.ts', dependencies: [{ resolved: 'db/a/d/y.ts' }, { resolved: 'db/a/z.ts' }] },
      { source: 'db/a/d/y.ts', dependencies: [{ resolved: 'db/a/b/w.ts' }] },
      { source: 'db/a/z.ts', dependencies: [{ resolved: 'db/a/b/w.ts' }] },
      { source: 'db/e/v.ts', dependencies: [{ resolved: 'db/a/d/y.ts' }] },
    ]),
  ).toEqual(['db/a/b <-> db/a/d']);
});

describe('the rules fire', () => {
  let tree: string;
  beforeEach(() => {
    tree = mkdtempSync(join(tmpdir(), 'layers-'));
    for (const folder of folders) mkdirSync(join(tree, folder));
    symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
    write({ 'tsconfig.json': '{}' });
  });
  afterEach(() => rmSync(tree, { recursive: true }));

  function write(files: Record<string, string>): void {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(tree, path)), { recursive: true });
      writeFileSync(join(tree, path), text);
    }
  }

  /** A well-formed tree with one file of every kind, each importing only what it may. */
  const lawful: Record<string, string> = {
    'workflows/kit/state-table.ts': 'export const table = 1;',
    'workflows/x.states.ts': "import { table } from './kit/state-table'; export const states = table;",
    'workflows/x.rules.ts': "import { states } from './x.states'; export const rule = states;",
    'workflows/x.letters.ts':
      "import { rule } from './x.rules'; import { states } from './x.states'; export const letter = [rule, states];",
    'workflows/errors.ts': 'export const refusal = 1;',
    'workflows/x.contract.ts':
      "import { defineUpdate } from '@temporalio/workflow'; export const c = defineUpdate;",
    'workflows/x.workflow.ts': "import { c } from './x.contract'; export const w = c;",
    'workflows/index.ts': "export { w } from './x.workflow';",
    'db/schema/migrations/0001-x.ts':
      "import type { QueryInterface } from 'sequelize'; export type Q = QueryInterface;",
    'db/sql/transaction.ts': 'export const inTransaction = 1;',
    'db/administration/audit/audit.writes.ts': 'export const audit = 1;',
    'db/administration/figures/read-figures.ts':
      "import { inTransaction } from '../../sql/transaction'; export const figures = inTransaction;",
    'db/administration/outbox/outbox.writes.ts': 'export const queue = 1;',
    'db/identity/user-administration/admins.ts':
      "import { audit } from '../../administration/audit/audit.writes'; import { queue } from '../../administration/outbox/outbox.writes'; export const s = [audit, queue];",
    'db/x.model.ts': "import { states } from '../workflows/x.states'; export const m = states;",
    'db/x.reads.ts': "import { m } from './x.model'; export const r = m;",
    'db/x.writes.ts': "import { m } from './x.model'; export const wr = m;",
    'db/x.transitions.ts': "import { m } from './x.model'; export const t = m;",
    'activities/x.activities.ts': "import { t } from '../db/x.transitions'; export const a = t;",
    'activities/do-x.ts':
      "import { inTransaction } from '../db/sql/transaction'; import { audit } from '../db/administration/audit/audit.writes'; import { refusal } from '../workflows/errors'; export const d = [inTransaction, audit, refusal];",
    'api/do-x.command.ts':
      "import { inTransaction } from '../db/sql/transaction'; import { queue } from '../db/administration/outbox/outbox.writes'; export const cmd = [inTransaction, queue];",
    'api/http/answering.ts':
      "import { inTransaction } from '../../db/sql/transaction'; export const claim = inTransaction;",
    'workers/main.ts': "import { a } from '../activities/x.activities'; export const b = a;",
    'activities/providers/variables.ts': "import { z } from 'zod'; export const v = z;",
    'activities/providers/webhook.ts':
      "import { createHmac } from 'node:crypto'; import { rule } from '../../workflows/x.rules'; export const s = [createHmac, rule];",
    'activities/providers/payments/message.ts': "import { z } from 'zod'; export const m = z;",
    'activities/providers/payments/x/variables.ts':
      "import { v } from '../../variables'; export const xv = v;",
    'activities/providers/payments/x/message.ts':
      "import { m } from '../message'; import { rule } from '../../../../workflows/x.rules'; export const xm = [m, rule];",
    'activities/providers/payments/x/webhook.ts':
      "import { s } from '../../webhook'; import { xm } from './message'; import { xv } from './variables'; export const h = [s, xm, xv, import('stripe')];",
    'activities/providers/payments/webhooks.ts': "import { h } from './x/webhook'; export const hs = [h];",
    'api/x.ts':
      "import { hs } from '../activities/providers/payments/webhooks'; import { h } from '../activities/providers/payments/x/webhook'; import { v } from '../activities/providers/variables'; import { r } from '../db/x.reads'; import { wr } from '../db/x.writes'; import { c } from '../workflows/x.contract'; export const e = [hs, h, v, r, wr, c];",
    'local/main.ts':
      "import { r } from '../db/x.reads'; import { join } from 'node:path'; export const l = [r, join];",
  };

  test('and leave a lawful tree alone', async () => {
    write(lawful);
    expect(await violationsIn(tree)).toEqual([]);
  });

  const unlawful: [rule: string, file: string, imports: string][] = [
    ['workflows may use only workflows', 'workflows/bad.ts', '../db/x.reads'],
    ['db may use only db, workflows', 'db/bad.ts', '../activities/x.activities'],
    ['db may use only db, workflows', 'db/bad.ts', '../api/x'],
    ['activities may use only activities, db, workflows', 'activities/bad.ts', '../api/x'],
    ['activities may use only activities, db, workflows', 'activities/bad.ts', '../workers/main'],
    ['api may use only api, db, workflows', 'api/bad.ts', '../activities/x.activities'],
    ['api may use only api, db, workflows', 'api/bad.ts', '../workers/main'],
    ['api may use only api, db, workflows', 'api/bad.ts', '../activities/providers/payments/x/message'],
    [PURE, 'activities/providers/payments/bad/webhook.ts', '../../../x.activities'],
    [PURE, 'activities/providers/payments/bad/webhook.ts', '../../../../db/x.reads'],
    [PURE, 'activities/providers/payments/bad/webhook.ts', 'node:fs'],
    [PURE, 'activities/providers/payments/bad/message.ts', '../../../../workflows/x.contract'],
    [PURE, 'activities/providers/payments/bad/variables.ts', 'pino'],
    ['workers may use only workers, activities, db, workflows', 'workers/bad.ts', '../api/x'],
    ['local may use only local, db', 'local/bad.ts', '../workers/main'],
    ['local may use only local, db', 'local/bad.ts', '../workflows/x.contract'],
    [
      'workflow code is deterministic: no Node, no packages but the workflow SDK',
      'workflows/bad.ts',
      'node:fs',
    ],
    ['workflow code is deterministic: no Node, no packages but the workflow SDK', 'workflows/bad.ts', 'zod'],
    [
      'rules and states are pure: they import nothing but each other',
      'workflows/bad.rules.ts',
      './x.contract',
    ],
    [
      'rules and states are pure: they import nothing but each other',
      'workflows/bad.states.ts',
      '@temporalio/common',
    ],
    [LETTERS, 'workflows/bad.letters.ts', './x.contract'],
    [LETTERS, 'workflows/bad.letters.ts', './errors'],
    [LETTERS, 'workflows/bad.letters.ts', '@temporalio/common'],
    [LETTERS, 'activities/bad.letters.ts', '../db/x.reads'],
    [TRANSACTIONS, 'api/bad.ts', '../db/sql/transaction'],
    [TRANSACTIONS, 'api/http/bad.ts', '../../db/sql/transaction'],
    [TRANSACTIONS, 'db/bad.writes.ts', './sql/transaction'],
    [TRANSACTIONS, 'db/bad.transitions.ts', './sql/transaction'],
    [TRANSACTIONS, 'local/bad.ts', '../db/sql/transaction'],
    [SIDE_EFFECTS, 'db/bad.writes.ts', './administration/audit/audit.writes'],
    [SIDE_EFFECTS, 'db/bad.transitions.ts', './administration/outbox/outbox.writes'],
    [SIDE_EFFECTS, 'db/sql/bad.ts', '../administration/audit/audit.writes'],
    [REFUSALS, 'db/bad.writes.ts', '../workflows/errors'],
    [REFUSALS, 'db/schema/bad.ts', '../../workflows/errors'],
    [
      'only the bundle entry sees workflow bodies; everyone else sees contracts',
      'workflows/bad.ts',
      './x.workflow',
    ],
    [
      'only the bundle entry sees workflow bodies; everyone else sees contracts',
      'api/bad.ts',
      '../workflows/x.workflow',
    ],
    ['nobody imports the bundle entry: it is loaded by path', 'workers/bad.ts', '../workflows'],
    ['what a process owns, only its activities move', 'api/bad.ts', '../db/x.transitions'],
    ['what a process owns, only its activities move', 'workers/bad.ts', '../db/x.transitions'],
    ['models stay inside db', 'api/bad.ts', '../db/x.model'],
    ['models stay inside db', 'activities/bad.ts', '../db/x.model'],
    ['models stay inside db', 'workers/bad.ts', '../db/x.model'],
    ['migrations are frozen: they import nothing of ours', 'db/schema/migrations/bad.ts', '../../x.reads'],
    ['workflows/kit imports no feature', 'workflows/kit/bad.ts', '../x.states'],
    ['db/sql imports no feature', 'db/sql/bad.ts', '../x.reads'],
    ['api/http imports no feature', 'api/http/bad.ts', '../x'],
    ['every import leads somewhere', 'api/bad.ts', './nowhere'],
    ['no cycles', 'workflows/kit/state-table.ts', '../x.states'],
  ];

  test('on every kind of unlawful import, a type import too', async () => {
    // One tree holds them all, since each run of the tool costs seconds; a number keeps the files apart.
    write(lawful);
    const named = unlawful.map(([rule, file, imports], i) => {
      const path = lawful[file] === undefined ? file.replace('bad', `bad-${i}`) : file;
      write({
        [path]: `${lawful[file] ?? ''}\nimport type * as forbidden from '${imports}'; export type F = typeof forbidden;`,
      });
      return { rule, path };
    });
    const found = await violationsIn(tree);
    const silent = named.filter(
      ({ rule, path }) => !found.some((line) => line.startsWith(`${rule}: ${path} `)),
    );
    expect(silent).toEqual([]);
  });

  test('and every rule there is has been seen to fire', () => {
    const fired = new Set(unlawful.map(([rule]) => rule));
    expect([...fired].sort()).toEqual(layers.forbidden.map(({ name }) => name).sort());
  });
});
