import { expect, test } from 'vitest'
import type { PassResult } from '../../src/model/pass.ts'
import type { Runner } from '../../src/ports.ts'
import { createReporter } from '../../src/run/reporter.ts'
import { safeRunner } from '../../src/run/safe-runner.ts'
import { createSecrets } from '../../src/secrecy/known-secrets.ts'
import { posted } from '../report/comment/posted.ts'
import { apply, group, plan, ref, stage } from '../report/plans.ts'
import { at, evidence, failure, info, pass } from '../report/runs.ts'
import { seededRandom } from '../seeded-random.ts'

/** Two of each shape at each start; all 200 by `CANARIES=200`. */
const CANARIES = Number(process.env.CANARIES ?? 24)

/** All of them take eleven seconds alone, more on a busy machine. */
const SLOW_MS = 300_000

/** A value of a Secret, and what of it must be found nowhere. */
interface Canary {
  readonly value: string
  readonly cores: readonly string[]
}

/** Shapes that values of Secrets have; a core is a text that nothing else contains. */
const shapes: readonly ((core: () => string) => Canary)[] = [
  (core) => one(core(), (it) => it),
  (core) => one(core(), (it) => `${it} "<&/+ é`),
  (core) => one(core(), (it) => it.slice(0, 6)),
  (core) => one(core(), (it) => `-----BEGIN KEY-----\n${it}\n-----END KEY-----\n`),
  (core) => one(core(), (it) => JSON.stringify({ user: 'shop', password: it, ports: [5432] })),
  (core) => one(core(), (it) => `postgres://shop:${it}@db.example.com/shop`),
  (core) =>
    one(core(), (it) =>
      JSON.stringify({ auths: { 'registry.example.com': { auth: Buffer.from(`robot:${it}`).toString('base64') } } }),
    ),
  (core) => one(core(), (it) => `eyJhbGciOiJub25lIn0.${it}.c2ln`),
  (core) => one(core(), (it) => `😀${it}漢字`),
  (core) => one(core(), (it) => `\t${it}\r\n`),
  (core) => one(core(), (it) => `${it.repeat(100)}`),
  (core) => {
    const cores = Array.from({ length: 5 }, core)
    return { value: cores.map((it, index) => `KEY_${index}=${it}`).join('\n'), cores }
  },
]

test(
  `S-27 ${CANARIES} values of Secrets are in nothing that a plan, a failed deploy or a fault of GitHub leaves`,
  async () => {
    const random = seededRandom(27)
    const core = () => Array.from({ length: 12 }, () => 'bcdfghjkqvwxz'[Math.floor(random() * 13)]).join('')
    const found: string[] = []
    for (let index = 0; index < CANARIES; index += 1) {
      const { value, cores } = shapes[index % shapes.length]?.(core) ?? one(core(), (it) => it)
      const texts = formsOf(value)
      const left = [...(await leftBy(value, planned(texts))), ...(await leftBy(value, failed(texts)))]
      for (const [where, text] of left) {
        // Without a mask there, nothing was looked for.
        if (where === 'comment' || where === 'log') expect(text, `${where} of ${value}`).toContain('***')
        const shown = cores.flatMap((it) => [it, base64Core(value, it)]).filter((it) => it !== '' && text.includes(it))
        if (shown.length > 0) found.push(`${where}: ${shown.join()} of ${JSON.stringify(value).slice(0, 100)}`)
      }
    }
    expect(found).toEqual([])
  },
  SLOW_MS,
)

function one(core: string, around: (core: string) => string): Canary {
  const value = around(core)
  return { value, cores: [value.includes(core) ? core : value.length < core.length ? value : core] }
}

/** Ways in which charts, pods and servers repeat a value. */
function formsOf(value: string): readonly string[] {
  const base64 = Buffer.from(value).toString('base64')
  const json = JSON.stringify(value)
  return [
    value,
    base64,
    Buffer.from(`${value}\n`).toString('base64'),
    base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, ''),
    encodeURIComponent(value),
    json,
    json.replace(/[<>&]/g, (char) => `\\u00${char.charCodeAt(0).toString(16)}`),
    `password=${value}; then`,
  ]
}

/** What the base64 text of the whole value shows of the core. */
function base64Core(value: string, core: string): string {
  const from = Buffer.byteLength(value.slice(0, value.indexOf(core)))
  const [first, last] = [Math.ceil(from / 3) * 4, Math.floor((from + Buffer.byteLength(core)) / 3) * 4]
  const shown = value.includes(core) ? Buffer.from(value).toString('base64').slice(first, last) : ''
  return shown.length >= 6 ? shown : ''
}

