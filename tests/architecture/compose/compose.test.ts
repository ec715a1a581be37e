import { TLS_VARIABLES } from '../../../db/sql/environment/temporal';
import { QUEUES, queuesNamed } from '../../../workers/queues';
import { compose, interpolations, ours, read, service, services } from './compose';

const jobs = ['migrate', 'temporal-schema', 'temporal-namespace'];
const workers = services.filter(([, { command = [] }]) => command.includes('dist/workers/main.js'));
const isSecret = (name: string): boolean => /PASSWORD|PWD|SECRET|KEYS?$/.test(name);
const failing = (rule: (name: string) => boolean): string[] =>
  services.map(([name]) => name).filter((name) => !rule(name));

describe('secrets', () => {
  test('come from the environment, and a missing or empty one stops the start', () => {
    const secret = interpolations.filter(({ name }) => isSecret(name));
    expect(new Set(secret.map(({ name }) => name))).toEqual(
      new Set([
        'ADMIN_PASSWORD',
        'DATABASE_ADMIN_PASSWORD',
        'DATABASE_OWNER_PASSWORD',
        'DATABASE_PASSWORD',
        'JWT_KEYS',
        'SANDBOX_SECRET',
        'SEALING_KEYS',
        'TEMPORAL_DATABASE_PASSWORD',
      ]),
    );
    expect(secret.filter(({ operator }) => operator !== ':?')).toEqual([]);
  });

  test('are never written down: whatever is named like one is asked for, or taken over where it is set', () => {
    const written = services.flatMap(([name, { environment }]) =>
      Object.entries(environment)
        .filter(([key, value]) => isSecret(key) && value !== null && !/^\$\{[A-Z_]+:\?[^}]+\}$/.test(value))
        .map(([key]) => `${name}: ${key}`),
    );
    expect(written).toEqual([]);
  });

  test('each reaches only those who need it', () => {
    const holders = (variable: string): string[] =>
      services
        .filter(([, { environment }]) =>
          Object.values(environment).some((value) => value?.includes(`\${${variable}:`)),
        )
        .map(([name]) => name);
    expect(holders('JWT_KEYS')).toEqual(['api']);
    // `migrate` is where README runs `admins`, which records what it changes.
    expect(holders('SEALING_KEYS').sort()).toEqual([...ours].sort());
    expect(holders('ADMIN_PASSWORD')).toEqual(['migrate']);
    expect(holders('DATABASE_ADMIN_PASSWORD')).toEqual(['db']);
    expect(holders('DATABASE_OWNER_PASSWORD').sort()).toEqual(['db', 'migrate']);
    expect(holders('DATABASE_PASSWORD').sort()).toEqual([...ours, 'db'].sort());
    expect(holders('TEMPORAL_DATABASE_PASSWORD')).toEqual(['temporal-db', 'temporal-schema', 'temporal']);
  });
});

describe('every service', () => {
  test('is watched, or is a job that somebody waits for', () => {
    const awaited = services.flatMap(([, { depends_on }]) =>
      Object.entries(depends_on)
        .filter(([, { condition }]) => condition === 'service_completed_successfully')
        .map(([name]) => name),
    );
    expect(new Set(awaited)).toEqual(new Set(jobs));
    expect(failing((name) => jobs.includes(name) || service(name).healthcheck !== undefined)).toEqual([]);
  });

  test('comes back by itself, jobs a few times only', () => {
    expect(
      failing((name) => service(name).restart === (jobs.includes(name) ? 'on-failure:5' : 'unless-stopped')),
    ).toEqual([]);
  });

  test('has its limits', () => {
    const { limits } = service('api').deploy.resources;
    expect(limits).toEqual({ cpus: '1', memory: '768m', pids: 256 });
    expect(failing((name) => /^\d+(m|g)$/.test(service(name).deploy.resources.limits.memory))).toEqual([]);
  });

  test('has no rights but those that its image needs to change its user', () => {
    expect(failing((name) => service(name).cap_drop.join() === 'ALL')).toEqual([]);
    const given = services.filter(([, { cap_add }]) => cap_add.length > 0).map(([name]) => name);
    expect(given.sort()).toEqual(['clamav', 'db', 'proxy', 'temporal-db']);
    expect(services.flatMap(([, { cap_add }]) => cap_add)).not.toContain('SYS_ADMIN');
  });

  test('writes to memory only as far as is said', () => {
    expect(failing((name) => service(name).tmpfs.every((mount) => /:size=\d+m$/.test(mount)))).toEqual([]);
  });

  test('runs a pinned image', () => {
    expect(failing((name) => /^[a-z/-]+:v?\d+\.\d+(\.\d+)?[a-z0-9.-]*$/.test(service(name).image))).toEqual(
      [],
    );
  });

  test('waits for servers to be well and for jobs to be done', () => {
    const hasty = services.flatMap(([name, { depends_on }]) =>
      Object.entries(depends_on)
        .filter(
          ([other, { condition }]) =>
            condition !== (jobs.includes(other) ? 'service_completed_successfully' : 'service_healthy'),
        )
        .map(([other]) => `${name} → ${other}`),
    );
    expect(hasty).toEqual([]);
    for (const name of ['api', 'worker-interactive', 'worker-background'])
      expect(Object.keys(service(name).depends_on)).toEqual(['migrate', 'temporal-namespace']);
  });
});

