/**
 * Files with a line, and folders with a file, for each thing of a kind: they grow with their kind, so no limit of lines or
 * files holds for them. Paths from the root; that of a folder ends with a slash.
 */
module.exports.lists = [
  'activities/index.ts',
  'api/endpoints.ts',
  'api/http/answer/errors.ts',
  'db/policy/config.ts',
  'db/schema/migrations/',
  'tests/replay/',
  'workers/schedules.ts',
  'workflows/index.ts',
];
