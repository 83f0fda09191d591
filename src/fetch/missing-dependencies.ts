import { stringifyJson } from '../model/json.ts'
import type { ChartRequirement, ChartRequirements, ChartRules } from '../ports.ts'
import { shown } from './wanted-version.ts'

/** A requirement of one chart that nothing in `charts/` meets. */
export interface MissingDependency {
  readonly requirement: ChartRequirement
  readonly chart: ChartRequirements
  readonly key: string
}

/**
 * A chart of the name that is there counts, as for Helm, even if its version is out of the range; not where the same chart
 * asks for two versions under two aliases and it is the other one.
 */
export async function missingIn(charts: readonly ChartRequirements[], rules: ChartRules) {
  const missing: MissingDependency[] = []
  const outside: string[] = []
  for (const chart of charts) {
    const fits = ({ version }: ChartRequirement, present: string) => isInRange(present, version, rules)
    for (const requirement of chart.required) {
      if (!requirement.isEnabled) continue
      const { name, version, repository, presentVersion: present } = requirement
      const key = stringifyJson([chart.parent ?? null, chart.name, name, version, repository])
      if (present === undefined) missing.push({ requirement, chart, key })
      else if (!(await fits(requirement, present))) {
        const namesakes = chart.required.filter((other) => other !== requirement && other.name === name)
        const ofOthers = await Promise.all(namesakes.map((other) => fits(other, present)))
        if (ofOthers.includes(true)) missing.push({ requirement, chart, key })
        else outside.push(`${titleOf({ requirement, chart })}: charts/ holds ${shown(present)}, and Helm uses that`)
      }
    }
  }
  return { missing, outside }
}

export async function isInRange(version: string, range: string, rules: ChartRules): Promise<boolean> {
  // A range that cannot be read is told where it is needed.
  const chosen = await rules.choose({ versions: [version], wanted: range, from: 'requirement' }).catch(() => undefined)
  return chosen !== undefined
}

/** `dependency cache ^1.2 of chart shop`. */
export function titleOf({ requirement, chart }: Pick<MissingDependency, 'requirement' | 'chart'>): string {
  const range = requirement.version === '' ? '' : ` ${shown(requirement.version)}`
  return `dependency ${shown(requirement.name)}${range} of chart ${shown(chart.name)}`
}
