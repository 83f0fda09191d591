import fc from 'fast-check'
import { defined } from '../../src/model/defined.ts'
import type { JsonObject } from '../../src/model/object.ts'
import type { PassResult } from '../../src/model/pass.ts'
import type { Operation, Plan, Reason } from '../../src/model/plan.ts'
import type { Problem } from '../../src/model/problem.ts'
import { apply, awaits, deletes, plan, ref } from './plans.ts'
import { at, pass } from './runs.ts'

/** Stands in every hostile text, so that tests can see where it ends up. */
export const CANARY = 'EVIL'

/**
 * Texts that have broken out of Markdown, HTML comments, tables, terminals or the runner's log before.
 * See docs/decisions/0029.
 */
const payloads: readonly string[] = [
  `</details>${CANARY}`,
  `<img src=https://x.test/${CANARY}>`,
  `<script>${CANARY}</script>`,
  `<!-- ${CANARY}`,
  `--> ${CANARY}`,
  `@${CANARY}`,
  `#1 ${CANARY}`,
  `acme/shop#1 ${CANARY}`,
  `GH-1 ${CANARY}`,
  `https://x.test/${CANARY}`,
  `www.${CANARY}.test`,
  `mail${CANARY}@x.test`,
  `[${CANARY}](https://x.test)`,
  `![${CANARY}](https://x.test/a.png)`,
  `\`${CANARY}\``,
  `\`\`\`\n${CANARY}`,
  `~~~\n${CANARY}`,
  `${CANARY}\n\n# heading`,
  `${CANARY} | cell | cell`,
  `${CANARY} \\| cell`,
  `${CANARY}\\\\|\\`,
  `\\\`${CANARY}`,
  `**${CANARY}** _${CANARY}_ ~~${CANARY}~~`,
  `$\`${CANARY}\`$ $$${CANARY}$$`,
  `&lt;${CANARY}&#64;ann`,
  `> [!CAUTION]\n> ${CANARY}`,
  `${CANARY}\r::error::x`,
  `\u202e${CANARY}\u2066`,
  `\u001b[31m${CANARY}\u001b[0m`,
  `a1b2c3d ${CANARY} 0123456789abcdef0123456789abcdef01234567`,
  ` ${CANARY} `,
  `\n<!-- status -->\n**Status:** ${CANARY}`,
  `\`\`\`\`\`\n</details>\n\`\`\`\`\n${CANARY}`,
  `bind this: {"a":"\`\`\`\\n</details>${CANARY}\\n- <b>x</b>","</pre>${CANARY}":["@${CANARY}"]}`,
  `😀👩‍💻 ${CANARY} 𝔘𝔫𝔦`,
  `${CANARY}"];click n0 "https://x.test";:::risk`,
]

/** What foreign text stands in, or begins and ends with, when it breaks out. */
const contexts: readonly ((payload: string) => string)[] = [
  (payload) => payload,
  (payload) => `- ${payload}`,
  (payload) => `> ${payload}`,
  (payload) => `    ${payload}`,
  (payload) => `text\n\n${payload}\n\ntext`,
  (payload) => `\`${payload}`,
  (payload) => `${payload}\\`,
  (payload) => `| ${payload} |`,
  (payload) => `</td></tr></table>\n\n${payload}`,
  (payload) => `\u200b${payload}\u00a0`,
  (payload) => `*${payload}`,
  (payload) => `[a](${payload})`,
  (payload) => `\r${payload}\u2028${payload}`,
  (payload) => `<a title="${payload}">`,
]

/** Each payload in as many contexts as it takes to have so many texts. */
export function payloadsInContext(atLeast: number): readonly string[] {
  const texts = new Set<string>()
  for (const context of contexts) {
    if (texts.size >= atLeast) break
    for (const payload of payloads) texts.add(context(payload))
  }
  return [...texts]
}

const bits = [
  '`',
  '|',
  '<',
  '>',
  '@',
  '#',
  '\\',
  '\n',
  '\r',
  ' ',
  '*',
  '_',
  '[',
  ']',
  '(',
  ')',
  '!',
  '&',
  '-',
  ':',
  '/',
  'a',
  '1',
  '\u001b',
  '\u200b',
  '\ud800',
  'é',
  '😀',
]

