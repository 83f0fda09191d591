import { defined } from '../../model/defined.ts'
import { harmlessSteering, type SteeringChange, type SteeringEffect } from '../../model/impact.ts'
import { unreachable } from '../../model/unreachable.ts'
import { metadataChangePhrase } from './metadata-text.ts'
import { joinPhrases, marked, type Phrase, phrase } from './phrase.ts'

/** `⚠️ no authentication any more: annotation …/auth-url removed: https://login.example.com`. */
export function steeringPhrase(changes: readonly SteeringChange[]): Phrase {
  const effects = [...Map.groupBy(changes, ({ effect }) => effect)]
  return joinPhrases(
    effects.map(([effect, alike]) => {
      const lead = effect === 'setting' ? [] : [`${effectText(effect)}: `]
      const what = phrase`${lead}${joinPhrases(
        alike.map(({ after, before, key, kind, map }) =>
          metadataChangePhrase({ map, key, kind, ...defined({ before, after }) }),
        ),
        ', ',
      )}`
      return harmlessSteering.has(effect) ? what : marked(what)
    }),
    '; ',
  )
}

function effectText(effect: SteeringEffect): string {
  switch (effect) {
    case 'any-source':
      return 'takes requests from any address'
    case 'more-sources':
      return 'takes requests from more addresses'
    case 'fewer-sources':
      return 'takes requests from fewer addresses'
    case 'fewer-denied':
      return 'refuses requests from fewer addresses'
    case 'internet-facing':
      return 'reachable from the internet by its load balancer'
    case 'internal-only':
      return 'no longer reachable from the internet: the load balancer is internal'
    case 'no-authentication':
      return 'no authentication any more'
    case 'less-authentication':
      return 'one way to authenticate less'
    case 'other-authentication':
      return 'authenticates otherwise'
    case 'authentication':
      return 'requests have to authenticate'
    case 'fewer-middlewares':
      return 'requests pass fewer middlewares'
    case 'firewall-off':
      return 'no web application firewall any more'
    case 'plain-http':
      return 'serves plain HTTP without a redirect to HTTPS'
    case 'snippet':
      return 'configuration of its own for the ingress controller'
    case 'unpublished':
      return 'a DNS name is no longer published'
    case 'identity':
    case 'identity-gained':
      return 'its pods get a cloud identity'
    case 'identity-other':
      return 'its pods get another cloud identity'
    case 'identity-lost':
      return 'its pods lose their cloud identity'
    case 'kept':
      return 'is kept from now on where the chart leaves it out, and on uninstall'
    case 'no-longer-kept':
      return 'is deleted from now on where the chart leaves it out, and on uninstall'
    case 'mesh-joined':
      return 'pods join the service mesh'
    case 'mesh-left':
      return 'pods leave the service mesh'
    case 'pods-less-limited':
      return 'a weaker Pod Security Standard is enforced'
    case 'pods-more-limited':
      return 'a stricter Pod Security Standard is enforced: pods that do not meet it are refused'
    case 'default-class':
      return 'becomes the default of the cluster'
    case 'no-default-class':
      return 'no longer the default of the cluster'
    case 'setting':
      return 'set for its controller'
    default:
      return unreachable(effect)
  }
}
