import path from 'node:path';
import { MissingToolError } from '../../../local/toolchain/chain';
import { resolveStripeMock, STRIPE_MOCK_VERSION } from '../../support/tools/stripe-mock';
import { executable, makeToolWorld, type ToolWorld } from './tool-world';

let world: ToolWorld;
beforeEach(async () => {
  world = await makeToolWorld();
});
afterEach(() => world.remove());

const builtPath = () =>
  path.join(world.dir, 'cache/marketplace-platform', `stripe-mock-${STRIPE_MOCK_VERSION}`, 'stripe-mock');

describe('stripe-mock comes from', () => {
  it('STRIPE_MOCK_PATH before all others', async () => {
    await world.program('stripe-mock');
    const named = await executable(path.join(world.dir, 'mine'));
    const config = world.config({ STRIPE_MOCK_PATH: named });
    await expect(resolveStripeMock(world.log, config)).resolves.toBe(named);
  });

  it('PATH, when nothing is named', async () => {
    const onPath = await world.program('stripe-mock');
    await expect(resolveStripeMock(world.log, world.config())).resolves.toBe(onPath);
  });

  it('a build with Go of the pinned version, which is kept', async () => {
    await world.program(
      'go',
      `echo "$@" > ${world.dir}/built
       echo '#!/bin/sh' > "$GOBIN/stripe-mock"
       /bin/chmod 755 "$GOBIN/stripe-mock"`,
    );
    await expect(resolveStripeMock(world.log, world.config())).resolves.toBe(builtPath());
    expect(world.lines.join('\n')).toContain('stripe-mock is being built with Go: some seconds, once');
    await world.program('go', 'exit 1');
    await expect(resolveStripeMock(world.log, world.config())).resolves.toBe(builtPath());
  });
});

it('says why each had nothing, and what to install', async () => {
  const refusal = resolveStripeMock(world.log, world.config());
  await expect(refusal).rejects.toThrow(MissingToolError);
  await expect(refusal).rejects.toThrow(/Go is not on PATH[^]*STRIPE_MOCK_PATH/);
});
