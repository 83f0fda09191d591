import { deflateRawSync, gzipSync } from 'node:zlib'
import { dialects } from '../../src/directives/dialects.ts'
import { readProperties } from '../../src/directives/property-list.ts'
import {
  readBoolean,
  readChoices,
  readDuration,
  readInteger,
  readRegex,
  readWords,
} from '../../src/directives/value-forms.ts'
import { lineFilter } from '../../src/execute/log-filter.ts'
import { parseMarker } from '../../src/github/comment-marker.ts'
import { eventFacts, eventPullRequest, runFacts } from '../../src/github/workflow-event.ts'
import { decryptTree, SopsFault } from '../../src/host/sops-tree.ts'
import { textChange } from '../../src/impact/text-change.ts'
import { readChartReference } from '../../src/inputs/chart-reference.ts'
import { commaList } from '../../src/inputs/comma-list.ts'
import { goDurationSeconds } from '../../src/inputs/go-duration.ts'
import { withHelmArgs } from '../../src/inputs/helm-args.ts'
import { INPUT_NAMES, type InputName } from '../../src/inputs/input-names.ts'
import { templateFunctions, templatesIn, withLiterals } from '../../src/inputs/kots-template.ts'
import { filesOfEntry } from '../../src/inputs/set-file.ts'
import { shellWords } from '../../src/inputs/shell-words.ts'
import { parseObject } from '../../src/kube/api-answer.ts'
import { readAggregated, readGroups, readResourceList } from '../../src/kube/discovery-answer.ts'
import { loadConnection } from '../../src/kube/kubeconfig.ts'
import { errorOfAnswer } from '../../src/kube/status.ts'
import { evaluate, parseJsonPath, printedValues } from '../../src/manifest/jsonpath.ts'
import { fieldSetsOf } from '../../src/manifest/managed-fields.ts'
import { quantityOf } from '../../src/manifest/quantity.ts'
import type { JsonObject, JsonValue, KubeObject } from '../../src/model/object.ts'
import { decodeRecord } from '../../src/record/codec.ts'
import { readLease } from '../../src/record/lease.ts'
import { documentsOf } from '../../src/render/rendered-documents.ts'
import { code, prose } from '../../src/report/markdown/markdown.ts'
import { printableLines } from '../../src/report/words/printable.ts'
import { createSecrets } from '../../src/secrecy/known-secrets.ts'
import { directives } from '../directives/given.ts'
import { readGiven } from '../inputs/given.ts'
import { archiveTargets } from './archive-targets.ts'
import { fetchTargets } from './fetch-targets.ts'
import { manifestTargets } from './manifest-targets.ts'
import { refusing, refusingLater, withJson } from './refusals.ts'
import { sourceTargets } from './source-targets.ts'
import type { Target } from './target.ts'
import { transportTargets } from './transport-targets.ts'

const KUBECONFIG = `current-context: a
clusters: [{name: a, cluster: {server: 'https://a', proxy-url: 'http://p'}}]
users: [{name: a, user: {exec: {apiVersion: client.authentication.k8s.io/v1, command: aws, args: [a], env: [{name: A, value: b}]}}}]
contexts: [{name: a, context: {cluster: a, user: a, namespace: b}}]
`
const OBJECT: JsonObject = {
  status: { phase: 'Ready', items: [{ name: 'a', type: 'Ready' }, { name: 'b' }], 'a.b': { c: [1, 2, [3]] } },
}
const RECORD = JSON.stringify({
  name: 'shop',
  version: 1,
  namespace: 'web',
  info: { status: 'deployed', first_deployed: '2026-01-01T00:00:00Z' },
  chart: { metadata: { name: 'shop', version: '1.0.0' }, templates: [{ name: 'a', data: 'YQ==' }] },
  config: { a: { b: 1 } },
  manifest: '---\nkind: A\n',
  hooks: [
    { name: 'h', kind: 'Job', path: 'p', manifest: 'kind: Job', events: ['pre-install'], last_run: { phase: '' } },
  ],
})
const GROUPS = JSON.stringify({
  kind: 'APIGroupDiscoveryList',
  items: [
    {
      metadata: { name: 'apps' },
      versions: [
        {
          version: 'v1',
          resources: [
            { resource: 'deployments', responseKind: { kind: 'Deployment' }, scope: 'Namespaced', verbs: ['get'] },
          ],
        },
      ],
    },
  ],
  groups: [
    { name: 'apps', versions: [{ groupVersion: 'apps/v1', version: 'v1' }], preferredVersion: { version: 'v1' } },
  ],
  resources: [{ name: 'deployments', kind: 'Deployment', namespaced: true, verbs: ['get'], shortNames: ['deploy'] }],
})
const EVENT = JSON.stringify({
  pull_request: {
    number: 1,
    head: { sha: 'a'.repeat(40), repo: { fork: true, full_name: 'a/b' } },
    base: { ref: 'main' },
  },
  issue: { number: 1, pull_request: {} },
  comment: { user: { login: 'a' }, body: '/deploy' },
  repository: { full_name: 'a/b' },
})
const STATUS = JSON.stringify({
  kind: 'Status',
  code: 422,
  reason: 'Invalid',
  message: 'Deployment.apps "a" is invalid: spec.selector: field is immutable',
  details: { name: 'a', causes: [{ reason: 'FieldValueInvalid', field: 'spec.selector', message: 'x' }] },
})
const FIELDS = JSON.stringify({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {
    name: 'a',
    managedFields: [
      { manager: 'helm', operation: 'Apply', fieldsV1: { 'f:data': { 'f:a': {}, 'k:{"name":"x"}': { '.': {} } } } },
    ],
  },
})

