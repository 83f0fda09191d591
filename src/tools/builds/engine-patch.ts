import { chmod, cp, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Go } from './toolchain.ts'

const MODULE = 'github.com/santhosh-tekuri/jsonschema/v6'
/** Relative: the path ends up in the build information, and the same bytes are wanted everywhere. */
const PATCHED = './jsonschema'

/**
 * The schema library compiles all its meta-schemas when a program starts: half of the engine's start, for charts that mostly
 * have no schema. These edits move that work to the first schema. Where a text is not found exactly once, the build fails.
 */
const EDITS: readonly { readonly file: string; readonly from: string; readonly to: string }[] = [
  {
    file: 'draft.go',
    from: 'func init() {\n\tc := NewCompiler()\n',
    to: `var draftsCompiled bool

func compileDrafts() {
	if draftsCompiled {
		return
	}
	draftsCompiled = true
	c := NewCompiler()
`,
  },
  {
    file: 'compiler.go',
    from: 'func (c *Compiler) Compile(loc string) (*Schema, error) {\n',
    to: 'func (c *Compiler) Compile(loc string) (*Schema, error) {\n\tcompileDrafts()\n',
  },
]

/** Copies the engine's module into a folder, with the patched library beside it. */
export async function copyPatched(go: Go, sources: string, target: string): Promise<void> {
  await cp(sources, target, { recursive: true })
  // Only what is in Go's module cache has a folder.
  await go.run(['mod', 'download', MODULE])
  const library = (await go.run(['list', '-m', '-f', '{{.Dir}}', MODULE])).trim()
  const patched = join(target, PATCHED)
  await cp(library, patched, { recursive: true, filter: (path) => !/_test\.go$|[/\\](testdata|cmd)$/.test(path) })
  await makeWritable(patched)
  for (const { file, from, to } of EDITS) {
    const text = await readFile(join(patched, file), 'utf8')
    if (text.split(from).length !== 2) throw new Error(`${MODULE}/${file} is not the version that the edits are for`)
    await writeFile(
      join(patched, file),
      text.replace(from, () => to),
    )
  }
  const module = await readFile(join(target, 'go.mod'), 'utf8')
  await writeFile(join(target, 'go.mod'), `${module}\nreplace ${MODULE} => ${PATCHED}\n`)
}

/** Files of Go's module cache are read-only, and so are their copies. */
async function makeWritable(folder: string): Promise<void> {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await makeWritable(path)
    else await chmod(path, 0o644)
  }
}
