import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';

/** Where the prebuilt workflows lie, beside the compiled code. */
export const bundlePath = path.resolve(__dirname, '../workflow-bundle.js');

/** Bundles all workflows once, at build time, so that a worker starts without compiling. */
export async function writeBundle(target: string = bundlePath): Promise<void> {
  const { code } = await bundleWorkflowCode({
    workflowsPath: require.resolve('../workflows'),
    logger: new DefaultLogger('WARN'),
  });
  await mkdir(path.dirname(target), { recursive: true });
  await writeFile(target, code);
}

if (require.main === module) void writeBundle();
