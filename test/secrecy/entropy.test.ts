import { expect, test } from 'vitest'
import { isWorthMasking } from '../../src/secrecy/entropy.ts'

test.each(['hunter2hunter2', 'eyJhbGciOiJSUzI1NiIsImtpZCI6', '9f3c2a7b', 'k8s-aws-v1.aHR0cHM6Ly9zdHM'])(
  'the runner masks %s',
  (value) => expect(isWorthMasking(value)).toBe(true),
)

test.each(['production', 'kubernetes-admin', 'short1', 'true', '11111111', 'aaaaaaa1', 'two words 123', '12345678'])(
  'the runner does not mask %s',
  (value) => expect(isWorthMasking(value)).toBe(false),
)
