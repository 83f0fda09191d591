import { expect, test } from 'vitest'
import { readRegistryAddress } from '../../src/fetch/registry-address.ts'
import { refusal } from './given-http.ts'

test.each([
  ['oci://r.example/shop', 'r.example', 'shop'],
  ['oci://R.example:5000/charts/my_shop.x/', 'R.example:5000', 'charts/my_shop.x'],
  ['oci://[::1]:5000/shop', '[::1]:5000', 'shop'],
])('%s', (text, host, repository) => {
  expect(readRegistryAddress(text)).toEqual({ host, repository })
})

test.each([
  'oci://r.example/',
  'oci:///shop',
  'oci://r.example/Shop',
  'oci://r.example/a/../b',
  'oci://r.example/a?b',
  'oci://robot:word@r.example/shop',
  'oci://r.example:99999/shop',
  'oci://999.999.999.999/shop',
  'https://r.example/shop',
])('%s is no address of a registry', async (text) => {
  expect(await refusal(new Promise((resolve) => resolve(readRegistryAddress(text))))).toContain(
    'is no address of a registry: ',
  )
})
