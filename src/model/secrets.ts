/**
 * The one place that knows secret values. Grows while a run reads kubeconfig, Secrets and renders; every adapter that
 * prints is wrapped by `redact`, so that no value leaves in whatever text it turns up.
 */
export interface Secrets {
  /** Values shorter than `MIN_SECRET_CHARS` are ignored. */
  add(value: string): void
  redact(text: string): string
}
