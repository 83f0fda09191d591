import type { PassResult, RunInfo } from '../../model/pass.ts'
import { releaseCount } from '../rows/first-passes.ts'
import { headlineOfAll, passVerdict } from '../words/headline.ts'
import { code, markdown, table } from './markdown.ts'
import { factsOfRun } from './release-facts.ts'

/** Most releases in the index. */
const MAX_INDEX = 100

/** What stands above the sections of several releases: the verdict of all, facts of the run, an index. */
export function headOfAll(passes: readonly PassResult[], info: RunInfo): readonly string[] {
  if (releaseCount(passes) < 2) return []
  return [`### ${markdown(headlineOfAll(passes))}`, factsOfRun(passes, info), indexTable(passes)]
}

function indexTable(passes: readonly PassResult[]): string {
  const rows = passes.slice(0, MAX_INDEX).map((pass) => [code(pass.release), code(pass.namespace), passVerdict(pass)])
  const more = passes.length > MAX_INDEX ? [[`and ${passes.length - MAX_INDEX} more`, '', '']] : []
  return table([{ title: 'release' }, { title: 'namespace' }, { title: 'verdict' }], [...rows, ...more])
}
