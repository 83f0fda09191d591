import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..')

/** `npm run -s release-notes -- v1.2.3`: what CHANGELOG.md says of a version. Needs Node alone, so that a release installs nothing. */
if (process.argv[1] === import.meta.filename) {
  try {
    const [changelog, manifest] = await Promise.all(
      ['CHANGELOG.md', 'package.json'].map((file) => readFile(join(ROOT, file), 'utf8')),
    )
    const { version } = JSON.parse(manifest ?? '') as { readonly version: string }
    process.stdout.write(releaseNotes(changelog ?? '', { tag: process.argv[2] ?? '', version }))
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
}

/** The section of the changelog under `## 1.2.3`, whatever stands behind the version. */
export function releaseNotes(changelog: string, { tag, version }: { tag: string; version: string }): string {
  if (tag !== `v${version}`)
    throw new Error(`the tag is ${tag || 'missing'}, and package.json has the version ${version}`)
  const sections = changelog.split(/^## /m).slice(1)
  const section = sections.find((text) => text.split(/\s/, 1)[0] === version)
  const notes = section?.slice(section.indexOf('\n')).trim() ?? ''
  if (notes === '') throw new Error(`CHANGELOG.md has no text under "## ${version}": rename "## Unreleased" first`)
  return `${notes}\n`
}
