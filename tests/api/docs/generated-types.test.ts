import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { describeApi } from '../../../api/docs/document';
import { endpoints } from '../../../api/endpoints';

/** Marks a line of the client that must not compile. */
const MARK = ['// @ts', 'expect', 'error'].join('-');
const CLIENT = readFileSync(join(__dirname, 'client.txt'), 'utf8');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'api-types-'));
  const [document, types] = [join(folder, 'openapi.json'), join(folder, 'api.d.ts')];
  writeFileSync(document, JSON.stringify(describeApi(endpoints)));
  // A separate program, because jest cannot load its packages.
  const generator = join(dirname(require.resolve('openapi-typescript/package.json')), 'bin/cli.js');
  execFileSync(process.execPath, [generator, document, '-o', types], { stdio: 'pipe' });
}, 5 * 60_000);
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** The errors of a program that uses the generated types. */
function errorsOf(source: string): string[] {
  const file = join(folder, 'client.ts');
  writeFileSync(file, source);
  const program = ts.createProgram([file], {
    strict: true,
    noEmit: true,
    types: [],
    target: ts.ScriptTarget.ES2022,
  });
  return ts.getPreEmitDiagnostics(program).map(({ messageText, start = 0 }) => {
    const line = source.slice(0, start).split('\n').length;
    return `line ${line}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
}

test(
  'a client tells codes, sign-ins and payments apart by the generated types',
  () => {
    expect(errorsOf(CLIENT)).toEqual([]);
  },
  5 * 60_000,
);

test(
  'every line of it that must not compile does not',
  () => {
    const unmarked = CLIENT.replaceAll(MARK, '//');
    expect(errorsOf(unmarked)).toHaveLength(CLIENT.split(MARK).length - 1);
  },
  5 * 60_000,
);
