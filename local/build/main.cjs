/**
 * `npm run build`: compiles each TypeScript file of the programs into dist. It does not check types, which takes most of a
 * minute; `npm run lint` does. Writes only what has changed, so that programs which run from dist are not disturbed.
 */
const { transformFileSync } = require('@swc/core');
const {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} = require('node:fs');
const { basename, dirname, join, resolve } = require('node:path');
const { swc } = require('./swc.cjs');

const root = resolve(__dirname, '../..');
const dist = join(root, 'dist');
const layers = ['activities', 'api', 'db', 'local', 'workers', 'workflows'];

const filesOf = (folder) =>
  existsSync(folder) ? readdirSync(folder, { recursive: true }).map((path) => join(folder, path)) : [];

/** Replaces the file at once: a program that loads it meanwhile reads the old one or the new one. */
function write(path, content) {
  if (existsSync(path) && readFileSync(path, 'utf8') === content) return;
  mkdirSync(dirname(path), { recursive: true });
  const part = `${path}.${process.pid}`;
  writeFileSync(part, content);
  renameSync(part, path);
}

/** The paths in dist that come of a source, with their content. */
function outputsOf(source) {
  const target = join(dist, source.slice(root.length + 1));
  if (source.endsWith('.json')) return [[target, readFileSync(source, 'utf8')]];
  // `import()` stays, since it loads packages that are ES modules.
  const module = { ...swc.module, ignoreDynamic: true };
  const options = { ...swc, module, sourceMaps: true, configFile: false, swcrc: false, filename: source };
  const { code, map } = transformFileSync(source, options);
  const compiled = target.replace(/\.ts$/, '.js');
  const link = `//# sourceMappingURL=${basename(compiled)}.map\n`;
  return [
    [compiled, `${code}${link}`],
    [`${compiled}.map`, map],
  ];
}

const sources = layers
  .flatMap((layer) => filesOf(join(root, layer)))
  .filter((path) => /\.(ts|json)$/.test(path));
const outputs = new Map(sources.flatMap(outputsOf));
for (const [path, content] of outputs) write(path, content);
for (const path of layers.flatMap((layer) => filesOf(join(dist, layer))))
  if (/\.(js|json|map)$/.test(path) && !outputs.has(path)) rmSync(path);
// A folder that is left empty would be read as a migration. The deepest come first.
for (const path of layers.flatMap((layer) => filesOf(join(dist, layer))).sort((a, b) => b.length - a.length))
  if (statSync(path).isDirectory() && readdirSync(path).length === 0) rmdirSync(path);