function planOf(texts: readonly string[]) {
  const data = Object.fromEntries(texts.map((text, index) => [`form-${index}`, text]))
  const object = (values: object) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    data: { ...values, same: texts.join(' ') },
  })
  return plan({
    stages: [
      stage('main', [
        group(0, [
          [
            apply(
              ref('v1', 'ConfigMap', 'web'),
              'update',
              { code: 'chart-changed', paths: texts.map((_, index) => `/data/form-${index}`) },
              { file: 'shop/templates/a.yaml', before: object({ 'form-0': 'old' }), after: object(data) },
            ),
          ],
        ]),
      ]),
    ],
  })
}

function planned(texts: readonly string[]): PassResult {
  return pass({ command: 'plan', plan: planOf(texts), notes: texts.join('\n') })
}

function failed(texts: readonly string[]): PassResult {
  const text = texts.join('\n')
  const readiness = { code: 'pod', pod: 'web-1', container: 'app', problem: 'Error', message: text } as const
  const failed = {
    ...failure,
    message: text,
    readiness,
    others: [{ ref: failure.ref ?? ref('v1', 'Pod', 'a'), readiness }],
  }
  const [pod] = evidence.pods
  const container = { name: 'app', state: 'waiting', message: text, restarts: 2, logTail: texts, isPreviousLog: true }
  const events = evidence.events.map((event) => ({ ...event, message: text }))
  return pass({
    plan: planOf(texts),
    notes: text,
    problems: [
      { severity: 'warning', reason: 'invalid-input', place: {}, what: text, hint: { kind: 'write-form', form: text } },
    ],
    events: [
      ...texts.map((line) =>
        at(40, { type: 'log', id: 'await/Job/shop/migrate', pod: 'migrate-1', container: 'app', line } as const),
      ),
      at(41, { type: 'warning', ref: failure.ref ?? ref('v1', 'Pod', 'a'), message: text }),
      at(42, { type: 'progress', id: 'await/Deployment/shop/web', reason: readiness }),
      at(43, {
        type: 'evidence',
        id: 'await/Deployment/shop/web',
        evidence: { ...evidence, events, pods: pod === undefined ? [] : [{ ...pod, containers: [container] }] },
      }),
      at(44, { type: 'finished', outcome: { status: 'failed', failure: failed } }),
    ],
    outcome: { status: 'failed', failure: failed },
  })
}

/** All texts that leave, by where they go: once all goes well, once GitHub and the disk repeat the value in their errors. */
async function leftBy(value: string, reported: PassResult): Promise<readonly (readonly [string, string])[]> {
  const left: (readonly [string, string])[] = []
  const log: string[] = []
  for (const isBroken of [false, true]) {
    const secrets = createSecrets()
    secrets.add(value)
    const fault = async (): Promise<never> => Promise.reject(new Error(`refused: ${formsOf(value).join('\n')}`))
    const runner: Runner = {
      input: () => '',
      info: (line) => log.push(line),
      annotate: (_level, message, place) => log.push(message, JSON.stringify(place ?? {})),
      debug: (line) => log.push(line),
      startGroup: (title) => log.push(title),
      endGroup: () => {},
      output: (name, text) => left.push([`output ${name}`, text]),
      summary: async (text) => void left.push(['summary', text]),
      saveState: (name, text) => left.push([`state ${name}`, text]),
      state: () => undefined,
      mask: () => {},
      keepFile: async (name, text) => {
        if (isBroken) return fault()
        left.push([name, text])
        return name
      },
    }
    const safe = safeRunner(runner, secrets)
    const reporter = createReporter({
      info,
      writesSummary: true,
      diffContext: 3,
      sourceOf: () => undefined,
      runner: safe,
      secrets,
      review: {
        approvedPlans: async () => ({ plans: [] }),
        endedEarly: async () => {},
        post: async ({ value: passes }) => {
          if (isBroken) return fault()
          left.push(['comment', posted({ passes, info })])
          return { url: 'https://github.example/1' }
        },
      },
    })
    reporter.note(formsOf(value).join('\n'))
    reporter.started(reported.release, reported.namespace, reported.startedAtMs)
    if (reported.plan !== undefined) reporter.planned(reported.plan)
    for (const event of reported.events) reporter.event(event, () => reported)
    safe.debug(await fault().catch((error: Error) => error.stack ?? error.message))
    await reporter.finished([reported], { failure: { ...failure, message: value }, problems: reported.problems })
  }
  return [...left, ['log', log.join('\n')]]
}
