import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { targets } from './targets.ts'

const SOURCES = resolve(import.meta.dirname, '../../src')

/** What turns a text into something else: decoders, patterns, numbers and times of grammars. */
const READS =
  /\bJSON\.parse\(|\bparseJson\(|\bloadAll\(|\bload\(|gunzip|inflateRaw|\bextract\(|, 'base64(?:url)?'\)|RE2JS\.compile\(|\.compile\(|new X509Certificate|decodeURIComponent\(|new URL\(|Date\.parse\(|\.exec\(|\.matchAll\(|\.match\(/

/** Readers that no text of others reaches alone, and why. */
const ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ['model/json.ts', 'every target with JSON goes through it'],
  ['main.ts', 'the event is read by another file; the state of the post step is our own'],
  ['run/post-step.ts', 'state of the runner that this action has saved'],
  ['run/step.ts', 'the address of a connection that was read before'],
  ['record/held-lock.ts', 'a time that this process wrote'],
  ['render/engine-answer.ts', 'what our own engine answers'],
  ['render/last-words.ts', 'what our own engine prints'],
  ['render/renderer.ts', 'the chart and values of our own engine, bounded as documents are'],
  ['render/worker.ts', 'requests of our own engine'],
  ['host/local-git.ts', 'the header of a commit that git prints'],
  ['kube/exec-plugin.ts', 'one JSON.parse; needs a program: test/kube/credentials.test.ts'],
  ['fetch/chart-cache.ts', 'digests of our own code by one expression: test/fetch/chart-cache.test.ts'],
  ['fetch/credential-helper.ts', 'one parseJson; needs a program: test/fetch/chart-credentials.test.ts'],
  [
    'kube/transport.ts',
    'the address of a connection that was read before; bodies are bounded: test/kube/request.test.ts',
  ],
  ['execute/webhook-backends.ts', 'one URL by one expression: test/execute/webhook-backends.test.ts'],
  ['network/tunnels.ts', 'counted bytes of the proxy that the user names: test/kube/transport.test.ts'],
  ['kube/reflector.ts', 'lines of JSON, broken in every way: test/kube/watches.test.ts'],
  ['github/github-fetch.ts', 'the address of GitHub that the runner gives'],
  ['plan/approved-plan.ts', 'ids of a marker that was read and compared before'],
  ['report/markdown/text-diff.ts', 'text that is printed only: test/report/hostile.test.ts'],
  ['report/markdown/long-lines.ts', 'text that is printed only: test/report/hostile.test.ts'],
  ['report/markdown/change-details.ts', 'paths that we print'],
  ['report/markdown/line-path.ts', 'YAML that we print'],
  ['report/markdown/readable-yaml.ts', 'text that is printed only: test/report/hostile.test.ts'],
  ['report/rows/marked-fields.ts', 'paths that we print'],
])

test('every file that reads text of others has a fuzz target, or a reason why not', () => {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.startsWith('tools/'),
  )
  const reading = files.filter((file) => READS.test(readFileSync(join(SOURCES, file), 'utf8')))
  const covered = new Set(targets.flatMap(({ covers }) => covers))
  expect(reading.filter((file) => !covered.has(file) && !ELSEWHERE.has(file))).toEqual([])
  expect([...covered, ...ELSEWHERE.keys()].filter((file) => !files.includes(file))).toEqual([])
  expect([...ELSEWHERE.keys()].filter((file) => covered.has(file) || !reading.includes(file))).toEqual([])
})
