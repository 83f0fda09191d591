import { beforeEach, describe, expect, test } from 'vitest'
import { type RunScene, runScene } from '../run/scene.ts'

const hook = (name: string, event: string, more = '') => `apiVersion: v1
kind: ConfigMap
metadata: { name: ${name}, annotations: { helm.sh/hook: ${event}${more} } }`
const owned = (name: string, event: string) => hook(name, event, ', werf.io/ownership: release')
const resource = (name: string) => `apiVersion: v1
kind: ConfigMap
metadata: { name: ${name} }`
const chart = (...documents: readonly string[]) => documents.join('\n---\n')

let scene: RunScene
beforeEach(() => {
  scene = runScene()
})

const isThere = async (name: string) =>
  (await scene.cluster.get({ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'web', name })) !== undefined
const statusOf = async (change: Parameters<RunScene['run']>[0]) => (await scene.run(change))[0]?.outcome

describe('hooks that the record names', () => {
  test('with ownership release go when they leave the chart; others stay', async () => {
    scene.renderer.chart(chart(resource('a'), owned('mine', 'pre-install'), hook('anyones', 'pre-install')))
    expect(await statusOf({})).toMatchObject({ status: 'deployed' })
    scene.renderer.chart(resource('a'))
    expect(await statusOf({})).toMatchObject({ status: 'deployed' })
    expect(await isThere('mine')).toBe(false)
    expect(await isThere('anyones')).toBe(true)
  })

  test('with ownership release go with the release; the same chart again changes nothing', async () => {
    scene.renderer.chart(chart(resource('a'), owned('mine', 'pre-install'), hook('anyones', 'pre-install')))
    await scene.run({})
    expect(await statusOf({})).toMatchObject({ status: 'no-changes' })
    expect(await statusOf({ command: 'uninstall' })).toMatchObject({ status: 'uninstalled' })
    expect(await isThere('mine')).toBe(false)
    expect(await isThere('anyones')).toBe(true)
  })

  test('become resources of the release, and back', async () => {
    scene.renderer.chart(chart(resource('a'), hook('b', 'pre-install')))
    await scene.run({})
    scene.renderer.chart(chart(hook('a', 'pre-upgrade'), resource('b')))
    expect(await statusOf({})).toMatchObject({ status: 'deployed' })
    expect(await statusOf({ command: 'rollback' })).toMatchObject({ status: 'rolled-back' })
    expect(await statusOf({ command: 'uninstall' })).toMatchObject({ status: 'uninstalled' })
    expect(await isThere('a')).toBe(false)
  })

  test('become resources also where the revision that ran them failed', async () => {
    scene.renderer.chart(chart(hook('b', 'pre-install'), 'apiVersion: batch/v1\nkind: Job\nmetadata: { name: breaks }'))
    scene.cluster.statusWhenApplied({ kind: 'Job' }, 500, { conditions: [{ type: 'Failed', status: 'True' }] })
    expect(await statusOf({})).toMatchObject({ status: 'failed' })
    scene.renderer.chart(resource('b'))
    expect(await statusOf({})).toMatchObject({ status: 'deployed' })
  })
})
