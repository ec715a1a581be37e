/** Permitted imports. Arrows point inwards: workers → activities → db → workflows, and api → db, workflows. */
const layer = (name, mayUse, alsoFiles = []) => ({
  name: `${name} may use only ${[name, ...mayUse].join(', ')}`,
  severity: 'error',
  from: { path: `^${name}/` },
  to: {
    path: '^(api|activities|workers|db|workflows|local|tests)/',
    pathNot: [`^(${[name, ...mayUse].join('|')})/`, ...alsoFiles],
  },
});

/** Files of these names: of all providers, of a kind, and of one. */
function ofProviders(names) {
  return ['', '[^/]+/', '[^/]+/[^/]+/'].map((folder) => `^activities/providers/${folder}${names}\\.ts$`);
}

/** The one place where api and activities meet: the signatures and forms of providers, and the variables that say where they are. */
const PROVIDER_WEBHOOK = ofProviders('(webhooks?|variables)');
/** They may use what a provider's messages say: this and rules are all that is pure in activities. */
const PURE_PROVIDER = ofProviders('(webhooks?|message|variables)');

/** Packages that they use: schemas, signatures, and the verifier of Stripe's. */
const PURE_PACKAGES = ['^(node:)?crypto$', 'node_modules/(zod|stripe)/'];

/** Imports of a kit, which every feature uses and which uses none; `mayUse` are patterns of paths. */
const kit = (folder, mayUse) => ({
  name: `${folder} imports no feature`,
  severity: 'error',
  from: { path: `^${folder}/` },
  to: {
    path: '^(api|activities|workers|db|workflows|local|tests)/',
    pathNot: `^(${[`${folder}/`, ...mayUse].join('|')})`,
  },
});

module.exports = {
  forbidden: [
    layer('workflows', []),
    layer('db', ['workflows']),
    layer('activities', ['db', 'workflows']),
    layer('api', ['db', 'workflows'], PROVIDER_WEBHOOK),
    {
      name: 'webhooks, messages and variables of providers are pure: api imports them',
      severity: 'error',
      from: { path: PURE_PROVIDER },
      to: { pathNot: ['^workflows/.+\\.(rules|states)\\.ts$', ...PURE_PROVIDER, ...PURE_PACKAGES] },
    },
    layer('workers', ['activities', 'db', 'workflows']),
    layer('local', ['db']),
    {
      name: 'workflow code is deterministic: no Node, no packages but the workflow SDK',
      severity: 'error',
      from: { path: '^workflows/' },
      to: {
        pathNot:
          '^(api|activities|workers|db|workflows|local|tests)/|node_modules/@temporalio/(workflow|common)/',
      },
    },
    {
      name: 'rules and states are pure: they import nothing but each other',
      severity: 'error',
      from: { path: '^workflows/.+\\.(rules|states)\\.ts$' },
      to: { pathNot: '^workflows/.+\\.(rules|states)\\.ts$|^workflows/kit/state-table\\.ts$' },
    },
    {
      name: 'letters are pure: they import nothing but rules, states and each other',
      severity: 'error',
      from: { path: '\\.letters\\.ts$' },
      to: { pathNot: '^workflows/.+\\.(rules|states|letters)\\.ts$|^workflows/kit/state-table\\.ts$' },
    },
    {
      name: 'a use case opens its transaction: activities, commands of the API, and the kits that keep claims',
      severity: 'error',
      from: {
        pathNot:
          '^activities/|^api/.+\\.command\\.ts$|^api/http/answering\\.ts$|^db/(sql/|schema/(program-role|seed/plan)\\.ts$|identity/user-administration/admins\\.ts$|administration/figures/read-figures\\.ts$|invariants/broken\\.reads\\.ts$)',
      },
      to: { path: '^db/sql/transaction\\.ts$' },
    },
    {
      name: 'db holds statements: it neither audits nor queues messages',
      severity: 'error',
      from: {
        path: '^db/',
        pathNot: '^db/(administration/(audit|outbox)/|identity/user-administration/admins\\.ts$)',
      },
      to: { path: '^db/administration/(audit/audit|outbox/outbox)\\.writes\\.ts$' },
    },
    {
      name: 'db holds statements: it refuses nothing',
      severity: 'error',
      from: { path: '^db/' },
      to: { path: '^workflows/errors\\.ts$' },
    },
    {
      name: 'only the bundle entry sees workflow bodies; everyone else sees contracts',
      severity: 'error',
      from: { pathNot: '^workflows/index\\.ts$' },
      to: { path: '\\.workflow\\.ts$' },
    },
    {
      name: 'nobody imports the bundle entry: it is loaded by path',
      severity: 'error',
      from: {},
      to: { path: '^workflows/index\\.ts$' },
    },
    {
      name: 'what a process owns, only its activities move',
      severity: 'error',
      from: { pathNot: '^(activities|db)/' },
      to: { path: '^db/.+\\.transitions\\.ts$' },
    },
    {
      name: 'models stay inside db',
      severity: 'error',
      from: { pathNot: '^db/' },
      to: { path: '^db/.+\\.model\\.ts$' },
    },
    {
      name: 'migrations are frozen: they import nothing of ours',
      severity: 'error',
      from: { path: '^db/schema/migrations/' },
      to: {
        path: '^(api|activities|workers|db|workflows|local|tests)/',
        pathNot: '^db/schema/(migrations/|table-locks\\.ts$)',
      },
    },
    kit('workflows/kit', ['workflows/errors\\.ts']),
    kit('db/sql', ['workflows/kit/limits/slowness\\.ts$', 'db/sealing/', 'db/program/models\\.ts']),
    kit('api/http', ['db/', 'workflows/']),
    { name: 'every import leads somewhere', severity: 'error', from: {}, to: { couldNotResolve: true } },
    { name: 'no cycles', severity: 'error', from: {}, to: { circular: true } },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default'],
    },
  },
};
