import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { barrierFor } from '../../../local/cluster/reach';
import { openDataDir, postgresDir } from '../../../local/machine/data-dir';
import { erase } from '../../../local/erase';
import { acquireLock } from '../../../local/processes/lock';
import { writeEnvironmentFile } from '../../../local/machine/environment-file';
import { loadSecrets } from '../../../local/machine/secrets';
import { useScratch } from '../scratch';

const scratch = useScratch();
const dirOf = (name: string) => path.join(scratch(), name);
const sayNothing = () => undefined;
/** An account that owns nothing here. */
const stranger = { uid: 64_000, gid: 64_000 };

it('commands find the addresses of the running platform in a file of its owner, which a shell can read', async () => {
  const { environmentFile } = await openDataDir(dirOf('addresses'));
  const env = {
    DATABASE_URL: "postgres://a:b'$x@127.0.0.1:1/c?d=e&f=g h",
    TEMPORAL_ADDRESS: '127.0.0.1:7233',
    TEMPORAL_NAMESPACE: 'default',
    SEALING_KEYS: 'a:b=',
    SANDBOX_SECRET: 'whsec_c=',
    PUBLIC_URL: 'http://localhost:3000',
  };
  await writeEnvironmentFile(environmentFile, { ...env, JWT_KEYS: '[{"kid": "x"}]' });
  expect((await stat(environmentFile)).mode & 0o777).toBe(0o600);
  const shell = await promisify(execFile)('env', [
    '-i',
    'PATH=/bin:/usr/bin',
    'sh',
    '-c',
    `set -a; . ${environmentFile}; set +a; env`,
  ]);
  const read = shell.stdout.split('\n');
  expect(read).toEqual(
    expect.arrayContaining(Object.entries(env).map(([name, value]) => `${name}=${value}`)),
  );
  expect(read.join()).not.toContain('JWT_KEYS');
  expect(read.join()).not.toContain('TEMPORAL_TLS');
});

