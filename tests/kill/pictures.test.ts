import { existsSync, readdirSync, readFileSync } from 'node:fs';
import sharp from 'sharp';
import { interlacedPng } from '../support/fakes/adam7';
import { eventually } from '../support/checks/eventually';
import { ownKillingWorld } from '../support/worlds/killing-world';
import { make } from '../support/builders/make';
import { signIn } from '../support/builders/sign-in';

const MEBIBYTE_KB = 1024;
/** Of the 768 MiB that docker-compose.yml gives an API, children included; the rest is for the other decoder. */
const MOST_KB = 512 * MEBIBYTE_KB;

let token: string;
const world = ownKillingWorld();
beforeAll(async () => {
  token = await signIn(world, await make.user(world.db));
});

const send = (bytes: Buffer) =>
  world.http
    .post('/api/v1/users/me/avatar')
    .auth(token, { type: 'bearer' })
    .attach('file', bytes, { filename: 'me', contentType: 'image/png' })
    .then(({ status, body }) => ({ status, code: body.error?.code as string | undefined }));

const statusOf = (pid: number) => readFileSync(`/proc/${pid}/status`, 'utf8');
const peakKb = (pid: number) => Number(/VmHWM:\s+(\d+)/.exec(statusOf(pid))?.[1]);
const isChild = (pid: string) => {
  try {
    return statusOf(Number(pid)).includes(`\nPPid:\t${world.api.pid}\n`);
  } catch {
    return false;
  }
};
/** The processes that the API has started and that still run. */
const children = () =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && isChild(name))
    .map(Number);

const canvas = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: 200, g: 30, b: 90 } } });

test('hostile pictures are refused, large honest ones drawn, everybody else served, within the memory of a container', async () => {
  const progressive = { progressive: true, chromaSubsampling: '4:4:4' };
  const cases = [
    [await interlacedPng(7000, 8), 400],
    [await interlacedPng(7000, 16), 400],
    [await canvas(6000, 6000).jpeg(progressive).toBuffer(), 400],
    [await interlacedPng(4500, 8), 200],
    [await canvas(7000, 5000).png().withMetadata({ orientation: 6 }).toBuffer(), 200],
    [await canvas(7000, 7000).jpeg().withMetadata({ orientation: 8 }).toBuffer(), 200],
  ] as const;
  const load = { over: false };
  const slowest = (async () => {
    let most = 0;
    while (!load.over) {
      const begun = performance.now();
      expect((await world.http.get('/api/v1/products?pageSize=1')).status).toBe(200);
      most = Math.max(most, performance.now() - begun);
    }
    return most;
  })();
  for (const [bytes, expected] of cases) {
    const { status, code } = await send(bytes);
    expect([status, code]).toEqual([expected, expected === 400 ? 'INVALID_FILE_TYPE' : undefined]);
  }
  const answers = await Promise.all(cases.slice(3).map(([bytes]) => send(bytes)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  load.over = true;
  expect(await slowest).toBeLessThan(5_000);
  const [child = 0, ...others] = children();
  expect(others).toEqual([]);
  const peaks = { api: peakKb(world.api.pid), child: peakKb(child) };
  expect(peaks.child).toBeLessThan(300 * MEBIBYTE_KB);
  expect(peaks.api + peaks.child).toBeLessThan(MOST_KB);
});

test('a process that is killed over a picture costs that picture only, and another is started', async () => {
  const slow = await interlacedPng(4500, 8);
  const uploads = Array.from({ length: 3 }, () => send(slow));
  await eventually(() => process.kill(children()[0]!, 'SIGKILL'));
  const answers = await Promise.all(uploads);
  for (const { status, code } of answers)
    expect(['200 undefined', '400 INVALID_FILE_TYPE', '503 SERVICE_UNAVAILABLE']).toContain(
      `${status} ${code}`,
    );
  expect((await send(slow)).status).toBe(200);
});

test('it ends with the API, however that ends', async () => {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    expect((await send(await canvas(300, 300).png().toBuffer())).status).toBe(200);
    const [child] = children();
    expect(child).toBeDefined();
    await world.api.end(signal);
    await eventually(() => expect(existsSync(`/proc/${child}`)).toBe(false));
    await world.api.start();
  }
});
