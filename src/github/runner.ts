import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as core from '@actions/core'
import type { Runner } from '../ports.ts'
import type { Environment } from './workflow-event.ts'

const ANNOTATE = { error: core.error, warning: core.warning, notice: core.notice }

/** The runner of GitHub Actions. Text passes unchanged, apart from what its own command format escapes. */
export function createRunner(environment: Environment): Runner {
  return {
    input: (name) => core.getInput(name, { trimWhitespace: false }),
    info: (line) => core.info(line),
    annotate: (level, message, place = {}) => ANNOTATE[level](message, { ...place }),
    debug: (line) => core.debug(line),
    startGroup: (title) => core.startGroup(title),
    endGroup: () => core.endGroup(),
    output: (name, value) => core.setOutput(name, value),
    summary: async (markdown) => {
      if (!environment.GITHUB_STEP_SUMMARY) return
      await core.summary.emptyBuffer().addRaw(markdown).write({ overwrite: true })
    },
    saveState: (name, value) => core.saveState(name, value),
    state: (name) => {
      const value = core.getState(name)
      return value === '' ? undefined : value
    },
    mask: (value) => core.setSecret(value),
    keepFile: async (name, text) => {
      const folder = await mkdtemp(join(environment.RUNNER_TEMP ?? tmpdir(), 'staged-helm-deploy-'))
      const path = join(folder, name)
      await writeFile(path, text)
      return path
    },
  }
}
