import path from 'node:path';
import { resolveChromium } from '../../support/tools/chromium';
import { resolveClamd } from '../../support/tools/clamd';
import { resolvePromtool } from '../../support/tools/promtool';
import { executable, makeToolWorld, type ToolWorld } from './tool-world';

let world: ToolWorld;
beforeEach(async () => {
  world = await makeToolWorld();
});
afterEach(() => world.remove());

/** An apt-get that installs Chromium where PATH leads. */
const fakeApt = () =>
  world.program(
    'apt-get',
    `[ "$1" = update ] && exit 0
     echo '#!/bin/sh' > ${world.bin}/chromium; /bin/chmod 755 ${world.bin}/chromium`,
  );

describe('Chromium comes from', () => {
  it('CHROMIUM_PATH before all others', async () => {
    await world.program('chromium');
    const named = await executable(path.join(world.dir, 'mine'));
    await expect(resolveChromium(world.log, world.config({ CHROMIUM_PATH: named }))).resolves.toBe(named);
  });

  it.each(['chromium', 'google-chrome'])('%s on PATH', async (name) => {
    const onPath = await world.program(name);
    await expect(resolveChromium(world.log, world.config())).resolves.toBe(onPath);
  });

  it("Playwright's newest download", async () => {
    const browsers = path.join(world.dir, 'cache', 'ms-playwright');
    await executable(path.join(browsers, 'chromium-999', 'chrome-linux', 'chrome'));
    const newest = await executable(path.join(browsers, 'chromium-1200', 'chrome-linux64', 'chrome'));
    await executable(path.join(browsers, 'chromium_headless_shell-1300', 'chrome-linux', 'chrome'));
    await expect(resolveChromium(world.log, world.config())).resolves.toBe(newest);
  });

  it.each([
    ['CI=true', { CI: 'true' }, undefined],
    ['a person who asks for it', {}, true],
  ])("Debian's package on account of %s", async (_reason, env, mayInstall) => {
    await fakeApt();
    const options = { isRoot: true, ...(mayInstall === undefined ? {} : { mayInstall }) };
    const found = await resolveChromium(world.log, world.config(env), options);
    expect(found).toBe(path.join(world.bin, 'chromium'));
  });
});

test('promtool comes from PROMTOOL_PATH, from PATH, or not at all, and the refusal says what to do', async () => {
  const refusal = await resolvePromtool(world.log, world.config()).catch(String);
  expect(refusal).toMatch(/PROMTOOL_PATH: not set[^]*only when CI=true[^]*install Prometheus 2\.42/);
  const onPath = await world.program('promtool');
  await expect(resolvePromtool(world.log, world.config())).resolves.toBe(onPath);
  const named = await executable(path.join(world.dir, 'mine'));
  await expect(resolvePromtool(world.log, world.config({ PROMTOOL_PATH: named }))).resolves.toBe(named);
});

test('two packages of Debian are installed one after the other', async () => {
  await world.program(
    'apt-get',
    `/bin/mkdir ${world.dir}/apt || exit 100
     [ "$1" = update ] && /bin/sleep 0.2 || for name in chromium clamd; do echo '#!/bin/sh' > ${world.bin}/$name; /bin/chmod 755 ${world.bin}/$name; done
     /bin/rmdir ${world.dir}/apt`,
  );
  const config = world.config({ CI: 'true' });
  const options = { isRoot: true };
  const found = [resolveChromium(world.log, config, options), resolveClamd(world.log, config, options)];
  expect(await Promise.all(found)).toEqual(['chromium', 'clamd'].map((name) => path.join(world.bin, name)));
});

describe("Debian's package is left alone, and the refusal says why,", () => {
  it.each([
    ['without leave', {}, true, 'only when CI=true'],
    ['for anybody but root', { CI: 'true' }, false, 'only root may install it'],
  ])('%s', async (_case, env, isRoot, reason) => {
    await fakeApt();
    const refusal = await resolveChromium(world.log, world.config(env), { isRoot }).catch(String);
    expect(refusal).toContain(reason);
    expect(refusal).toContain('CHROMIUM_PATH: not set');
    expect(refusal).toContain("Playwright's download: none in");
  });

  it('where there is no apt-get', async () => {
    const resolved = resolveChromium(world.log, world.config({ CI: 'true' }), { isRoot: true });
    await expect(resolved).rejects.toThrow('apt-get is not there');
  });
});
