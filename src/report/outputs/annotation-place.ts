import { withoutEnd } from '../../model/trim-end.ts'
import { printable } from '../words/printable.ts'

/** Where the files of a release lie in the repository. */
export type AnnotationSource =
  | {
      readonly kind: 'chart'
      /** Of the unpacked chart, from the repository's root. */
      readonly directory: string
      /**
       * Unpacked subcharts by their path below `charts/`, as Helm names it: `cache`, `cache/charts/base`. What comes from a
       * package in `charts/` has no file of its own.
       */
      readonly subcharts: ReadonlySet<string>
    }
  /** Plain manifests: their files are named from the repository's root already. */
  | { readonly kind: 'manifests' }

/**
 * The path in the repository of a file as problems and operations name it (`shop/templates/web.yaml`, which begins with
 * the chart's name), or undefined where it has none: a packaged chart, a record, a packaged dependency.
 */
export function fileInRepository(file: string, source: AnnotationSource | undefined): string | undefined {
  if (source === undefined || printable(file) !== file || file.split('/').includes('..')) return undefined
  if (source.kind === 'manifests') return file.startsWith('/') ? undefined : file.replace(/^(\.\/)+/, '')
  const inChart = file.split('/').slice(1).join('/')
  if (inChart === '' || !isUnpacked(inChart, source.subcharts)) return undefined
  const directory = withoutEnd(source.directory.replace(/^(\.\/)+/, ''), '/')
  return directory === '' || directory === '.' ? inChart : `${directory}/${inChart}`
}

/** `charts/cache/charts/base/templates/x.yaml` lies in the repository where all its subcharts do. */
function isUnpacked(path: string, subcharts: ReadonlySet<string>): boolean {
  const steps = path.split('/')
  for (let index = 0; steps[index] === 'charts'; index += 2) {
    if (!subcharts.has(steps.slice(1, index + 2).join('/'))) return false
  }
  return true
}