/** Any payload, and any mixture of the characters they are made of. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...payloads),
  fc.array(fc.constantFrom(...bits), { maxLength: 40 }).map((parts) => `${parts.join('')}${CANARY}`),
)

const hostileObject: fc.Arbitrary<JsonObject> = fc
  .dictionary(fc.oneof(hostileText, fc.constant('key')), fc.oneof(hostileText, fc.integer(), fc.boolean()), {
    maxKeys: 6,
  })
  .chain((data) =>
    fc.record({ image: hostileText, text: hostileText }).map(({ image, text }) => ({
      kind: 'ConfigMap',
      data: { ...data, text: `a\n${text}\n`, json: JSON.stringify({ text }) },
      spec: { containers: [{ name: 'app', image }] },
    })),
  )

const reason: fc.Arbitrary<Reason> = fc.oneof(
  fc.constant<Reason>({ code: 'new' }),
  fc
    .array(hostileText, { maxLength: 8 })
    .map((paths): Reason => ({ code: 'chart-changed', paths: paths.map((one) => `/${one}`) })),
  fc
    .tuple(hostileText, hostileText)
    .map(([manager, path]): Reason => ({ code: 'drift', drift: [{ manager, path: `/${path}` }] })),
)

const operations: fc.Arbitrary<readonly Operation[]> = fc
  .record({
    kind: fc.oneof(fc.constantFrom('PersistentVolumeClaim', 'ConfigMap', 'Deployment'), hostileText),
    name: hostileText,
    change: fc.constantFrom('create', 'update', 'recreate', 'none', 'delete', 'await'),
    reason,
    before: hostileObject,
    after: hostileObject,
    hook: fc.option(hostileText, { nil: undefined }),
  })
  .map(({ kind, name, change, reason, before, after, hook }) => {
    const to = ref('v1', kind, name)
    if (change === 'delete') return [deletes(to, reason)]
    if (change === 'await') return [awaits(to, 'ready', { isExternal: true })]
    const open = [
      { path: `/${name}`, of: [{ ref: to, path: `/${name}`, value: name }], text: name },
      { path: `/${name}`, of: [{ ref: to, path: `/${name}`, isEncoded: true }] },
    ] as const
    const marks = { varies: [`/${name}`], open, isWithoutDryRun: true, dependsOnEarlier: true } as const
    return [apply(to, change, reason, { before, after, ...marks, ...defined({ hook }) }), awaits(to, 'ready')]
  })

const hostilePlan: fc.Arbitrary<Plan> = fc
  .record({
    release: hostileText,
    namespace: hostileText,
    groups: fc.array(fc.tuple(fc.integer({ min: -5, max: 5 }), fc.array(operations, { maxLength: 12 })), {
      maxLength: 4,
    }),
    left: fc.array(fc.tuple(hostileText, hostileText), { maxLength: 3 }),
  })
  .map(({ release, namespace, groups, left }) =>
    plan({
      release,
      namespace,
      stages: [{ name: 'main', groups: groups.map(([weight, members]) => ({ weight, ranks: members })) }],
      untouched: left.map(([name, detail]) => ({
        ref: ref('v1', 'Secret', name),
        reason: 'unused-annotation',
        detail,
      })),
    }),
  )

const hostileProblem: fc.Arbitrary<Problem> = fc
  .tuple(hostileText, hostileText, hostileText)
  .map(([file, what, hint]) => ({
    severity: 'error',
    reason: 'invalid-input',
    place: { file, line: 3, key: hint },
    what,
    hint: { kind: 'write-form', form: hint },
  }))

/** A pass of which every text that a chart, a cluster or a pod can choose is hostile. */
export const hostilePass: fc.Arbitrary<PassResult> = fc
  .record({
    plan: hostilePlan,
    problems: fc.array(hostileProblem, { maxLength: 3 }),
    message: hostileText,
    log: fc.array(hostileText, { maxLength: 5 }),
    notes: hostileText,
    fails: fc.boolean(),
    version: hostileText,
  })
  .map(({ plan, problems, message, log, notes, fails, version }) => {
    const about = ref('v1', 'Pod', message)
    const readiness = { code: 'pod', pod: message, container: message, problem: message, message } as const
    const container = {
      name: message,
      state: message,
      reason: message,
      message,
      restarts: 1,
      logTail: log,
      isPreviousLog: false,
    }
    const evidence = {
      ref: about,
      pods: [{ name: message, phase: message, containers: [container] }],
      events: [{ type: message, reason: message, message, about: message, count: 2 }],
      missing: [message],
    }
    const failure = {
      reason: log.length === 0 ? 'plan-changed' : 'not-ready',
      doing: message,
      ref: about,
      message,
      hint: { kind: 'write-form', form: message },
      readiness,
      others: [{ ref: about, readiness }],
    } as const
    return pass({
      command: fails ? 'deploy' : 'plan',
      release: plan.release,
      namespace: plan.namespace,
      plan,
      problems,
      notes,
      chart: { name: version, version, appVersion: version },
      differences: [
        { kind: 'gone', id: message },
        { kind: 'otherwise', id: `main/${message}/x/y/z/${message}` },
      ],
      events: fails
        ? [
            at(1, { type: 'evidence', id: 'x', evidence }),
            at(2, { type: 'finished', outcome: { status: 'failed', failure } }),
          ]
        : [],
      outcome: fails ? { status: 'failed', failure } : { status: 'planned' },
    })
  })

/** An upgrade of 3,000 objects, each hostile in its way. */
export const hugePass: fc.Arbitrary<PassResult> = fc.array(operations, { minLength: 30, maxLength: 60 }).map((some) =>
  pass({
    command: 'plan',
    plan: plan({
      stages: [
        { name: 'main', groups: [{ weight: 0, ranks: Array.from({ length: 3_000 }, (_, i) => numbered(some, i)) }] },
      ],
    }),
  }),
)

function numbered(some: readonly (readonly Operation[])[], index: number): readonly Operation[] {
  return (some[index % some.length] ?? []).map((operation) => ({
    ...operation,
    id: `${operation.id} ${index}`,
    ref: { ...operation.ref, name: `${operation.ref.name} ${index}` },
  }))
}
