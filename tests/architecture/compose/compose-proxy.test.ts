import { endpoints } from '../../../api/endpoints';
import { MOST_BODY_BYTES } from '../../../api/http/body/body';
import { TrustedProxies } from '../../../api/http/request/proxies';
import { compose, service } from './compose';

const MEGABYTE = 1024 * 1024;
/** The size of a form without its file. */
const FORM_BYTES = 256 * 1024;

describe('the proxy', () => {
  const content = compose.configs['proxy']!.content;

  test('stands before two APIs, asks again where they are, and repeats no request that may have been done', () => {
    expect(service('api').deploy.replicas).toBe(2);
    expect(content).toContain(`server api:${service('api').environment['PORT']} resolve `);
    expect(content).toContain('resolver 127.0.0.11 ');
    expect(content).not.toContain('non_idempotent');
  });

  test('is the one hop whose word counts for the caller’s address', () => {
    expect(content).toContain(`map $$http_x_forwarded_for $$forwarded_for {
  '' $$realip_remote_addr;
  default "$$http_x_forwarded_for, $$realip_remote_addr";
}`);
    expect(content).toContain('proxy_set_header X-Forwarded-For $$forwarded_for;');
    const [, usual] = /^\$\{TRUST_PROXY:-(.+)\}$/.exec(service('api').environment['TRUST_PROXY'] ?? '') ?? [];
    expect(TrustedProxies.parse(usual)).toBe(1);
  });

  test('every variable of its own is kept from compose', () => {
    const bare = Object.values(compose.configs).flatMap(
      ({ content: c }) => c.match(/(?<!\$)\$(?!\$)\w+/g) ?? [],
    );
    expect(bare).toEqual([]);
  });

  test('keeps nothing of a client in memory: bodies wait on a volume, answers in no file', () => {
    const { tmpfs, volumes, deploy } = service('proxy');
    expect(volumes).toEqual(['proxy:/var/cache/nginx']);
    expect(tmpfs).toEqual(['/run:size=1m', '/tmp:size=16m']);
    expect(deploy.resources.limits.memory).toBe('256m');
    expect(content).toContain('proxy_max_temp_file_size 0;');
  });

  test('takes large bodies only where files go', () => {
    const sizes = [...content.matchAll(/client_max_body_size (\d+)m;/g)].map(
      ([, size]) => Number(size) * MEGABYTE,
    );
    expect(sizes).toHaveLength(2);
    const [usual = 0, large = 0] = sizes;
    expect(usual).toBe(MOST_BODY_BYTES);
    const [, pattern = ''] = /location ~ (\^\/api\/v1\S+) \{\s+client_max_body_size/.exec(content) ?? [];
    const takesFiles = new RegExp(pattern.replaceAll('$$', '$'));
    const open = endpoints.filter(({ path }) => takesFiles.test(`/api/v1${path}`));
    expect(endpoints.filter(({ upload }) => upload).filter((endpoint) => !open.includes(endpoint))).toEqual(
      [],
    );
    // What is set at an address is read and removed there, too; the API takes no large body for that.
    const others = open.filter(({ upload, method }) => !upload && method !== 'get' && method !== 'delete');
    expect(others.map(({ path }) => path)).toEqual([]);
    for (const { upload } of open) expect((upload?.maxBytes ?? 0) + FORM_BYTES).toBeLessThan(large);
  });

  test('compresses only what everybody may read', () => {
    expect(content.match(/gzip on;/g)).toHaveLength(1);
    const [, pattern = ''] = /location ~ (\S+) \{\s+gzip on;/.exec(content) ?? [];
    const isCompressed = new RegExp(pattern.replaceAll('$$', '$'));
    const compressed = endpoints.filter(({ path }) => isCompressed.test(`/api/v1${path}`));
    const open = ['public', 'optional'];
    expect(compressed.filter(({ auth, method }) => method === 'get' && !open.includes(auth))).toEqual([]);
    expect(compressed.map(({ path }) => path)).toEqual(expect.arrayContaining(['/products', '/categories']));
    expect(isCompressed.test('/api/docs/openapi.json')).toBe(true);
  });

  test('limits connections, uploads and requests of each address, and ends what stalls', () => {
    expect(content).toContain('limit_req zone=requests burst=200 nodelay;');
    expect(content).toContain('limit_conn connections 100;');
    expect(content).toContain('limit_conn uploads 8;');
    expect(content).toContain('client_header_timeout 10s;');
    expect(content).toContain('client_body_timeout 10s;');
    expect(content).toContain('send_timeout 15s;');
    expect(content).toContain('set_real_ip_from ${LOAD_BALANCER:-127.0.0.1};');
  });

  test('writes no query strings to its log', () => {
    const [format = ''] = /log_format without_query[^;]*;/.exec(content) ?? [];
    expect(format).toContain('$$uri');
    expect(format).not.toMatch(/\$\$(request|args|query_string|request_uri|http_\w+)\b(?!_)/);
    expect(content).toContain('access_log /dev/stdout without_query;');
    expect(content).toContain('error_log /dev/stderr crit;');
  });

  test('keeps readiness, metrics and the UI from the public', () => {
    expect(content).toContain('location ~* ^/health/ready/?$$ { return 404; }');
    const targets = [...content.matchAll(/proxy_pass (\S+);/g)].map(([, target]) => target);
    expect(new Set(targets)).toEqual(new Set(['http://api']));
    expect(content.match(/^\s*server \S+:\d+/gm)).toEqual([
      `  server api:${service('api').environment['PORT']}`,
    ]);
  });
});
