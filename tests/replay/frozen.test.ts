import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  completeHistory,
  differences,
  digestOf,
  freeze,
  frozenSince,
  histories,
  linesRemoved,
  migrations,
  type Frozen,
} from './frozen.cjs';
import { recordedPaths } from './recorded';

const folder = mkdtempSync(join(tmpdir(), 'frozen-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.org', ...args], {
    cwd: folder,
  });

const LIST = 'frozen.sha256';
/** Files of a kind in a folder of this test. */
const kind: Frozen = {
  ...{ list: join(folder, LIST), folder: join(folder, 'files'), extension: '.json' },
  instead: 'add another',
};
const line = (content: string, path: string) => `${digestOf(content)}  ${path}\n`;
function commitTo(list: string, ...lines: string[]): void {
  writeFileSync(join(folder, list), lines.join(''));
  git('add', list);
  git('commit', '-qm', 'list');
}
const commitList = (...lines: string[]) => commitTo(LIST, ...lines);

test.each([
  ['histories', histories],
  ['migrations', migrations],
])('%s are as they were frozen, and none is missing', (_, frozen) => {
  expect(differences(frozen)).toEqual([]);
});

test('the list of histories has each that is replayed', () => {
  const listed = readFileSync(histories.list, 'utf8').trimEnd().split('\n');
  expect(listed.map((one) => one.slice(66)).sort()).toEqual([...recordedPaths]);
});

test('a list that names a file twice is refused', () => {
  writeFileSync(join(folder, LIST), line('a', 'x/a.json') + line('b', 'x/a.json'));
  expect(() => freeze(kind)).toThrow(/damaged/);
});

test('a new file gains a line; one that is changed or deleted is named with what to do instead, and keeps its line', () => {
  const lines = line('a', 'a.json') + line('b', 'b.json') + line('d', 'x/d.json');
  writeFileSync(join(folder, LIST), lines);
  mkdirSync(join(folder, 'files/x'), { recursive: true });
  for (const [path, content] of [
    ['a.json', 'changed'],
    ['c.json', 'c'],
    ['x/d.json', 'd'],
    ['notes.md', 'of another kind'],
  ] as const)
    writeFileSync(join(folder, 'files', path), content);
  const broken = [
    'a.json was changed: restore it, and add another',
    'b.json was deleted: restore it, and add another',
  ];
  expect(differences(kind)).toEqual([...broken, 'c.json is in no list: node tests/replay/frozen.cjs add']);
  expect(freeze(kind)).toEqual(['c.json']);
  expect(differences(kind)).toEqual(broken);
  expect(readFileSync(join(folder, LIST), 'utf8')).toBe(
    line('a', 'a.json') + line('b', 'b.json') + line('c', 'c.json') + line('d', 'x/d.json'),
  );
});

test('a commit may add histories; one that changes or deletes one is found, also after later commits and a merge', () => {
  const [a, b, c] = [line('a', 'x/a.json'), line('b', 'x/b.json'), line('c', 'x/c.json')];
  git('init', '-q', '-b', 'main');
  commitList(a);
  commitList(a, b);
  expect(linesRemoved(folder, LIST)).toEqual([]);

  git('checkout', '-qb', 'feature');
  commitList(a, b, c);
  commitList(a, line('changed', 'x/b.json'), c);
  git('checkout', '-q', 'main');
  git('merge', '-q', '--no-ff', '-m', 'merge', 'feature');
  expect(linesRemoved(folder, LIST)).toEqual([`-${b.trimEnd()}`]);
  const shallow = join(folder, 'shallow');
  git('clone', '-q', '--depth', '1', `file://${folder}`, shallow);
  expect(linesRemoved(shallow, LIST)).toEqual([]);
  completeHistory(shallow);
  expect(linesRemoved(shallow, LIST)).toEqual([`-${b.trimEnd()}`]);

  commitList(line('changed', 'x/b.json'), c);
  expect(linesRemoved(folder, LIST)).toEqual([`-${a.trimEnd()}`, `-${b.trimEnd()}`]);
});

test('a history that is dropped when a conflict is resolved is found, also if that merge becomes the main branch', () => {
  const [a, b, c] = [line('a', 'y/a.json'), line('b', 'y/b.json'), line('c', 'y/c.json')];
  const list = 'other.sha256';
  commitTo(list, a);
  git('checkout', '-qb', 'side');
  commitTo(list, a, b);
  git('checkout', '-q', 'main');
  commitTo(list, a, c);
  git('checkout', '-q', 'side');
  git('merge', '-q', '-s', 'ours', '-m', 'resolved without c', 'main');
  git('checkout', '-q', 'main');
  git('merge', '-q', '--ff-only', 'side');
  expect(linesRemoved(folder, list)).toEqual([`-${c.trimEnd()}`]);
});

test('histories are frozen since the commit, or the merge, that brought the list to the branch', () => {
  const [list, head] = ['third.sha256', () => git('rev-parse', 'HEAD').toString().trim()];
  git('checkout', '-q', 'main');
  expect(frozenSince(folder, list)).toBeNull();
  git('checkout', '-qb', 'closing');
  commitTo(list, line('a', 'z/a.json'));
  expect(frozenSince(folder, list)).toBe(head());
  git('checkout', '-q', 'main');
  commitList(line('other', 'x/other.json'));
  git('merge', '-q', '--no-ff', '-m', 'merge', 'closing');
  const closed = head();
  commitTo(list, line('a', 'z/a.json'), line('b', 'z/b.json'));
  expect(frozenSince(folder, list)).toBe(closed);
});

test('a shallow clone that cannot be completed is refused', () => {
  const shallow = join(folder, 'cut-off');
  git('clone', '-q', '--depth', '1', `file://${folder}`, shallow);
  git('-C', shallow, 'remote', 'remove', 'origin');
  expect(() => completeHistory(shallow)).toThrow(/shallow.+`git fetch --unshallow`/);
});
