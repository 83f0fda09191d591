import { sep } from 'node:path'
import { RenderError } from '../model/errors.ts'
import type { Renderer } from '../ports.ts'

/** The engine gets absolute paths; what it says of them names files as they are called in the workspace. */
export function namesInWorkspace(renderer: Renderer, workspace: string): Renderer {
  const named = (text: string) => text.replaceAll(`${workspace}${sep}`, '')
  return {
    ...renderer,
    render: async (request) => {
      try {
        const rendered = await renderer.render(request)
        return { ...rendered, warnings: rendered.warnings.map(named) }
      } catch (error) {
        if (!(error instanceof RenderError)) throw error
        throw new RenderError({ ...error.details, message: named(error.details.message) }, { cause: error })
      }
    },
  }
}