const INPUT_SEEDS = [
  'a: [ENC[x], 1.5, true]\nsops: { mac: m, version: v, age: [{ enc: e }] }',
  'a: "ENC[AES256_GCM,data:eA==,iv:eA==,tag:AAAAAAAAAAAAAAAAAAAAAA==,type:str]"\nsops: {}',
  'shop',
  'charts/web\ncharts/db',
  '- chart: charts/web\n  release: web\n  set: [a=b]\n',
  'a: {b: 1}',
  'a=b\nc.d[0]=e',
  'a={"b":[1]}',
  'f=a.txt,g=b\\,c.txt',
  '10m',
  '90s',
  'true',
  '3',
  'Deployment/web: spec.replicas',
  'v1.30.0',
  'apps/v1/Deployment',
  KUBECONFIG,
]

/** Every key of every dialect, with a value of each form. */
const ANNOTATIONS = dialects.flatMap(({ rows }) =>
  rows.map(({ key }) => key.replace('<id>', 'x').replace('<container>', 'c')),
)
const VALUES = [
  'pre-install, post-upgrade',
  '-5',
  'true',
  '1m30s',
  'state=ready,kind=Job,name=a',
  'state=\'present\', name="a,b"',
  'statefulset/db',
  'certificates.v1.cert-manager.io/tls',
  'apps/v1:Deployment:db:postgres',
  '$.data.token,$.x[*]',
  '.status.phase=Ready,.a=1',
  '^a.*b$',
  'before-hook-creation,hook-succeeded',
  '{"a":1}',
  'nonblocking',
]

