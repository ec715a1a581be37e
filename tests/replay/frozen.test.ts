import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { completeHistory, digestOf, freeze, frozenHistories, frozenSince, linesRemoved } from './frozen.cjs';
import { recordedPaths } from './recorded';

const folder = mkdtempSync(join(tmpdir(), 'frozen-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.org', ...args], {
    cwd: folder,
  });

const LIST = 'frozen.sha256';
const line = (content: string, path: string) => `${digestOf(content)}  ${path}\n`;
function commitTo(list: string, ...lines: string[]): void {
  writeFileSync(join(folder, list), lines.join(''));
  git('add', list);
  git('commit', '-qm', 'list');
}
const commitList = (...lines: string[]) => commitTo(LIST, ...lines);

test('every recorded history is as it was recorded, and none is missing', () => {
  const present = recordedPaths.map((path) => [path, digestOf(readFileSync(join(__dirname, path)))]);
  expect(Object.fromEntries(frozenHistories())).toEqual(Object.fromEntries(present));
});

test('a list that names a history twice is refused', () => {
  writeFileSync(join(folder, LIST), line('a', 'x/a.json') + line('b', 'x/a.json'));
  expect(() => frozenHistories(folder)).toThrow(/damaged/);
});

test('a history that is recorded anew replaces its line, a new one gains a line', () => {
  mkdirSync(join(folder, 'x'));
  writeFileSync(join(folder, LIST), line('a', 'x/a.json') + line('b', 'x/b.json'));
  writeFileSync(join(folder, 'x/a.json'), 'anew');
  writeFileSync(join(folder, 'x/c.json'), 'c');
  freeze('x/a.json', folder);
  freeze('x/c.json', folder);
  expect(readFileSync(join(folder, LIST), 'utf8')).toBe(
    line('anew', 'x/a.json') + line('b', 'x/b.json') + line('c', 'x/c.json'),
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
