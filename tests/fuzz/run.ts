import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { documentedPath } from '../../api/docs/path';
import type { Endpoint } from '../../api/http/endpoint';
import type { FuzzSet } from './config';
import type { Fuzzable, Role } from './world/fuzz-world';
import { settingsFor } from './settings';

const Report = z.object({
  complete: z.boolean(),
  operations: z.object({ selected: z.number(), tested: z.number() }),
  test_cases: z.object({ generated: z.number() }),
  failures: z.array(z.object({ title: z.string(), operations: z.array(z.string()) })),
  errors: z.array(z.unknown()),
});

/** The outcome of one run of Schemathesis. */
export interface Outcome {
  report: z.output<typeof Report>;
  /** Its output, with a curl command for each failure. */
  output: string;
}

export interface Run {
  tool: string;
  set: FuzzSet;
  called: readonly Endpoint[];
}

/** Fuzzes these endpoints as one role. Throws if Schemathesis cannot run; failures that it found are answered. */
export async function fuzz(fuzzed: Fuzzable, role: Role, run: Run): Promise<Outcome> {
  const dir = await mkdtemp(join(tmpdir(), 'fuzz-'));
  try {
    const settings = join(dir, 'schemathesis.toml');
    const report = join(dir, 'report.json');
    await writeFile(settings, settingsFor(fuzzed, role));
    const url = `${fuzzed.world.url}/api/docs/openapi.json`;
    const args = ['--config-file', settings, '--no-color', 'run', url, ...optionsOf(role, run, report)];
    const output = await outputOf(run.tool, args, dir, run.set.limitMs);
    const text = await readFile(report, 'utf8').catch(() => {
      throw new Error(`Schemathesis made no report:\n${output}`);
    });
    return { report: Report.parse(JSON.parse(text)), output };
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

const optionsOf = ({ token }: Role, { set, called }: Run, report: string): string[] => [
  ...['--phases', set.phases, '--max-examples', String(set.examples), '--seed', String(set.seed)],
  ...['--generation-database', 'none', '--continue-on-failure', '--request-timeout', '30'],
  ...['--report', 'json', '--report-json-path', report],
  ...(token === null ? [] : ['--header', `Authorization: Bearer ${token}`]),
  ...called.flatMap((endpoint) => [
    '--include-name',
    `${endpoint.method.toUpperCase()} ${documentedPath(endpoint)}`,
  ]),
];

/** Runs the tool to its end, whatever its result. */
function outputOf(tool: string, args: string[], cwd: string, timeout: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(tool, args, { cwd, timeout, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const keep = (chunk: Buffer): void => void (output += chunk.toString());
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', reject);
    child.on('close', (_code, signal) => {
      if (signal === null) resolve(output);
      else reject(new Error(`Schemathesis was stopped by ${signal} after ${timeout} ms:\n${output}`));
    });
  });
}
