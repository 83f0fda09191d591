import { messageOf, RenderError } from '../model/errors.ts'
import type { FromWorker, PackedAnswer, ToWorker } from './protocol.ts'

type Lookup = Extract<FromWorker, { type: 'lookup' }>
type Entered = Extract<FromWorker, { type: 'entered' }>

/** Answers one `lookup` with JSON text, `''` where there is nothing. */
export type AnswerLookup = (asked: Lookup) => Promise<string>

/** One call while it runs: its time limit, its lookups, and what it is working on. */
export interface EngineCall {
  readonly answer: Promise<PackedAnswer>
  succeed(answer: PackedAnswer): void
  fail(error: Error): void
  enter(entered: Entered): void
  run(templates: readonly string[]): void
  lookup(asked: Lookup): void
  /** An error that names what was worked on last. */
  explain(what: string, cause?: Error): RenderError
}

export function startCall(options: {
  readonly post: (message: ToWorker) => void
  readonly kill: (error: Error) => void
  readonly timeoutMs: number
  readonly answerLookup: AnswerLookup | undefined
  readonly templatesDone: () => number
}): EngineCall {
  const { promise, resolve, reject } = Promise.withResolvers<PackedAnswer>()
  let entered: Pick<Entered, 'step' | 'name'> | undefined
  let templates: readonly string[] = []
  let waitingLookups = 0
  const explain = (what: string, cause?: Error) => {
    const template = templates[options.templatesDone()]
    const place = template === undefined ? entered : ({ step: 'template', name: template } as const)
    return new RenderError(blame(place, what), cause && { cause })
  }
  const clock = stopwatch(options.timeoutMs, () =>
    options.kill(explain(`does not finish: stopped after ${options.timeoutMs / 1000} s`)),
  )
  clock.run()

  const answerLookup = async (asked: Lookup) => {
    waitingLookups += 1
    clock.pause()
    let reply: ToWorker
    try {
      reply = { type: 'looked-up', id: asked.id, json: (await options.answerLookup?.(asked)) ?? '' }
    } catch (error) {
      reply = { type: 'lookup-failed', id: asked.id, message: messageOf(error) }
    }
    options.post(reply)
    waitingLookups -= 1
    if (waitingLookups === 0) clock.run()
  }
  return {
    answer: promise.finally(() => clock.pause()),
    succeed: resolve,
    fail: reject,
    enter: (message) => {
      entered = message
      templates = []
    },
    run: (names) => {
      templates = names
    },
    lookup: (asked) => void answerLookup(asked),
    explain,
  }
}

function blame(entered: Pick<Entered, 'step' | 'name'> | undefined, what: string): RenderError['details'] {
  switch (entered?.step) {
    case 'template':
      return {
        message: `template ${entered.name} ${what}`,
        template: entered.name,
        chart: chartOfTemplate(entered.name),
      }
    case 'schema':
      return { message: `values.schema.json of chart ${entered.name} ${what}`, chart: chartOfTemplate(entered.name) }
    case 'load':
      return { message: `loading the chart ${entered.name} ${what}` }
    case 'choose':
      return { message: `choosing the version for "${entered.name}" ${what}` }
    case 'verify':
      return { message: `checking the signature of ${entered.name} ${what}` }
    default:
      return { message: `rendering ${what}` }
  }
}

/** `sub` of `root/charts/sub/templates/x.yaml`. */
function chartOfTemplate(path: string): string {
  const parts = path.split('/')
  let name = parts[0] ?? ''
  for (let i = 1; parts[i] === 'charts'; i += 2) name = parts[i + 1] ?? name
  return name
}

/** Counts down while it runs. */
function stopwatch(leftMs: number, onEnd: () => void) {
  let timer: NodeJS.Timeout | undefined
  let startedMs = 0
  let remainingMs = leftMs
  return {
    run: () => {
      if (timer !== undefined) return
      startedMs = performance.now()
      timer = setTimeout(onEnd, remainingMs)
    },
    pause: () => {
      if (timer === undefined) return
      clearTimeout(timer)
      timer = undefined
      remainingMs -= performance.now() - startedMs
    },
  }
}
