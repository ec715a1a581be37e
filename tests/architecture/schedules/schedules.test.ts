import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ScheduleSpec } from '@temporalio/client';
import { jobs } from '../../../activities/jobs';
import { schedules } from '../../../workers/schedule-table';
import { SCHEDULES_VERSION } from '../../../workers/schedules';
import { tableOf, withTable } from '../guide-table';

// `WRITE_SCHEDULES=true npx jest tests/architecture/schedules` writes the table of the guide and the list of this folder.
const root = resolve(__dirname, '../../..');
const GUIDE = join(root, 'workflows/README.md');
const LIST = 'tests/architecture/schedules/schedules.txt';
const isWriting = process.env['WRITE_SCHEDULES'] === 'true';

const byId = [...schedules].sort((one, other) => one.id.localeCompare(other.id));

/** The table as data: what a release brings Temporal in line with. */
const list = [
  `version ${SCHEDULES_VERSION}`,
  ...byId.map(({ id, action, ...how }) => {
    const { workflowType, taskQueue, args, staticSummary } = action;
    return `${id} ${JSON.stringify({ workflowType, taskQueue, args, staticSummary, ...how })}`;
  }),
  '',
].join('\n');

interface Version {
  version: number;
  table: string;
}

function versionOf(text: string): Version {
  const [, version = '', table = ''] = /^version (\d+)\n([^]*)$/.exec(text) ?? [];
  return { version: Number(version), table };
}

/** The versions that this branch has committed, in any order. */
function committed(): Version[] {
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  return git('log', '--full-history', '--diff-filter=AM', '--format=%H', '--', LIST)
    .split('\n')
    .filter(Boolean)
    .map((commit) => versionOf(git('show', `${commit}:${LIST}`)));
}

test('the list is that of the code', () => {
  if (isWriting) writeFileSync(join(root, LIST), list);
  expect(readFileSync(join(root, LIST), 'utf8')).toBe(list);
});

test('a table that differs from a committed one has a higher version, so that workers know which is newer', () => {
  const { version, table } = versionOf(list);
  const others = committed().filter((one) => one.table !== table);
  expect(others.filter((one) => one.version >= version)).toEqual([]);
});

test('every schedule, and every job, has a name of its own', () => {
  expect(new Set(schedules.map(({ id }) => id)).size).toBe(schedules.length);
  expect(jobs.filter(({ id }) => !schedules.some((one) => one.id === id))).toEqual([]);
});

test('the guide says when each of them runs, and what it does', () => {
  const table = tableOf(
    ['Schedule', 'When', 'What it does'],
    byId.map((one) => [`\`${one.id}\``, when(one.spec), doesOf(one.action)]),
  );
  if (isWriting) writeFileSync(GUIDE, withTable(readFileSync(GUIDE, 'utf8'), table));
  expect(readFileSync(GUIDE, 'utf8')).toContain(`\n${table}\n`);
});

const doesOf = ({ workflowType, staticSummary }: (typeof schedules)[number]['action']): string =>
  workflowType === 'job' ? staticSummary : `See the process \`${workflowType}\``;

function when({ intervals = [], calendars = [] }: ScheduleSpec): string {
  const [interval] = intervals;
  if (interval) {
    const offset = interval.offset === undefined ? '' : ` at ${interval.offset}`;
    return `every ${interval.every}${offset}`;
  }
  const two = (part: unknown): string => String(part).padStart(2, '0');
  return calendars
    .map(({ hour, minute, dayOfWeek, dayOfMonth }) => {
      const day = dayOfWeek === 'MONDAY' ? 'Monday' : dayOfMonth === 1 ? 'the 1st' : 'daily';
      return `${day} at ${two(hour)}:${two(minute)}`;
    })
    .join(', ');
}
