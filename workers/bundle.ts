import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { bundleWorkflowCode, DefaultLogger, type LogLevel } from '@temporalio/worker';

const dist = path.resolve(__dirname, '..');

/** Where the prebuilt workflows lie, beside the compiled code: as they are, and with what takes traces of them. */
export const bundlePaths = {
  plain: path.join(dist, 'workflow-bundle.js'),
  traced: path.join(dist, 'workflow-bundle.traced.js'),
} as const;

export type BundleKind = keyof typeof bundlePaths;

const requestId = require.resolve('../workflows/kit/request-id');
/** OpenTelemetry costs every process some milliseconds and memory, also when nobody listens; hence two bundles. */
const interceptors = (kind: BundleKind): string[] =>
  kind === 'plain'
    ? [requestId]
    : [requestId, require.resolve('@temporalio/interceptors-opentelemetry/lib/workflow-interceptors')];

/** All workflows in one text, as workers load it. */
export async function bundle(kind: BundleKind, level: LogLevel = 'WARN'): Promise<string> {
  const { code } = await bundleWorkflowCode({
    workflowsPath: require.resolve('../workflows'),
    workflowInterceptorModules: interceptors(kind),
    logger: new DefaultLogger(level),
  });
  return code;
}

/** Bundles all workflows once, at build time, so that a worker starts without compiling. */
async function writeBundles(): Promise<void> {
  await mkdir(dist, { recursive: true });
  await writeFile(bundlePaths.plain, await bundle('plain'));
  await writeFile(bundlePaths.traced, await bundle('traced'));
}

if (require.main === module) void writeBundles();
