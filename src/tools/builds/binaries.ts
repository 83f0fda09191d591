import { join } from 'node:path'
import { areBuilt, ensureBuilt, type Product } from './builder.ts'
import { type ComponentName, findProvided, type Provided } from './provided-binaries.ts'
import { type BinaryName, PROGRAMS } from './recipes.ts'

export type { BinaryName } from './recipes.ts'

const provided = new Map<BinaryName, Promise<Provided>>()

/** Builds the programs that this machine does not have, all together. Nothing is built in a test. */
export async function ensureBinaries(names: readonly BinaryName[]): Promise<void> {
  await ensureBuilt(await missingBinaries(names))
}

/** The programs that this machine does not have. */
export async function missingBinaries(names: readonly BinaryName[]): Promise<readonly Product[]> {
  const missing: Product[] = []
  for (const name of names) {
    const { path } = await providedOnce(name)
    if (path === undefined) missing.push(PROGRAMS[name])
  }
  return missing
}

/** The path of a program that tests use. */
export async function ensureBinary(name: Exclude<BinaryName, 'control-plane'>): Promise<string> {
  return (await providedOnce(name)).path ?? builtPath(name)
}

/** The path of a program, unless it would have to be built. */
export async function builtBinary(name: Exclude<BinaryName, 'control-plane'>): Promise<string | undefined> {
  const missing = await missingBinaries([name])
  return missing.length === 0 || (await areBuilt(missing)) ? ensureBinary(name) : undefined
}

/** A program with the arguments that always come first. */
export interface Command {
  readonly program: string
  readonly args: readonly string[]
}

/** One server of the control plane: of the folder KUBEBUILDER_ASSETS, or of the one binary that is built here. */
export async function componentCommand(component: ComponentName): Promise<Command> {
  const { path } = await providedOnce('control-plane')
  if (path !== undefined) return { program: join(path, component), args: [] }
  return { program: await builtPath('control-plane'), args: [component] }
}

async function builtPath(name: BinaryName): Promise<string> {
  const product = PROGRAMS[name]
  return join((await ensureBuilt([product])).get(product) ?? '', product.file)
}

function providedOnce(name: BinaryName): Promise<Provided> {
  const known = provided.get(name) ?? findProvided(name, process.env).then(withNotice)
  provided.set(name, known)
  return known
}

/** Prints why something that is there is not used, once per process. */
function withNotice(found: Provided): Provided {
  if (found.notice !== undefined) process.stderr.write(`${found.notice}\n`)
  return found
}
