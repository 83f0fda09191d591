import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { access } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { describe, expect, inject, it } from 'vitest'
import { openApi } from '../../../../src/tools/local/cluster/cluster-api.ts'
import { waitFor } from '../../../../src/tools/local/cluster/wait-for.ts'

/** Six servers, each with the process that holds it. */
const PROCESSES = 12

describe.skipIf(inject('cluster').local === undefined).concurrent('the life of a cluster', () => {
  it('ends cleanly when its tool is interrupted', async () => {
    const tool = run('../../../../src/tools/cluster.ts')
    const kubeconfig = await firstLine(tool)
    const api = openApi(kubeconfig)
    expect((await api.request('GET', '/readyz')).text).toBe('ok')
    expect(await processesOf(dirname(kubeconfig))).toBe(PROCESSES)

    tool.kill('SIGINT')
    expect(await exitCode(tool)).toBe(0)

    expect(await processesOf(dirname(kubeconfig))).toBe(0)
    await expect(api.request('GET', '/readyz')).rejects.toThrow('ECONNREFUSED')
    await expect(access(dirname(kubeconfig))).rejects.toThrow('ENOENT')
  })

  it('ends when its parent is killed without warning', async () => {
    const parent = run('parent.ts')
    const folder = await firstLine(parent)
    expect(await processesOf(folder)).toBe(PROCESSES)

    parent.kill('SIGKILL')

    await waitFor({ what: 'every component has ended' }, async () => (await processesOf(folder)) === 0)
  })
})

function run(script: string): ChildProcess {
  return spawn(process.execPath, [join(import.meta.dirname, script)], { stdio: ['ignore', 'pipe', 'ignore'] })
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('the output of the process is not read')
  for await (const line of createInterface({ input: child.stdout })) return line
  throw new Error('the process ended without a line of output')
}

/** Every component has the folder of its cluster in its arguments. */
async function processesOf(folder: string): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'args'], { maxBuffer: 2 ** 24 })
  return stdout.split('\n').filter((line) => line.includes(folder)).length
}

function exitCode(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => {
    child.once('exit', resolve)
  })
}
