import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { parse } from 'yaml';

const root = resolve(__dirname, '../../..');
const workflows = join(root, 'workflows');
const read = (path: string): string => readFileSync(path, 'utf8');
const runbook = read(join(root, 'workers/OPERATING.md'));
/** The same without line ends, for quotations that are broken over lines. */
const prose = runbook.replaceAll(/\s+/g, ' ');

interface Definition {
  type: string;
  id: (key: Record<string, string>) => string;
}

const isDefinition = (value: unknown): value is Definition =>
  typeof value === 'object' && value !== null && 'queue' in value && 'id' in value;

/** The beginning of the ids of each process, by its type. */
const prefixes = new Map(
  readdirSync(workflows, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.contract.ts'))
    .flatMap((path) => Object.values(jest.requireActual<Record<string, unknown>>(join(workflows, path))))
    .filter(isDefinition)
    .map(({ type, id }) => [type, id(new Proxy({}, { get: () => 'x' })).replace(/:.*/, '')]),
);

/** The file of each process that runs. */
const bodies = [...read(join(workflows, 'index.ts')).matchAll(/export \{ (\w+) \} from '(.+)'/g)].map(
  ([, type = '', path = '']) => ({ type, file: join(workflows, `${path}.ts`) }),
);

/** The files that one needs, itself included, without those of which it needs types only. */
function filesOf(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const [, path = ''] of read(file).matchAll(/^import (?!type)[^;]+? from '(\.[^']+)'/gm))
    filesOf(resolve(dirname(file), `${path}.ts`), seen);
  return seen;
}

const KIT = join(workflows, 'kit');
const parking = bodies
  .map(({ type, file }) => ({ type, files: [...filesOf(file)] }))
  .filter(({ files }) => files.includes(join(KIT, 'parking.ts')));
const sources = [...new Set(parking.flatMap(({ files }) => files))]
  .filter((file) => !file.startsWith(KIT))
  .map((file) => ({ file: relative(workflows, file), text: read(file) }));

test('every process that parks has a paragraph', () => {
  const paragraphs = [...runbook.matchAll(/^\*\*((?:`[\w-]+:…`(?:, )?)+)/gm)].flatMap(([, ids = '']) =>
    [...ids.matchAll(/`([\w-]+):…`/g)].map(([, prefix]) => prefix),
  );
  const missing = parking.filter(({ type }) => !paragraphs.includes(prefixes.get(type)));
  expect(missing.map(({ type }) => type)).toEqual([]);
  expect(parking.length).toBeGreaterThan(15);
  // None that no process has: its paragraph would be of the past.
  const known = [...prefixes.values()];
  expect(paragraphs.filter((prefix) => !known.includes(prefix ?? ''))).toEqual([]);
});

test('every step that parks is there in its words, and no other', () => {
  const steps = sources.flatMap(({ text }) =>
    [...text.matchAll(/(?:\b(?:step|move|change)\(\s*|\breading: )'([a-z][^']+)'/g)].map(
      ([, words = '']) => words,
    ),
  );
  expect(steps.length).toBeGreaterThan(35);
  expect([...new Set(steps)].filter((words) => !prose.includes(`"${words}"`))).toEqual([]);
  const section =
    /### What could not be done\n([^]+?)\n### /.exec(runbook)?.[1]?.replaceAll(/\s+/g, ' ') ?? '';
  const quoted = [...section.matchAll(/"([a-z][^"]+)"/g)].map(([, words = '']) => words);
  // What a reason ends with, which comes from the step itself.
  const others = ['took back'];
  expect(quoted.filter((words) => !steps.includes(words) && !others.includes(words))).toEqual([]);
});

/** The words by which an operator knows each wait for a person, by the file that asks. */
const WAITS: Readonly<Record<string, readonly string[]>> = {
  'commerce/fulfilment/fulfilment.workflow.ts': ['It has been so for too long'],
  // The words are those of the activity that applies a chargeback.
  'commerce/payment-event/payment-event.workflow.ts': [],
  'commerce/payout/follow-payout.ts': [
    'Waits for an administrator to approve or reject it',
    'Approved; waits for an administrator to process it',
    'It takes too long',
    'The transfer was refused',
  ],
  'commerce/payout/transfer-out.ts': [
    'Waits for a person to send the money from our bank account',
    'It takes too long',
  ],
  'commerce/refund/payment-refund.workflow.ts': [
    'Waits for a person to send the money from our bank account',
    'The buyer has waited too long for it',
  ],
  'commerce/refund/sending/while-pending.ts': ['The provider has the refund and has not finished it'],
  // The words are those of the activity that records an investment beyond our limits.
  'commerce/refund/refund-request.workflow.ts': ['Nobody has decided it in time'],
  'investment/provider-event/provider-event.workflow.ts': [],
  'partners/pool/pool.workflow.ts': ['Sales of the period have waited for a day to be counted'],
};

test('every wait for a person is there in its words', () => {
  const asking = sources.filter(({ text }) => /\bparking\.ask\(/.test(text));
  expect(asking.map(({ file }) => file).sort()).toEqual(Object.keys(WAITS).sort());
  for (const { file, text } of asking)
    for (const words of WAITS[file] ?? []) {
      expect([file, text.includes(words)]).toEqual([file, true]);
      expect([words, prose.includes(`"${words}"`)]).toEqual([words, true]);
    }
  const takenBack = readdirSync(join(root, 'activities/commerce/payable'))
    .map((file) => read(join(root, 'activities/commerce/payable', file)))
    .filter((text) => text.includes('decide what becomes of'));
  for (const text of takenBack) expect(text).toContain('took back');
  expect(takenBack).toHaveLength(3);
});

const Rules = parse(read(join(root, 'workers/observability/alerts.yml'))) as {
  groups: { rules: { alert: string; labels: { severity: string } }[] }[];
};

test('every alert has a paragraph with its severity that says what to do, and no other', () => {
  const alerts = Rules.groups.flatMap(({ rules }) => rules);
  const told = [...runbook.matchAll(/^- `(\w+)` \((page|ticket)\): ([^]*?)(?=\n- `|\n\n|\n*$(?![^]))/gm)];
  expect(told.map(([, name, severity]) => `${name} ${severity}`).sort()).toEqual(
    alerts.map(({ alert, labels }) => `${alert} ${labels.severity}`).sort(),
  );
  // Shorter ones name a table or a command, and not what it is about.
  expect(told.filter(([, , , text = '']) => text.length < 80).map(([, name]) => name)).toEqual([]);
});

test('what the list of operations counts is explained', () => {
  const kinds = /WAITING_KINDS = \[([^\]]+)\]/.exec(
    read(join(root, 'db/administration/operations/waiting/waiting-work.reads.ts')),
  );
  const names = [...(kinds?.[1] ?? '').matchAll(/'(\w+)'/g)].map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name) => !runbook.includes(`\`${name}\``))).toEqual([]);
});
