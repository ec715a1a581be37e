import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { MissingToolError } from '../../../local/toolchain/chain';
import { resolveSepaSchema, SEPAXML_VERSION } from '../../support/tools/sepa-schema';
import { makeToolWorld, type ToolWorld } from './tool-world';

let world: ToolWorld;
beforeEach(async () => {
  world = await makeToolWorld();
});
afterEach(() => world.remove());

/** A python3 whose `-m venv DIR` makes a python in DIR, and whose pip, through that, puts the package there. */
const fakePython = (file = 'pain.001.001.09.xsd') => {
  const inside = `#!/bin/sh
echo "$@" >> ${world.dir}/pip-calls
packages="$(/usr/bin/dirname "$0")/../lib/python3.11/site-packages/sepaxml/schemas"
/bin/mkdir -p "$packages"; echo '<schema/>' > "$packages/${file}"`;
  return world.program(
    'python3',
    `/bin/mkdir -p "$3/bin"; /bin/cat > "$3/bin/python" <<'END'\n${inside}\nEND\n/bin/chmod 755 "$3/bin/python"`,
  );
};

const cached = () =>
  path.join(world.dir, 'cache/marketplace-platform', `sepaxml-${SEPAXML_VERSION}`, 'pain.001.001.09.xsd');

describe('the schema of SEPA files comes from', () => {
  it('SEPA_SCHEMA_PATH before all others', async () => {
    const named = path.join(world.dir, 'mine.xsd');
    await writeFile(named, '<schema/>');
    const config = world.config({ SEPA_SCHEMA_PATH: named });
    await expect(resolveSepaSchema(world.log, config)).resolves.toBe(named);
  });

  it('the pinned package, installed once for all who ask', async () => {
    await fakePython();
    const resolve = () => resolveSepaSchema(world.log, world.config());
    await expect(Promise.all([resolve(), resolve()])).resolves.toEqual([cached(), cached()]);
    await expect(resolve()).resolves.toBe(cached());
    expect(await readFile(cached(), 'utf8')).toBe('<schema/>\n');
    const calls = (await readFile(path.join(world.dir, 'pip-calls'), 'utf8')).trim().split('\n');
    expect(calls).toEqual([`-m pip install --quiet --no-deps sepaxml==${SEPAXML_VERSION}`]);
  });
});

it('says why there is none, and what to do', async () => {
  const refusal = resolveSepaSchema(world.log, world.config({ SEPA_SCHEMA_PATH: '/nowhere.xsd' }));
  await expect(refusal).rejects.toThrow(MissingToolError);
  await expect(refusal).rejects.toThrow(
    /nowhere\.xsd is not there[^]*python3 is not on PATH[^]*iso20022\.org/,
  );
});

it('does not take a package without it', async () => {
  await fakePython('pain.008.001.02.xsd');
  await expect(resolveSepaSchema(world.log, world.config())).rejects.toThrow('has no pain.001.001.09.xsd');
});
