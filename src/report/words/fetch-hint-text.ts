import type { PlainFetchHint } from '../../model/fetch-hint.ts'

/** What to do next about something that could not be fetched. */
export const FETCH_HINT_TEXTS: { readonly [hint in PlainFetchHint]: string } = {
  'ask-for-access': 'give this account the right to read it',
  'check-address': 'check the address and the name',
  'check-address-and-login': 'check the address and the name, and the login where not everybody may read it',
  'wait-for-rate-limit': 'log in, since limits are higher then, or run again later',
  'try-again': 'run again; if it stays so, ask those who run the server',
  'check-network': 'check the address, the proxy and the network of the runner',
  'give-chart-address': 'give the address of a chart that helm package made',
  'give-repository-address': 'give the address that helm repo add takes: index.yaml lies right below it',
  'write-exact-version': 'write one version instead of a range',
  'ask-chart-owner': 'do not deploy it before its owner has said why; another version may be in order',
  'secrets-not-for-forks':
    'runs for forks and by Dependabot get no secrets: make the chart public, or plan it in a run that has them',
  'update-lock': 'run helm dependency update and commit Chart.lock',
  'write-dependency-repository': 'write its repository in Chart.yaml, or put the chart into charts/',
  'correct-dependency-path':
    'correct name and path of the dependency in Chart.yaml; the path starts at the folder of its chart',
  'move-dependency-inside': 'put the chart into the workspace, or give the repository that has it',
  'untangle-dependencies': 'take one of them out of the dependencies in Chart.yaml',
  'add-helm-repository': 'run helm repo add in a step before, or write the address of the repository in Chart.yaml',
  'write-keyring': 'give a file with the public keys (gpg --export) in input keyring',
  'correct-login-file': 'correct the file, or log in again in a step before',
  'mend-credential-helper': 'log in again in a step before, or write the login in input registries',
  'sign-chart': 'publish it with helm package --sign, or set verify: if-present',
}
