import { spawn } from 'node:child_process';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Log } from '../logs/log';
import type { Found, Step } from './chain';
import type { ToolchainConfig } from './config';
import { isExecutable } from './executable';
import { withMachineLock } from './make-once';

type SdkTool = 'temporal' | 'temporal-test-server';

/** Asks the SDK for its own download into the directory; rejects with the SDK's reason. */
export type SdkDownload = (tool: SdkTool, downloadDir: string, env: NodeJS.ProcessEnv) => Promise<void>;

/** Time to the first byte, after which the host counts as unreachable. */
const BEGIN_WITHIN_MS = 15_000;
const END_WITHIN_MS = 300_000;

/** In a process of its own, since the SDK's native download can neither be hurried nor stopped. */
const SCRIPT = `
const { TestWorkflowEnvironment } = require('@temporalio/testing');
const [kind, downloadDir] = process.argv.slice(1);
const server = { executable: { type: 'cached-download', downloadDir } };
const started = kind === 'temporal' ? TestWorkflowEnvironment.createLocal({ server }) : TestWorkflowEnvironment.createTimeSkipping({ server });
started.then((world) => world.teardown()).then(() => process.exit(0), (error) => { console.error(error.message); process.exit(1); });
`;

/** Runs the SDK's download of its test servers; fails early when nothing arrives. */
export const downloadBySdk: SdkDownload = (tool, downloadDir, env) =>
  new Promise((resolve, reject) => {
    const args = ['-e', SCRIPT, tool, downloadDir];
    const child = spawn(process.execPath, args, { cwd: __dirname, env, stdio: ['ignore', 'ignore', 'pipe'] });
    let reason = '';
    child.stderr.on('data', (chunk: Buffer) => (reason += chunk.toString()));
    const giveUp = (why: string) => {
      reason = why;
      child.kill('SIGKILL');
    };
    const begun = setTimeout(() => {
      void readdir(downloadDir).then((files) => {
        if (files.length === 0) giveUp(`no answer within ${BEGIN_WITHIN_MS / 1000} s`);
      });
    }, BEGIN_WITHIN_MS);
    const ended = setTimeout(() => {
      giveUp(`not finished within ${END_WITHIN_MS / 1000} s`);
    }, END_WITHIN_MS);
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(begun);
      clearTimeout(ended);
      if (code === 0) resolve();
      else reject(new Error(`the download failed: ${reason.trim()}`));
    });
  });

/** The SDK's name for what it has downloaded ends in its own version, so match by the beginning. */
async function downloaded(dir: string, tool: SdkTool): Promise<string | undefined> {
  const files = await readdir(dir).catch(() => []);
  for (const file of files.filter((name) => name.startsWith(`${tool}-sdk-typescript-`))) {
    const candidate = path.join(dir, file);
    if (file.endsWith('.downloading') || !(await isExecutable(candidate))) continue;
    // The temporary directory is open to everybody: what another user has put there isn't run.
    if ((await stat(candidate)).uid === process.getuid?.()) return candidate;
  }
  return undefined;
}

interface SdkSource {
  tool: SdkTool;
  config: ToolchainConfig;
  download: SdkDownload;
  /** The file that a later step has made before; while it exists, nothing is downloaded. */
  madeBefore: string;
  log: Log;
}

/** The SDK's cached download: an earlier one, or a new one stored in the user's cache directory. */
export const fromSdk = ({ tool, config, download, madeBefore, log }: SdkSource): Step => ({
  name: "the SDK's download",
  find: async (): Promise<Found> => {
    const ownDir = path.join(config.cacheDir, 'sdk-download', tool);
    const earlier = (await downloaded(ownDir, tool)) ?? (await downloaded(config.sdkDir, tool));
    if (earlier !== undefined) return { path: earlier };
    if (await isExecutable(madeBefore))
      return { skipped: 'none yet, and not downloaded since one is cached' };
    const fresh = await withMachineLock(ownDir, log, async () => {
      const others = await downloaded(ownDir, tool);
      if (others !== undefined) return others;
      await rm(ownDir, { recursive: true, force: true });
      await mkdir(ownDir, { recursive: true });
      await download(tool, ownDir, config.env);
      return downloaded(ownDir, tool);
    });
    return fresh === undefined ? { skipped: `nothing arrived in ${ownDir}` } : { path: fresh };
  },
});
