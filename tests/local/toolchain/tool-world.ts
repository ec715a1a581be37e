import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readToolchainConfig, type ToolchainConfig } from '../../../local/toolchain/config';
import type { SdkDownload } from '../../../local/toolchain/sdk-download';

/** A machine of its own for the toolchain: an empty PATH, an empty cache, and no network. */
export interface ToolWorld {
  dir: string;
  bin: string;
  /** The lines that the toolchain has logged. */
  lines: string[];
  log: (line: string) => void;
  config: (env?: NodeJS.ProcessEnv) => ToolchainConfig;
  /** Puts a shell script on PATH and returns its path. Only absolute commands work in it. */
  program: (name: string, script?: string) => Promise<string>;
  remove: () => Promise<void>;
}

export const makeToolWorld = async (): Promise<ToolWorld> => {
  const dir = await mkdtemp(path.join(tmpdir(), 'tools-'));
  const bin = path.join(dir, 'bin');
  await mkdir(bin);
  const lines: string[] = [];
  return {
    dir,
    bin,
    lines,
    log: (line) => lines.push(line),
    config: (env = {}) =>
      readToolchainConfig({ PATH: bin, XDG_CACHE_HOME: path.join(dir, 'cache'), TMPDIR: dir, ...env }),
    program: (name, script = 'exit 0') => executable(path.join(bin, name), script),
    remove: () => rm(dir, { recursive: true, force: true }),
  };
};

export const executable = async (file: string, script = 'exit 0'): Promise<string> => {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, `#!/bin/sh\n${script}\n`);
  await chmod(file, 0o755);
  return file;
};

export const noNetwork: SdkDownload = () => Promise.reject(new Error('the download failed: no such host'));
