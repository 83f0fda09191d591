import type { Dialect, Row } from './dialect.ts'
import { dialects } from './dialects.ts'
import { foreignFamilies } from './unknown-keys.ts'

/** The whole of `docs/annotations.md`, printed from the tables that the code reads annotations by. */
export function annotationsMarkdown(): string {
  return [head(), ...dialects.map(section), foot].join('\n')
}

function head(): string {
  return `# Annotations

Printed from the tables in \`src/directives/\` by \`npm run docs\`; do not edit.

An object may carry annotations of several families. Then ${precedence()},
**directive by directive**: a \`helm.sh/hook\` with \`werf.io/weight\` is a hook of that weight, and keeps all its
other annotations. Annotations that are not used are listed in the plan.

A malformed value of \`werf.io\` or \`kots.io\`, and an unknown hook event, is an error: all of them are shown at once and
nothing is written. A value of \`helm.sh\` that Helm tolerates is a warning. An unknown key that looks like a typo
is a warning. Values are always strings in quotes, as Kubernetes requires.
`
}

/** `werf.io counts first, kots.io second and helm.sh third`. */
function precedence(): string {
  const domains = [...new Set(dialects.map(({ domain }) => domain))]
  const parts = domains.map((domain, index) => `${domain}${index === 0 ? ' counts' : ''} ${ORDINALS[index]}`)
  return `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}

const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth']

const foot = `## Not used

Annotations of these tools are left as they are and listed in the plan. So are unknown keys of the families above.

${foreignFamilies.map(({ tool, prefixes }) => `- ${tool}: ${prefixes.map((prefix) => `\`${prefix}\``).join(', ')}`).join('\n')}

## The order of hooks

Hooks of one event run one at a time by weight, then by kind in install order, then by name: what Helm documents. Helm's
code compares the name before the kind; kind first is the safer order, because the Role comes before the Job that needs it.

## Objects without annotations

They are deployed in the stage \`main\` on install, upgrade and rollback with weight 0, belong to the release, and are
deleted when they leave it. Objects of \`crds/\` are deployed first, on install and upgrade, belong to no release and are never
deleted. An object of a chart that is left out of a run by its \`deploy-on\` is left unchanged.
`

function section(dialect: Dialect): string {
  const lines = dialect.rows.map(tableLine)
  const titles = '| Key | Values | Default | On | Meaning | Where we differ from the tool |'
  return `## ${dialect.name}\n\n${titles}\n|---|---|---|---|---|---|\n${lines.join('\n')}\n`
}

function tableLine(row: Row): string {
  const verbs = row.on === undefined ? row.verbs : `${row.verbs}; ${row.on} only`
  const cells = [row.form, row.default, verbs, row.meaning, row.differs].map(tableCell)
  return `| \`${row.key}\` | ${cells.join(' | ')} |`
}

/** Text as Markdown shows it unchanged in a table; code spans stay code. */
function tableCell(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith('`') ? part : part.replace(/[\\<*[\]_]/g, '\\$&')))
    .join('')
    .replaceAll('|', '\\|')
}
