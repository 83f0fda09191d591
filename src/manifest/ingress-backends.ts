import { arrayAt, at, type JsonObject, type JsonValue } from '../model/object.ts'

/** Where an Ingress leads. Source: the API reference of Kubernetes, `IngressSpec`. */
export function ingressBackends({ spec }: JsonObject): readonly (JsonValue | undefined)[] {
  const paths = arrayAt(spec, 'rules').flatMap((rule) => arrayAt(rule, 'http', 'paths'))
  return [at(spec, 'defaultBackend'), ...paths.map((path) => at(path, 'backend'))]
}