describe('from outside', () => {
  test('only the proxy is reached, and on this machine the UI and caught mail', () => {
    const published = services.flatMap(([name, { ports }]) => ports.map((port) => `${name} ${port}`));
    expect(published).toEqual([
      'proxy ${PORT:-3000}:8080',
      'temporal-ui 127.0.0.1:${TEMPORAL_UI_PORT:-8233}:8080',
      'mail-catcher 127.0.0.1:${MAIL_UI_PORT:-8025}:8025',
      'prometheus 127.0.0.1:${PROMETHEUS_UI_PORT:-9090}:9090',
      'grafana 127.0.0.1:${GRAFANA_PORT:-3001}:3000',
    ]);
  });

  test('databases and Temporal stand in a network that leads nowhere', () => {
    expect(compose.networks).toEqual({ edge: null, ops: null, data: { internal: true } });
    for (const name of ['db', 'temporal-db', 'temporal']) expect(service(name).networks).toEqual(['data']);
  });

  test('what asks nobody who they are is apart from what the public reaches', () => {
    const inNetwork = (network: string) =>
      services.filter(([, { networks }]) => networks.includes(network)).map(([name]) => name);
    expect(inNetwork('ops').sort()).toEqual(
      ['grafana', 'mail-catcher', 'prometheus', 'temporal-ui', ...workers.map(([name]) => name)].sort(),
    );
    expect(service('proxy').networks).toEqual(['edge']);
    expect(service('api').networks).toEqual(['edge', 'data']);
  });

  test('our own programs have no rights and nothing to write to', () => {
    expect(
      services
        .filter(([, { build }]) => build !== undefined)
        .map(([name]) => name)
        .sort(),
    ).toEqual([...ours].sort());
    for (const name of ours) expect(service(name)).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
    expect(read('Dockerfile')).toMatch(/^USER node$/m);
  });
});

describe('the workers', () => {
  test('is where workers take the sandbox’s reports', () => {
    for (const [, { environment, networks }] of workers) {
      expect(environment['SANDBOX_WEBHOOK_URL']).toBe('http://proxy:8080');
      expect(networks).toContain('edge');
    }
  });

  test('share all queues, none twice', () => {
    const served = workers.flatMap(
      ([, { environment }]) => queuesNamed(environment['WORKER_QUEUES'] ?? '') ?? [],
    );
    expect(workers).toHaveLength(2);
    expect([...served].sort()).toEqual([...QUEUES].sort());
  });

  test('hand mail to the catcher, unless another server is named', () => {
    const { networks, image } = service('mail-catcher');
    expect(image).toMatch(/^axllent\/mailpit:/);
    for (const [, { environment, networks: own }] of workers) {
      expect(environment['MAIL_DRIVER']).toBe('${MAIL_DRIVER:-smtp}');
      expect(environment['SMTP_URL']).toBe('${SMTP_URL:-smtp://mail-catcher:1025}');
      expect(own).toEqual(expect.arrayContaining(networks));
    }
  });

  test('put what goes into files where it outlives them', () => {
    for (const [, { environment, volumes }] of workers)
      expect(volumes).toContain(`mail:${environment['MAIL_DIR']}`);
    expect(read('Dockerfile')).toContain(
      `chown node:node ${service('worker-background').environment['MAIL_DIR']}`,
    );
  });

  test('and the APIs find the files for Temporal by TLS in one folder, which they cannot write', () => {
    const readers = [service('api'), ...workers.map(([, worker]) => worker)];
    for (const { volumes, environment } of readers) {
      expect(volumes).toContain('${TEMPORAL_TLS_DIR:-temporal-tls}:/run/temporal-tls:ro');
      expect(environment).toMatchObject({
        TEMPORAL_ADDRESS: '${TEMPORAL_ADDRESS:-temporal:7233}',
        TEMPORAL_NAMESPACE: '${TEMPORAL_NAMESPACE:-marketplace}',
      });
      for (const name of TLS_VARIABLES) expect(environment[name]).toBeNull();
    }
    expect(compose.volumes).toHaveProperty('temporal-tls');
    expect(read('workers/OPERATING.md')).toContain('/run/temporal-tls');
  });

  test('and the APIs see the same blobs, which outlive them', () => {
    for (const { environment, volumes } of [service('api'), ...workers.map(([, worker]) => worker)])
      expect(volumes).toContain(`blobs:${environment['BLOB_DIR']}`);
    expect(read('Dockerfile')).toContain(` ${service('api').environment['BLOB_DIR']}\n`);
  });
});
