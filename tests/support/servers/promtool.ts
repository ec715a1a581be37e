import { execFile } from 'node:child_process';
import { provided } from '../run/provided';

/** Runs Prometheus's own tool; answers its exit code and all that it wrote. */
export const promtool = (...args: string[]): Promise<{ code: number; output: string }> =>
  new Promise((settle) => {
    execFile(provided('TEST_PROMTOOL_PATH'), args, (error, stdout, stderr) =>
      settle({ code: error ? Number(error.code ?? -1) : 0, output: stdout + stderr }),
    );
  });
