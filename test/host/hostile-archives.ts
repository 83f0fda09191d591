import { paxRecord, tarEnd, tarEntry } from './tar-entries.ts'

/** An archive of a chart `demo` with one entry that leads out of it, as bytes of tar. */
export interface HostileArchive {
  readonly title: string
  readonly tar: Buffer
  /** What is rendered of it, as in Helm, where links and devices are empty files; absent: it is refused. */
  readonly holds?: readonly string[]
}

/**
 * Every name that leads out in every way to write a name, and every kind of entry that is no file with targets that lead
 * out. `outside` is the path of a file that no archive may reach.
 */
export function hostileArchives(outside: string): readonly HostileArchive[] {
  const named = Object.entries(nameForms).flatMap(([form, named]) =>
    NAMES.map((name) => ({ title: `the name ${shown(name)}, ${form}`, entry: named(name, FILE, 'kind: Outside\n') })),
  )
  const targets = [outside, `../../../../../../../../../..${outside}`, '../..', '/dev/zero', 'x.yaml']
  const typed = Object.entries(TYPES).flatMap(([kind, type]) =>
    targets.map((target) => ({
      title: `a ${kind} to ${target === outside ? 'a file outside' : target.replace(outside, '/outside')}`,
      entry: tarEntry('demo/templates/x.yaml', type, '', { target }),
      holds: ['kind: Inside'],
    })),
  )
  const twice = {
    title: 'the same name as a link and as a file',
    entry: Buffer.concat([
      tarEntry('demo/templates/x', TYPES['symbolic link'], '', { target: '/tmp' }),
      tarEntry('demo/templates/x/y.yaml', FILE, 'kind: Through\n'),
    ]),
    holds: ['kind: Inside', 'kind: Through'],
  }
  return [...named, ...typed, twice].map(({ entry, ...known }) => ({
    ...known,
    tar: Buffer.concat([
      tarEntry('demo/Chart.yaml', FILE, 'apiVersion: v2\nname: demo\nversion: 1.0.0\n'),
      tarEntry('demo/templates/a.yaml', FILE, 'kind: Inside\n'),
      entry,
      tarEnd,
    ]),
  }))
}

const NAMES = [
  'demo/../x.yaml',
  'demo/../../x.yaml',
  'demo/templates/../../../x.yaml',
  'demo//etc/x.yaml',
  'demo/C:/x.yaml',
  'demo\\..\\..\\x.yaml',
  'demo\\templates/..\\..\\..\\x.yaml',
  'demo\\C:\\x.yaml',
  `demo/../${'a/'.repeat(2_040)}x.yaml`,
  'Chart.yaml',
]

const FILE = '0'
const TYPES = {
  'hard link': '1',
  'symbolic link': '2',
  'character device': '3',
  'block device': '4',
  pipe: '6',
} as const

/** Ways to write the name of an entry; a header alone has room for 100 bytes. */
const nameForms: { readonly [form: string]: (name: string, type: string, text: string) => Buffer } = {
  'in its header': (name, type, text) => tarEntry(name.slice(0, 100), type, text),
  'in a long name of GNU': (name, type, text) =>
    Buffer.concat([tarEntry('././@LongLink', 'L', `${name}\0`), tarEntry('demo/harmless.yaml', type, text)]),
  'in a record of PAX': (name, type, text) =>
    Buffer.concat([tarEntry('PaxHeader', 'x', paxRecord('path', name)), tarEntry('demo/harmless.yaml', type, text)]),
  'in a record of PAX, behind a NUL': (name, type, text) =>
    Buffer.concat([
      tarEntry('PaxHeader', 'x', paxRecord('path', `demo/a\0/${name}`)),
      tarEntry('demo/harmless.yaml', type, text),
    ]),
}

function shown(name: string): string {
  return name.length > 60 ? `${name.slice(0, 20)}... of ${name.length} characters` : JSON.stringify(name)
}
