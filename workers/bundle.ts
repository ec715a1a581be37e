import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { bundleWorkflowCode, DefaultLogger, type LogLevel } from '@temporalio/worker';

const dist = path.resolve(__dirname, '..');

/** The paths of the prebuilt workflow bundles next to the compiled code: without and with tracing. */
export const bundlePaths = {
  plain: path.join(dist, 'workflow-bundle.js'),
  traced: path.join(dist, 'workflow-bundle.traced.js'),
} as const;

export type BundleKind = keyof typeof bundlePaths;

const requestId = require.resolve('../workflows/kit/request-id');
/** OpenTelemetry costs every process time and memory even if no traces are exported; hence two bundles. */
const interceptors = (kind: BundleKind): string[] =>
  kind === 'plain'
    ? [requestId]
    : [requestId, require.resolve('@temporalio/interceptors-opentelemetry/lib/workflow-interceptors')];

/** The code of all workflows in one file, as workers load it; `additional` are paths of more interceptors. */
export async function bundle(
  kind: BundleKind,
  level: LogLevel = 'WARN',
  additional: readonly string[] = [],
): Promise<string> {
  const { code } = await bundleWorkflowCode({
    workflowsPath: require.resolve('../workflows'),
    workflowInterceptorModules: [...interceptors(kind), ...additional],
    logger: new DefaultLogger(level),
  });
  return code;
}

/** Writes both bundles at build time, so that workers start without bundling. */
async function writeBundles(): Promise<void> {
  await mkdir(dist, { recursive: true });
  await writeFile(bundlePaths.plain, await bundle('plain'));
  await writeFile(bundlePaths.traced, await bundle('traced'));
}

if (require.main === module) void writeBundles();
