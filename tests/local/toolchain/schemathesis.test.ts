import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { resolveSchemathesis, SCHEMATHESIS_VERSION } from '../../support/tools/schemathesis';
import { executable, makeToolWorld, type ToolWorld } from './tool-world';

let world: ToolWorld;
beforeEach(async () => {
  world = await makeToolWorld();
});
afterEach(() => world.remove());

/** A python3 whose `-m venv DIR` makes a python in DIR, and whose pip, through that, installs or fails. */
const fakePython = (pip = 'exit 0') => {
  const inside = `#!/bin/sh
echo "$@" >> ${world.dir}/pip-calls
echo '#!/bin/sh' > "$(/usr/bin/dirname "$0")/schemathesis"; /bin/chmod 755 "$(/usr/bin/dirname "$0")/schemathesis"
${pip}`;
  return world.program(
    'python3',
    `/bin/mkdir -p "$3/bin"; /bin/cat > "$3/bin/python" <<'END'\n${inside}\nEND\n/bin/chmod 755 "$3/bin/python"`,
  );
};

const cached = () =>
  path.join(
    world.dir,
    'cache',
    'marketplace-platform',
    `schemathesis-${SCHEMATHESIS_VERSION}`,
    'schemathesis',
  );

describe('Schemathesis comes from', () => {
  it('SCHEMATHESIS_PATH before all others', async () => {
    await world.program('schemathesis');
    const named = await executable(path.join(world.dir, 'mine'));
    const config = world.config({ SCHEMATHESIS_PATH: named });
    await expect(resolveSchemathesis(world.log, config)).resolves.toBe(named);
  });

  it('PATH', async () => {
    const onPath = await world.program('schemathesis');
    await expect(resolveSchemathesis(world.log, world.config())).resolves.toBe(onPath);
  });

  it('an installation with pip, of the pinned version, made once for all who ask', async () => {
    await fakePython();
    const resolve = () => resolveSchemathesis(world.log, world.config());
    await expect(Promise.all([resolve(), resolve()])).resolves.toEqual([cached(), cached()]);
    await expect(resolve()).resolves.toBe(cached());
    const calls = (await readFile(path.join(world.dir, 'pip-calls'), 'utf8')).trim().split('\n');
    expect(calls).toEqual([`-m pip install --quiet schemathesis==${SCHEMATHESIS_VERSION}`]);
  });
});

describe('the refusal says why, and what to do,', () => {
  it('where there is no Python', async () => {
    const resolve = resolveSchemathesis(world.log, world.config());
    await expect(resolve).rejects.toThrow(
      /python3 is not on PATH[^]*set SCHEMATHESIS_PATH[^]*install Python 3\.10/,
    );
  });

  it('where pip fails; and the next run tries again', async () => {
    await fakePython('echo no such host >&2; exit 1');
    const resolve = () => resolveSchemathesis(world.log, world.config());
    await expect(resolve()).rejects.toThrow(/ended with code 1: no such host/);
    await fakePython();
    await expect(resolve()).resolves.toBe(cached());
  });
});
