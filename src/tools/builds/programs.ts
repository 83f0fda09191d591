import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { keyOf, type Product, type Workshop } from './builder.ts'
import { type Compilation, goFor } from './toolchain.ts'

/** What compiling a package usually takes on two cores: the mean over the first build of everything. */
export const SECONDS_PER_PACKAGE = 0.09
/** Of a program as large as the API server. */
const LINK_SECONDS = 5
/** The linker works on one core and takes up to 1.5 GB. */
const LINKERS = 2

/**
 * No debug data at all (the linker drops it anyway), and nothing inlined in the Kubernetes packages, whose inlined bodies
 * are most of what their importers read. Together with `COMPILER_MEMORY` this halves the time of the first build.
 */
export const PROGRAM_GCFLAGS = ['all=-dwarf=false', 'k8s.io/...=-dwarf=false -l']

/** One Go program of a module. */
export interface Program {
  readonly name: string
  readonly title: string
  readonly usualSeconds: number
  /** The name that users see in messages and process lists. */
  readonly file: string
  /** Relative to the module, or of another module that go.mod names as a tool. */
  readonly package: string
  /** Go variables set by the linker. */
  readonly variables: Readonly<Record<string, string>>
}

/** Programs of one Go module: what they share is compiled once. */
export function programsOf<Name extends string>(
  module: string,
  programs: Readonly<Record<Name, Omit<Program, 'name'>>>,
): Readonly<Record<Name, Product & Pick<Program, 'file'>>> {
  const byProduct = new Map<Product, Program>()
  const workshop = workshopFor(module, byProduct)
  const products = {} as Record<Name, Product & Pick<Program, 'file'>>
  for (const name of Object.keys(programs) as Name[]) {
    const program = { name, ...programs[name] }
    const { title, usualSeconds, file } = program
    const product = { name, title, usualSeconds, file, key: () => keyOfProgram(module, program), workshop }
    byProduct.set(product, program)
    products[name] = product
  }
  return products
}

function workshopFor(module: string, programs: ReadonlyMap<Product, Program>): Workshop {
  return {
    prepare: async (orders, meter) => {
      const go = await goFor(module)
      const wanted = orders.flatMap((order) => {
        const program = programs.get(order.product)
        return program === undefined ? [] : [{ ...order, program }]
      })
      const all = compilationOf(wanted.map(({ program }) => program.package))
      const missing = await go.missing(all, (name) => meter.note(`fetch ${name}`))
      meter.expect(missing.length * SECONDS_PER_PACKAGE + wanted.length * LINK_SECONDS)
      return async () => {
        await go.compile(all, (name) => meter.done(SECONDS_PER_PACKAGE, name))
        const queue = [...wanted]
        const linker = async () => {
          for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
            const { folder, program } = next
            const own = compilationOf([program.package], program.variables)
            await go.link(own, program.package, join(folder, program.file))
            meter.done(LINK_SECONDS, `link ${program.title}`)
          }
        }
        await Promise.all(Array.from({ length: LINKERS }, linker))
      }
    },
  }
}

function compilationOf(packages: readonly string[], variables: Program['variables'] = {}): Compilation {
  const settings = Object.entries(variables).map(([name, value]) => `-X ${name}=${value}`)
  return { packages, env: {}, ldflags: ['-s', '-w', ...settings].join(' '), gcflags: PROGRAM_GCFLAGS }
}

async function keyOfProgram(module: string, { package: path, variables }: Program): Promise<string> {
  const isOwn = path === '.' || path.startsWith('./')
  // The folders below it as well: that of a stand-in for a module is one.
  const names = isOwn ? await readdir(join(module, path), { recursive: true }) : []
  const own = names.filter((file) => file.endsWith('.go'))
  const files = ['go.mod', 'go.sum', ...own.sort().map((file) => join(path, file))]
  const texts = [JSON.stringify({ path, variables, PROGRAM_GCFLAGS })]
  return keyOf(texts, new Map(files.map((file) => [file, join(module, file)])))
}
