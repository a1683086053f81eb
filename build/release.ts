/** Steps of a release, run by the workflow or a maintainer: `npm run release -- STEP`. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const usage = `usage: npm run release -- STEP

  check TAG            the tag, package.json and CHANGELOG.md name the same version, nothing is unreleased, and
                       package.json names the repository
  files                writes packages, executables, bill of materials, notes and checksums into --folder
  npm                  publishes the packages; --dry-run sends nothing
  image REGISTRY       builds the image, and pushes it as VERSION and latest
  announce             makes the release of the tag, with its notes and files

  --folder FOLDER  where the files are (release)
  --dry-run        of npm: sends nothing
`;

const steps: Readonly<Record<string, (argument: string | undefined) => void>> = {
  check: (tag) => checkVersion(tag ?? ''),
  files: writeFiles,
  npm: publishPackages,
  image: (registry = '') => pushImage(registry),
  announce: makeRelease,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    folder: { type: 'string', default: 'release' },
    'dry-run': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const { version, repository } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly version: string;
  readonly repository?: unknown;
};
const step = steps[positionals[0] ?? ''];
if (step === undefined || values.help) {
  process.stdout.write(usage);
  process.exitCode = values.help ? 0 : 2;
} else {
  try {
    step(positionals[1]);
  } catch (error) {
    process.stderr.write(`error: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}

function checkVersion(tag: string): void {
  if (tag !== `v${version}`) throw new Error(`the tag is ${tag}, and package.json has version ${version}`);
  const [unreleased = ''] = readFileSync('CHANGELOG.md', 'utf8').split(/^## \[\d/m);
  if (/^- /m.test(unreleased)) throw new Error('CHANGELOG.md has entries under "Unreleased"');
  notesOf(version);
  if (repository === undefined)
    throw new Error('package.json has no "repository", without which npm refuses packages with provenance');
}

/** Returns the section of a version in the changelog, without its heading. */
function notesOf(released: string): string {
  const sections = readFileSync('CHANGELOG.md', 'utf8').split(/^## /m);
  const section = sections.find((one) =>
    new RegExp(`^\\[${RegExp.escape(released)}\\] - \\d{4}-\\d\\d-\\d\\d$`, 'm').test(one),
  );
  if (section === undefined) throw new Error(`CHANGELOG.md has no section "## [${released}] - DATE"`);
  return `${section.slice(section.indexOf('\n')).trim()}\n`;
}

function writeFiles(): void {
  rmSync(values.folder, { recursive: true, force: true });
  mkdirSync(values.folder, { recursive: true });
  run('npm', ['pack', '--pack-destination', values.folder]);
  for (const name of ['plugin-metrics-client', 'plugin-metrics-reporter'])
    run('npm', ['pack', '--pack-destination', values.folder, `./dist/${name}`]);
  run('npm', ['run', '--silent', 'single-file', '--', '--folder', values.folder, 'x64', 'arm64']);
  const sbom = execFileSync('npm', [
    'sbom',
    '--package-lock-only',
    '--omit=dev',
    '--sbom-format',
    'cyclonedx',
  ]);
  writeFileSync(join(values.folder, `plugin-metrics-${version}.sbom.json`), sbom);
  writeFileSync(join(values.folder, 'notes.md'), notesOf(version));
  const sums = releasedFiles()
    .sort()
    .map((name) => {
      const sum = createHash('sha256').update(readFileSync(join(values.folder, name)));
      return `${sum.digest('hex')}  ${name}\n`;
    });
  writeFileSync(join(values.folder, 'SHA256SUMS'), sums.join(''));
}

/** Lists the files that people can download: all but the notes, which are the text of the release. */
function releasedFiles(): string[] {
  return readdirSync(values.folder).filter((name) => name !== 'notes.md');
}

function publishPackages(): void {
  const packages = readdirSync(values.folder).filter((name) => name.endsWith('.tgz'));
  if (packages.length !== 3)
    throw new Error(`${values.folder} has ${packages.length} packages, not 3: run the step "files" first`);
  // Provenance needs the identity of the workflow.
  const options = values['dry-run'] ? ['--dry-run'] : ['--access', 'public', '--provenance'];
  for (const name of packages) run('npm', ['publish', ...options, `./${join(values.folder, name)}`]);
}

function pushImage(registry: string): void {
  if (registry === '') throw new Error('image needs the REGISTRY that operators pull from');
  const image = `${registry}/plugin-metrics`;
  run('docker', ['build', '--tag', `${image}:${version}`, '--tag', `${image}:latest`, '.']);
  run('docker', ['push', '--all-tags', image]);
}

function makeRelease(): void {
  const files = releasedFiles().map((name) => join(values.folder, name));
  const notes = ['--title', `plugin-metrics ${version}`, '--notes-file', join(values.folder, 'notes.md')];
  run('gh', ['release', 'create', `v${version}`, '--verify-tag', ...notes, ...files]);
}

function run(program: string, argv: readonly string[]): void {
  execFileSync(program, argv, { stdio: 'inherit' });
}