it('so do the files and the key for a Temporal server that is reached by TLS', async () => {
  const { environmentFile } = await openDataDir(dirOf('tls'));
  const env = {
    TEMPORAL_TLS: 'true',
    TEMPORAL_TLS_CA: '/tls/ca.pem',
    TEMPORAL_TLS_SERVER_NAME: 'temporal.example',
    TEMPORAL_TLS_CERT: '/tls/cert.pem',
    TEMPORAL_TLS_KEY: '/tls/key.pem',
    TEMPORAL_API_KEY: "k'1",
  };
  await writeEnvironmentFile(environmentFile, env);
  const written = await readFile(environmentFile, 'utf8');
  for (const [name, value] of Object.entries(env))
    expect(written).toContain(`\n${name}='${value.replace("'", `'\\''`)}'\n`);
});

describe('secrets', () => {
  it('are made once, for their owner only, and stay the same', async () => {
    const { dir, secretsFile } = await openDataDir(dirOf('secrets'));
    const first = await loadSecrets(secretsFile);
    expect(await loadSecrets(secretsFile)).toEqual(first);
    expect((await stat(secretsFile)).mode & 0o777).toBe(0o600);
    expect(await readdir(dir)).not.toContain('secrets.json.new');
  });

  it('differ from machine to machine', async () => {
    const [one, other] = await Promise.all([
      loadSecrets(dirOf('one.json')),
      loadSecrets(dirOf('other.json')),
    ]);
    for (const name of ['JWT_KEYS', 'SANDBOX_SECRET', 'DATABASE_PASSWORD', 'SEALING_KEYS'] as const)
      expect(one[name]).not.toBe(other[name]);
  });

  it('have the forms that their users expect', async () => {
    const secrets = await loadSecrets(dirOf('forms.json'));
    expect(JSON.parse(secrets.JWT_KEYS)).toEqual([
      {
        kty: 'EC',
        crv: 'P-256',
        alg: 'ES256',
        use: 'sig',
        kid: expect.stringMatching(/^[\w-]{43}$/),
        x: expect.any(String),
        y: expect.any(String),
        d: expect.any(String),
      },
    ]);
    expect(secrets.SANDBOX_SECRET).toMatch(/^whsec_/);
    expect(Buffer.from(secrets.SANDBOX_SECRET.slice('whsec_'.length), 'base64')).toHaveLength(32);
    expect(secrets.SEALING_KEYS).toMatch(/^[0-9a-f]{8}:[A-Za-z0-9+/]{43}=$/);
  });

  it('do not replace a damaged file, since what they encrypted would be lost', async () => {
    const file = dirOf('damaged.json');
    await writeFile(file, '{"JWT_KEYS": "');
    await expect(loadSecrets(file)).rejects.toThrow('is damaged');
    expect(await readFile(file, 'utf8')).toBe('{"JWT_KEYS": "');
  });

  it('are not made anew for a file that has lost one of them', async () => {
    const file = dirOf('lacking.json');
    const { SEALING_KEYS: _lost, ...rest } = await loadSecrets(file);
    await writeFile(file, JSON.stringify(rest));
    await expect(loadSecrets(file)).rejects.toThrow('is damaged');
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(rest);
  });
});

describe('the data directory', () => {
  it('is the same one at the next start', async () => {
    const first = await openDataDir(dirOf('same'));
    expect(await openDataDir(dirOf('same'))).toEqual(first);
  });

  it('is not taken when it holds something else', async () => {
    await mkdir(dirOf('foreign'));
    await writeFile(path.join(dirOf('foreign'), 'thesis.tex'), 'years of work');
    await expect(openDataDir(dirOf('foreign'))).rejects.toThrow('was not made by this program');
  });

  it('may be passed through by the account of PostgreSQL, but not listed', async () => {
    const { dir } = await openDataDir(dirOf('passed'));
    expect((await stat(dir)).mode & 0o777).toBe(0o711);
    expect(await barrierFor(dir, stranger)).toBeUndefined();
  });

  it('leaves the cluster to another place when that account may not go there', async () => {
    await mkdir(dirOf('private'));
    const data = await openDataDir(path.join(dirOf('private'), 'data'));
    expect(await postgresDir(data, stranger, '/base')).toBe(path.join(data.dir, 'postgres'));
    await chmod(dirOf('private'), 0o700);
    expect(await barrierFor(data.dir, stranger)).toBe(dirOf('private'));
    expect(await postgresDir(data, stranger, '/base')).toBe(`/base/${data.id}/postgres`);
    expect(await postgresDir(data, undefined, '/base')).toBe(path.join(data.dir, 'postgres'));
  });
});

describe('erasing', () => {
  it('takes away all that was made', async () => {
    const { dir, secretsFile } = await openDataDir(dirOf('erased'));
    await loadSecrets(secretsFile);
    await erase(dir, sayNothing);
    expect(existsSync(dir)).toBe(false);
  });

  it('leaves a directory that was there before, empty', async () => {
    await mkdir(dirOf('external'));
    const { secretsFile } = await openDataDir(dirOf('external'));
    await loadSecrets(secretsFile);
    await erase(dirOf('external'), sayNothing);
    expect(await readdir(dirOf('external'))).toEqual([]);
  });

  it('is refused for a directory that this program did not take', async () => {
    await mkdir(dirOf('home'));
    await writeFile(path.join(dirOf('home'), 'thesis.tex'), 'years of work');
    await expect(erase(dirOf('home'), sayNothing)).rejects.toThrow('was not made by this program');
    expect(await readdir(dirOf('home'))).toEqual(['thesis.tex']);
  });

  it('is refused while the platform runs', async () => {
    const { dir, lockFile, secretsFile } = await openDataDir(dirOf('running'));
    await loadSecrets(secretsFile);
    await acquireLock(lockFile);
    await expect(erase(dir, sayNothing)).rejects.toThrow(`in use by process ${String(process.pid)}`);
    expect(existsSync(secretsFile)).toBe(true);
  });

  it('of nothing says so', async () => {
    const lines: string[] = [];
    await erase(dirOf('never'), (line) => lines.push(line));
    expect(lines).toEqual([`${dirOf('never')}: nothing to erase`]);
  });
});
