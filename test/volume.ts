/**
 * How many generated cases a test that compares with real programs takes: a part of them each time, all of them by
 * the variable that docs/testing.md#volume names.
 */
export function volume(all: number, usual: number): number {
  return process.env.STAGED_HELM_DEPLOY_TESTS === 'all' ? all : usual
}
