import { sep } from 'node:path'
import { RenderError } from '../model/errors.ts'
import type { ChartRules, Renderer } from '../ports.ts'

/** The engine gets absolute paths; what it says of them names files as they are called in the workspace. */
export function namesInWorkspace(engine: Renderer & ChartRules, workspace: string): Renderer & ChartRules {
  const named = (text: string) => text.replaceAll(`${workspace}${sep}`, '')
  const inNames = async <T>(answer: Promise<T>): Promise<T> => {
    try {
      return await answer
    } catch (error) {
      if (!(error instanceof RenderError)) throw error
      throw new RenderError({ ...error.details, message: named(error.details.message) }, { cause: error })
    }
  }
  return {
    ...engine,
    render: async (request) => {
      const rendered = await inNames(engine.render(request))
      return { ...rendered, warnings: rendered.warnings.map(named) }
    },
    requirements: (request) => inNames(engine.requirements(request)),
    assertLoadable: (path) => inNames(engine.assertLoadable(path)),
    verify: (request) => inNames(engine.verify(request)),
  }
}