export const targets: readonly Target[] = [
  {
    name: 'annotations',
    covers: [
      'directives/helm.ts',
      'directives/property-list.ts',
      'directives/read-annotations.ts',
      'directives/value-forms.ts',
      'directives/werf-tracking.ts',
    ],
    seeds: VALUES,
    read: (text) => {
      for (const key of ANNOTATIONS) refusing(() => directives({ [key]: text }))
      refusing(() => directives({ [text]: 'true' }))
    },
  },
  {
    name: 'JSONPath',
    covers: ['manifest/jsonpath-grammar.ts', 'manifest/jsonpath.ts'],
    seeds: [
      '.status.phase',
      '{.status.items[*].name}',
      '$..name',
      '.status.items[?(@.type=="Ready")].name',
      "['status']['a.b'].c[0:2,-1]",
      '.status.a\\.b.c[2][0]',
    ],
    read: (text) => {
      const path = parseJsonPath(text)
      if ('error' in path) return
      const values = evaluate(path, OBJECT)
      if (!('error' in values)) printedValues(values)
    },
  },
  {
    name: 'forms of values',
    covers: ['manifest/quantity.ts', 'inputs/go-duration.ts', 'directives/value-forms.ts'],
    seeds: VALUES,
    read: (text) => {
      readDuration(text)
      readInteger(text)
      readBoolean(text)
      readWords(text)
      readChoices(text, new Map([['a', 1]]))
      readProperties(text)
      quantityOf(text)
    },
  },
  {
    name: 'log filters',
    covers: ['execute/log-filter.ts'],
    seeds: ['^a.*b$', '(a+)+$', '[[:alpha:]]+', '(?i)error|warn', 'a{1,100}'],
    read: (text) => {
      if ('fault' in readRegex(text)) return
      const rules = { skip: false, skipContainers: [], onlyContainers: [], keep: [{ pattern: text }], drop: [] }
      lineFilter(rules, 'c')('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!')
    },
  },
  {
    name: 'kubeconfig',
    covers: ['kube/kubeconfig-document.ts', 'kube/kubeconfig-text.ts', 'kube/kubeconfig.ts', 'kube/secret-values.ts'],
    seeds: [KUBECONFIG, Buffer.from(KUBECONFIG).toString('base64'), '{"clusters": [], "users": [], "contexts": []}'],
    read: (text) =>
      refusingLater(() =>
        loadConnection({ kubeconfig: `${text}\n`, env: {}, home: '/nowhere', directory: '/nowhere' }),
      ),
  },
  {
    name: 'records',
    covers: ['record/codec.ts', 'record/secret.ts', 'record/history.ts', 'record/repair.ts', 'record/transitions.ts'],
    seeds: [RECORD],
    read: (text) => {
      for (const stored of [gzipSync(text), Buffer.from(text)]) {
        refusing(() => decodeRecord(Buffer.from(stored.toString('base64'), 'latin1').toString('base64')), Error)
      }
    },
  },
  {
    name: 'markers of comments',
    covers: ['github/comment-marker.ts', 'github/comment-body.ts'],
    seeds: [
      JSON.stringify({
        key: 'a',
        headSha: 'b',
        readAtMs: 1,
        plans: [{ release: 'a', namespace: 'b', hash: 'c', digests: { a: 'b' } }],
      }),
    ],
    read: (text) => {
      parseMarker(text)
      parseMarker(`<!-- staged-helm-deploy v1 ${text} -->\n`)
      parseMarker(`<!-- staged-helm-deploy v1 ${deflateRawSync(text).toString('base64url')} -->\n`)
    },
  },
  {
    name: 'flags of helm',
    covers: [
      'inputs/shell-words.ts',
      'inputs/flag-arguments.ts',
      'inputs/flag-conversion.ts',
      'inputs/comma-list.ts',
      'inputs/helm-args.ts',
    ],
    seeds: [
      '--set a=b,c=d -f "a.yaml" --timeout 5m0s',
      `-in shop --values '"a,b",c.yaml' --set-string 'a=x y' \\\n  --wait=false # comment`,
      '--set a=$B `id` ~/x *.yaml | & ; < >',
      '--server-side true --dry-run=client --version --wait -- x',
    ],
    read: (text) => {
      const { words } = shellWords(text)
      if (words.reduce((sum, word) => sum + word.text.length, 0) > text.length) throw new TypeError('words grew')
      commaList(text)
      goDurationSeconds(text)
      const { raw, problems, atFlag } = withHelmArgs((name) => (name === 'helm-args' ? text : ''))
      for (const name of INPUT_NAMES) raw(name)
      problems.map(atFlag)
    },
  },
  {
    name: 'inputs',
    covers: [
      'inputs/charts.ts',
      'inputs/charts-file.ts',
      'inputs/working-directory.ts',
      'inputs/stray-flags.ts',
      'inputs/chart-reference.ts',
      'inputs/chart-file.ts',
      'inputs/read-values.ts',
      'inputs/values-files.ts',
      'inputs/sops-values.ts',
      'host/sops-tree.ts',
      'inputs/set-file.ts',
      'inputs/upgrade-flags.ts',
      'inputs/release-weight.ts',
      'inputs/inputs.ts',
      'inputs/review-inputs.ts',
    ],
    seeds: INPUT_SEEDS,
    read: async (text) => {
      const files = { 'charts/web/Chart.yaml': 'name: web\nversion: 1.0.0\n', 'a.yaml': text }
      const name = INPUT_NAMES[text.length % INPUT_NAMES.length] as InputName
      await refusingLater(() => readGiven({ chart: 'charts/web', release: 'web', [name]: text }, files))
      await refusingLater(() => readGiven({ charts: text }, files))
      await refusingLater(() => readGiven({ chart: 'charts/web', release: 'web', 'values-files': 'a.yaml' }, files))
      refusing(() => decryptTree(text, new Uint8Array(32)), SopsFault)
      refusing(() => decryptTree(`${text}\nsops: { mac: "${text.slice(0, 9)}" }`, new Uint8Array(32)), SopsFault)
      const address = `https://${text}`
      await refusingLater(() => readGiven({ chart: 'charts/web', release: 'web', 'values-files': address }, files))
      await refusingLater(() =>
        readGiven({ charts: 'a.yaml', 'working-directory': 'charts' }, { 'charts/a.yaml': text }),
      )
      filesOfEntry(text)
      const [chart = '', version = '', repository = ''] = text.split('\n')
      readChartReference({ chart, 'chart-version': version, repository })
      readChartReference({ chart: `oci://${chart}`, 'chart-version': version, repository: '' })
    },
  },
  {
    name: 'templates of KOTS',
    covers: ['inputs/kots-template.ts'],
    seeds: ['a: repl{{ "x" }}', 'b: {{repl ConfigOption `a` }}', '"repl{{ 1.5 }}"'],
    read: (text) => {
      withLiterals(text)
      templateFunctions(text)
      templatesIn({ a: text }, 'spec')
    },
  },
  { name: 'answers of discovery', covers: [], seeds: [GROUPS], read: (text) => withJson(text, readDiscovery) },
  {
    name: 'answers of the API server',
    covers: [
      'kube/api-answer.ts',
      'kube/status.ts',
      'kube/retry.ts',
      'manifest/field-set.ts',
      'model/api-refusal.ts',
      'record/lease.ts',
    ],
    seeds: [STATUS, FIELDS],
    read: (text) => {
      const about = { doing: 'get' }
      errorOfAnswer(about, { status: 422, text })
      refusing(() => {
        fieldSetsOf(parseObject(text, about))
      })
      return withJson(text, (value) => refusing(() => readLease(value as KubeObject), Error))
    },
  },
  {
    name: 'documents of a render',
    covers: ['render/rendered-documents.ts'],
    seeds: [
      FIELDS,
      JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [{ apiVersion: 'v1', kind: 'A', metadata: {} }] }),
    ],
    read: (text) =>
      withJson(text, () => refusing(() => documentsOf([{ file: 'a.yaml', line: 1, json: text, text: '' }]))),
  },
  {
    name: 'the event',
    covers: ['github/workflow-event.ts', 'github/pull-request-search.ts'],
    seeds: [EVENT],
    read: (text) =>
      withJson(text, (payload) => {
        runFacts({}, payload)
        eventFacts({ GITHUB_EVENT_NAME: 'issue_comment' }, payload)
        eventPullRequest({ GITHUB_EVENT_NAME: 'pull_request' }, payload)
      }),
  },
  {
    name: 'lines of logs',
    covers: [],
    seeds: [
      '::error file=a::b',
      'a\r::add-mask::x',
      '##[group]a',
      '\u001b[31m::debug::x',
      '\ufeff ::set-output name=a::b',
    ],
    read: (text) => {
      const command = printableLines(text).find((line) => /^\s*(?:::|##\[)/.test(line))
      if (command !== undefined) throw new Error(`the runner takes ${JSON.stringify(command)} for a command`)
    },
  },
  {
    name: 'Markdown',
    covers: [],
    seeds: ['@owner #1 <b>', '`a`|b', '![x](http://a)', '<!-- staged -->'],
    read: (text) => {
      code(text)
      prose(text)
    },
  },
  {
    name: 'secret values',
    covers: ['secrecy/known-secrets.ts'],
    seeds: [
      '{"auths":{"a":{"auth":"dXNlcjpodW50ZXIyMg=="}}}',
      'https://u:passw0rd@h',
      '-----BEGIN X-----\nabcdefgh\n-----END X-----',
    ],
    read: (text) => {
      const secrets = createSecrets()
      secrets.addLookedUp(text)
      const shown = secrets.redact(`before ${text} after`)
      const whole = text.trim()
      if (whole.length >= 40 && shown.includes(whole)) throw new Error('a value is not hidden')
      secrets.redactNames(text)
    },
  },
  {
    name: 'texts inside of objects',
    covers: ['impact/text-change.ts'],
    seeds: [
      '{"a":[{"name":"x"}]}',
      'a: &a { b: 1 }\nc: *a\n',
      '#!/bin/sh\necho\n',
      '__proto__: { a: 1 }\n',
      '? {a: b}\n: c\n',
    ],
    read: (text) => {
      textChange(text, `a: 1\n${text}`)
      textChange(`{"a": [1, {"name": "x"}]}\n`, text)
    },
  },
  ...manifestTargets,
  ...transportTargets,
  ...archiveTargets,
  ...fetchTargets,
  ...sourceTargets,
]

function readDiscovery(answer: JsonValue): void {
  readAggregated(answer)
  readGroups(answer)
  readResourceList(answer, { group: 'apps', version: 'v1', isPreferred: true })
}
