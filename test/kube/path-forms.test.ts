import { posix, win32 } from 'node:path'
import { expect, test } from 'vitest'
import { isBelow, isPath, programFiles } from '../../src/kube/path-forms.ts'

test.each([
  [posix, '/work/shop/kubeconfig', '/work/shop', true],
  [posix, '/work/shop', '/work/shop', true],
  [posix, '/work/shop/..kube/config', '/work/shop', true],
  [posix, '/work/shopping/config', '/work/shop', false],
  [posix, '/work/shop/../config', '/work/shop', false],
  [win32, 'D:\\a\\shop\\kubeconfig', 'D:\\a\\shop', true],
  [win32, 'd:/A/Shop/kubeconfig', 'D:\\a\\shop', true],
  [win32, 'D:\\a\\shop\\..kube\\config', 'D:\\a\\shop', true],
  [win32, 'D:\\a\\config', 'D:\\a\\shop', false],
  [win32, 'D:\\config\\kube', 'D:\\a\\shop', false],
  [win32, 'C:\\Users\\runner\\.kube\\config', 'D:\\a\\shop', false],
])('%#: whether a path lies in a folder', (flavour, path, folder, isInside) => {
  expect(isBelow(path, folder, flavour)).toBe(isInside)
})

test('a program of Windows is found without its extension', () => {
  expect(programFiles('C:\\bin\\aws', win32)).toEqual(['C:\\bin\\aws.exe', 'C:\\bin\\aws.com'])
  expect(programFiles('C:\\bin\\aws.exe', win32)).toEqual(['C:\\bin\\aws.exe'])
  expect(programFiles('/usr/bin/aws', posix)).toEqual(['/usr/bin/aws'])
})

test('a command with a separator of the system is a path', () => {
  expect([isPath('..\\aws', win32), isPath('./aws', win32), isPath('aws', win32)]).toEqual([true, true, false])
  expect([isPath('./aws', posix), isPath('aws', posix)]).toEqual([true, false])
})
