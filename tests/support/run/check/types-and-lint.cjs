/**
 * `npm run lint`: reports errors of types, and findings of ESLint in the files named, or in all. One TypeScript program
 * serves both: ESLint by itself would build another, which takes twice the time and more memory than Node's default.
 */
const { ESLint } = require('eslint');
const { resolve } = require('node:path');
const ts = require('typescript');

const root = resolve(__dirname, '../../../..');

/** The program of tsconfig.json; throws if the file cannot be read. */
function readProgram() {
  const host = {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: (diagnostic) => {
      throw new Error(ts.formatDiagnostic(diagnostic, formatHost));
    },
  };
  const { fileNames, options } = ts.getParsedCommandLineOfConfigFile(
    resolve(root, 'tsconfig.json'),
    {},
    host,
  );
  return ts.createProgram(fileNames, options);
}

const formatHost = {
  getCanonicalFileName: (name) => name,
  getCurrentDirectory: () => root,
  getNewLine: () => '\n',
};

/** The errors of types as text, empty if there are none. */
const typeErrors = (program) => ts.formatDiagnostics(ts.getPreEmitDiagnostics(program), formatHost);

/** ESLint's findings in these files as text, empty if there are none; a warning is a finding. */
async function findings(program, files) {
  const parserOptions = { projectService: false, programs: [program] };
  const eslint = new ESLint({
    cwd: root,
    warnIgnored: false,
    overrideConfig: [{ files: ['**/*.ts'], languageOptions: { parserOptions } }],
  });
  const formatter = await eslint.loadFormatter('stylish');
  return formatter.format(await eslint.lintFiles(files));
}

async function main(files) {
  const program = readProgram();
  const reports = [typeErrors(program), await findings(program, files.length > 0 ? files : ['.'])].filter(
    Boolean,
  );
  for (const report of reports) console.error(report);
  process.exitCode = reports.length > 0 ? 1 : 0;
}

void main(process.argv.slice(2));
