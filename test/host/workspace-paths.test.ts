import { posix, win32 } from 'node:path'
import { describe, expect, test } from 'vitest'
import { workspacePaths } from '../../src/host/workspace-paths.ts'

const linux = workspacePaths('/home/runner/work/shop', posix)
const windows = workspacePaths('D:\\a\\shop', win32)

describe('paths of inputs, relative to the workspace', () => {
  test.each([
    ['charts/web', '', 'charts/web'],
    ['./charts/web', '', './charts/web'],
    ['web', 'deploy', 'deploy/web'],
    ['./web/', './deploy/', 'deploy/web'],
    ['../charts/web', 'deploy', 'charts/web'],
    ['.', 'deploy', 'deploy'],
    ['..', 'deploy', '.'],
    ['k8s/**/*.{yaml,yml}', 'deploy', 'deploy/k8s/**/*.{yaml,yml}'],
    ['..data/web', 'deploy/..', '..data/web'],
    ['web', '/home/runner/work/shop/deploy', 'deploy/web'],
    ['/home/runner/work/shop/charts/web', '', 'charts/web'],
    ['/home/runner/work/shop/charts/web', 'deploy', 'charts/web'],
    ['/home/runner/work/shop', 'deploy', '.'],
  ])('%s in "%s" is %s', (text, folder, path) => {
    expect(linux.pathFrom(folder, text)).toBe(path)
  })

  test.each([
    ['/opt/charts/web', '', '/opt/charts/web'],
    ['/opt/charts/web', 'deploy', '/opt/charts/web'],
    ['/home/runner/work/shopping/web', '', '/home/runner/work/shopping/web'],
    ['web', '/opt/charts', '/opt/charts/web'],
    ['../web', '/opt/charts', '/opt/web'],
  ])('%s in "%s" lies outside, at %s, because that is an absolute path', (text, folder, path) => {
    expect(linux.pathFrom(folder, text)).toBe(path)
  })

  test.each([
    ['../secret', ''],
    ['../../secret', 'deploy'],
    ['secret', '../other'],
    ['../../secret', '/home/runner/work/shop/deploy'],
  ])('%s in "%s" leads out and stays relative, so that it is refused', (text, folder) => {
    const path = linux.pathFrom(folder, text)
    expect(posix.isAbsolute(path)).toBe(false)
    expect(linux.holds(linux.locate(path))).toBe(false)
  })

  test.each([
    ['charts\\web', '', 'charts/web'],
    ['charts/web', '', 'charts/web'],
    ['web', 'deploy\\eu', 'deploy/eu/web'],
    ['..\\charts\\web', 'deploy', 'charts/web'],
    ['D:\\a\\shop\\charts\\web', 'deploy', 'charts/web'],
    ['d:/a/shop/charts/web', '', 'charts/web'],
    ['web', 'D:/a/shop/deploy', 'deploy/web'],
    ['C:\\charts\\web', 'deploy', 'C:\\charts\\web'],
    ['D:\\a\\shopping', '', 'D:\\a\\shopping'],
    ['web', 'C:\\charts', 'C:\\charts\\web'],
  ])('on Windows, %s in "%s" is %s', (text, folder, path) => {
    expect(windows.pathFrom(folder, text)).toBe(path)
  })

  test('are absolute for what reads files by itself', () => {
    expect(linux.locate('charts/web')).toBe('/home/runner/work/shop/charts/web')
    expect(windows.locate('charts/web')).toBe('D:\\a\\shop\\charts\\web')
    expect([linux.locate('/opt/web'), windows.locate('C:\\web')]).toEqual(['/opt/web', 'C:\\web'])
  })

  test.each([
    [windows, 'D:\\a\\shop\\..data', true],
    [windows, 'D:\\a\\shop', true],
    [windows, 'D:\\a\\..\\b', false],
    [windows, 'C:\\a\\shop', false],
    [linux, '/home/runner/work/shop/..data', true],
    [linux, '/home/runner/work', false],
  ])('%# tell what the workspace holds', (paths, absolute, isHeld) => {
    expect(paths.holds(absolute)).toBe(isHeld)
  })
})
