import { RE2JS } from 're2js'
import type { LogRules } from '../model/directives.ts'

/** Whether the log of this container is shown at all. */
export function isContainerShown({ skip, skipContainers, onlyContainers }: LogRules, container: string): boolean {
  if (skip || skipContainers.includes(container)) return false
  return onlyContainers.length === 0 || onlyContainers.includes(container)
}

/**
 * Which lines of a container's log are shown: none that a skip pattern matches, and where there are patterns to keep,
 * only those that one of them matches. Patterns are RE2, which no chart can make run away.
 * Source: docs/sources.md#kubedog-logs.
 */
export function lineFilter(rules: LogRules, container: string): (line: string) => boolean {
  const forContainer = (patterns: LogRules['keep']) =>
    patterns
      .filter((rule) => rule.container === undefined || rule.container === container)
      .map(({ pattern }) => RE2JS.compile(pattern))
  const keep = forContainer(rules.keep)
  const drop = forContainer(rules.drop)
  const matches = (patterns: readonly RE2JS[], line: string) => patterns.some((pattern) => pattern.matcher(line).find())
  return (line) => !matches(drop, line) && (keep.length === 0 || matches(keep, line))
}
