import { describe, expect, test } from 'vitest'
import { templateFunctions, withLiterals } from '../../src/inputs/kots-template.ts'

describe('template functions of KOTS', () => {
  test.each([
    ['a: repl{{ true }}', 'a: true'],
    ['a: repl{{5}}', 'a: 5'],
    ['a: "{{repl `x y` }}"', 'a: "x y"'],
    ['a: repl{{ "x\\ty" }}', 'a: x\ty'],
    ['a: {{repl -1.5 }} repl{{- false -}}', 'a: -1.5 false'],
    ['a: {{ .Values.x }}', 'a: {{ .Values.x }}'],
    ['a: repl{{ ConfigOption "x" }}', 'a: repl{{ ConfigOption "x" }}'],
  ])('a literal is taken: %s', (text, expected) => {
    expect(withLiterals(text)).toBe(expected)
  })

  test.each([
    ['repl{{ ConfigOption "Not A Function" }}', ['ConfigOption']],
    ['{{repl if ConfigOptionEquals `a` `b` }}x{{repl end }}', ['ConfigOptionEquals', 'end']],
    ['repl{{ ConfigOption "a" | Base64Encode | quote }} repl{{ ConfigOption "b" }}', ['ConfigOption', 'Base64Encode']],
    ['repl{{ "a" | upper }}', ['|']],
    ['repl{{}}', ['a template']],
    ['{{ .Values.Replicas }} replicas: {{ x }}', []],
  ])('are named: %s', (text, names) => {
    expect(templateFunctions(text)).toEqual(names)
  })
})
