import type { LogQuery } from '../../src/ports.ts'

/** Container logs of the fake API server. Namespaces play no part: tests use each pod name once. */
export interface FakeLogs {
  readonly add: (pod: string, container: string, ...lines: readonly string[]) => void
  /** The container has ended: its followers return. */
  readonly end: (pod: string, container: string) => void
  readonly setPrevious: (pod: string, container: string, text: string) => void
  readonly read: (query: LogQuery) => string
  readonly follow: (query: LogQuery, onLine: (line: string) => void, signal: AbortSignal) => Promise<void>
  readonly followers: () => number
}

interface ContainerLog {
  readonly lines: string[]
  hasEnded: boolean
  previous: string
  readonly onLine: Set<(line: string) => void>
  readonly onEnd: Set<() => void>
}

export function fakeLogs(): FakeLogs {
  const logs = new Map<string, ContainerLog>()
  let open = 0

  function of(pod: string, container: string): ContainerLog {
    const key = `${pod}/${container}`
    const found = logs.get(key) ?? { lines: [], hasEnded: false, previous: '', onLine: new Set(), onEnd: new Set() }
    logs.set(key, found)
    return found
  }

  return {
    add(pod, container, ...lines) {
      const log = of(pod, container)
      log.lines.push(...lines)
      for (const line of lines) for (const listener of [...log.onLine]) listener(line)
    },
    end(pod, container) {
      const log = of(pod, container)
      log.hasEnded = true
      for (const listener of [...log.onEnd]) listener()
    },
    setPrevious(pod, container, text) {
      of(pod, container).previous = text
    },
    read(query) {
      const log = of(query.pod, query.container)
      const lines = query.previous === true ? log.previous.split('\n') : log.lines
      return lines
        .slice(-(query.tailLines ?? lines.length))
        .join('\n')
        .slice(0, query.limitBytes)
    },
    follow(query, onLine, signal) {
      const log = of(query.pod, query.container)
      for (const line of log.lines) onLine(line)
      if (log.hasEnded || signal.aborted) return Promise.resolve()
      open += 1
      return new Promise((resolve) => {
        const stop = (): void => {
          open -= 1
          log.onLine.delete(onLine)
          log.onEnd.delete(stop)
          signal.removeEventListener('abort', stop)
          resolve()
        }
        log.onLine.add(onLine)
        log.onEnd.add(stop)
        signal.addEventListener('abort', stop, { once: true })
      })
    },
    followers: () => open,
  }
}
