import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { namesInWorkspace } from '../../src/host/names-in-workspace.ts'
import { RenderError } from '../../src/model/errors.ts'
import { noValues } from '../../src/model/release.ts'
import type { RenderRequest } from '../../src/ports.ts'
import { fakeChartRules } from '../doubles/fake-chart-rules.ts'
import { fakeRenderer } from '../doubles/fake-renderer.ts'

const workspace = resolve('/home/runner/work/shop')
const request: RenderRequest = {
  chartPath: join(workspace, 'charts', 'web'),
  release: 'web',
  namespace: 'shop',
  revision: 1,
  isUpgrade: false,
  values: noValues,
  apiVersions: [],
}

test('an error of the engine names the files of the workspace as the inputs do, and keeps its place', async () => {
  const refuses = async ({ chartPath }: RenderRequest) => {
    const message = `symbolic link ${join(chartPath, 'host.txt')} leads out of the chart, to ${resolve('/etc/hostname')}`
    throw new RenderError({ message, chart: 'web', template: 'web/templates/a.yaml', line: 3 })
  }
  const renderer = namesInWorkspace({ ...fakeRenderer(), ...fakeChartRules(), render: refuses }, workspace)
  await expect(renderer.render(request)).rejects.toMatchObject({
    details: {
      message: `symbolic link ${join('charts', 'web', 'host.txt')} leads out of the chart, to ${resolve('/etc/hostname')}`,
      chart: 'web',
      template: 'web/templates/a.yaml',
      line: 3,
    },
  })
})

test('the engine itself gets absolute paths', async () => {
  const engine = fakeRenderer()
  await namesInWorkspace({ ...engine, ...fakeChartRules() }, workspace).render(request)
  expect(engine.requests.map(({ chartPath }) => chartPath)).toEqual([request.chartPath])
})

test('what the rules of charts say names them, too', async () => {
  const refuses = async () => {
    throw new RenderError({ message: `path "${join(workspace, 'charts', 'web')}" not found` })
  }
  const rules = { ...fakeChartRules(), requirements: refuses }
  const engine = namesInWorkspace({ ...fakeRenderer(), ...rules }, workspace)
  const asked = engine.requirements({ chartPath: request.chartPath, values: noValues, dependencies: [] })
  await expect(asked).rejects.toThrow(`path "${join('charts', 'web')}" not found`)
})
