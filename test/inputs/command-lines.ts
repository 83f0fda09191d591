import type { Inputs } from './defaults.ts'

export interface CommandLine {
  /** As it stands in a workflow or a script. */
  readonly line: string
  /** What says the same. */
  readonly inputs: Inputs
  /** Instead: the message, for a line that no input says. */
  readonly refused?: string
}

/**
 * Command lines in the forms that public workflows, scripts and READMEs have, each with the inputs that say the same.
 * Paths lead to the workspace of `command-lines.engine.test.ts`; names of repositories are those of its `helm repo add`.
 */
export const commandLines: readonly CommandLine[] = [
  // A chart of the workspace
  { line: 'helm upgrade --install web ./charts/web', inputs: { release: 'web', chart: './charts/web' } },
  { line: 'helm upgrade web charts/web --install', inputs: { release: 'web', chart: 'charts/web' } },
  { line: 'helm upgrade -i web charts/web/', inputs: { release: 'web', chart: 'charts/web/' } },
  { line: 'helm install web ./charts/web', inputs: { release: 'web', chart: './charts/web' } },
  {
    line: 'helm upgrade --install --atomic --wait web ./charts/web -n shop --create-namespace',
    inputs: { release: 'web', chart: './charts/web', namespace: 'shop', 'create-namespace': 'true', atomic: 'true' },
  },
  {
    line: 'helm upgrade web charts/web-1.2.3.tgz --install --namespace=shop --wait --timeout 5m0s',
    inputs: { release: 'web', chart: 'charts/web-1.2.3.tgz', namespace: 'shop', timeout: '5m' },
  },
  {
    line: 'helm upgrade --install web deploy/helm/api --values deploy/helm/api/values.yaml',
    inputs: { release: 'web', chart: 'deploy/helm/api', 'values-files': 'deploy/helm/api/values.yaml' },
  },
  {
    line: 'helm upgrade --install --debug --wait --timeout 600s api ./deploy/helm/api -f values.yaml -f values-prod.yaml',
    inputs: {
      release: 'api',
      chart: './deploy/helm/api',
      'values-files': 'values.yaml\nvalues-prod.yaml',
      timeout: '600s',
    },
  },
  {
    line: 'helm upgrade --install api ./deploy/helm/api -f values.yaml,values-prod.yaml --force-conflicts',
    inputs: {
      release: 'api',
      chart: './deploy/helm/api',
      'values-files': 'values.yaml\nvalues-prod.yaml',
      'force-conflicts': 'true',
    },
  },
  {
    line: 'helm upgrade --install web ./charts/web -f ./values.yaml --set image.tag=1.4.2',
    inputs: { release: 'web', chart: './charts/web', 'values-files': './values.yaml', set: 'image.tag=1.4.2' },
  },
  {
    line: 'helm upgrade --install web ./charts/web --set image.repository=registry.example/web,image.tag=1.4.2',
    inputs: { release: 'web', chart: './charts/web', set: 'image.repository=registry.example/web,image.tag=1.4.2' },
  },
  {
    line: `helm upgrade --install web ./charts/web \\
  --namespace shop \\
  --set image.repository=registry.example/web \\
  --set image.tag=sha-3f1c2d9 \\
  --set replicaCount=2 \\
  --wait`,
    inputs: {
      release: 'web',
      chart: './charts/web',
      namespace: 'shop',
      set: 'image.repository=registry.example/web\nimage.tag=sha-3f1c2d9\nreplicaCount=2',
    },
  },
  {
    line: `helm upgrade --install web ./charts/web --set "image.tag=1.4.2" --set 'ingress.hosts[0].host=shop.example'`,
    inputs: { release: 'web', chart: './charts/web', set: 'image.tag=1.4.2\ningress.hosts[0].host=shop.example' },
  },
  {
    line: 'helm upgrade --install web ./charts/web --set ingress.hosts[0].host=shop.example,ingress.hosts[0].paths[0]=/',
    inputs: {
      release: 'web',
      chart: './charts/web',
      set: 'ingress.hosts[0].host=shop.example,ingress.hosts[0].paths[0]=/',
    },
  },
  {
    line: `helm upgrade --install web ./charts/web --set 'hosts={a.example,b.example}'`,
    inputs: { release: 'web', chart: './charts/web', set: 'hosts={a.example,b.example}' },
  },
  {
    line: 'helm upgrade --install web ./charts/web --set "hosts={a.example,b.example}"',
    inputs: { release: 'web', chart: './charts/web', set: 'hosts={a.example,b.example}' },
  },
  {
    line: String.raw`helm upgrade --install web ./charts/web --set "origins=https://a.example\,https://b.example"`,
    inputs: { release: 'web', chart: './charts/web', set: String.raw`origins=https://a.example\,https://b.example` },
  },
  {
    line: String.raw`helm upgrade --install web ./charts/web --set origins=a\\,b`,
    inputs: { release: 'web', chart: './charts/web', set: String.raw`origins=a\,b` },
  },
  {
    line: String.raw`helm upgrade --install web ./charts/web --set 'ingress.annotations.kubernetes\.io/ingress\.class=nginx'`,
    inputs: {
      release: 'web',
      chart: './charts/web',
      set: String.raw`ingress.annotations.kubernetes\.io/ingress\.class=nginx`,
    },
  },
  {
    line: String.raw`helm upgrade --install web ./charts/web --set serviceAccount.annotations."eks\.amazonaws\.com/role-arn"=arn:aws:iam::1:role/web`,
    inputs: {
      release: 'web',
      chart: './charts/web',
      set: String.raw`serviceAccount.annotations.eks\.amazonaws\.com/role-arn=arn:aws:iam::1:role/web`,
    },
  },
  {
    line: 'helm upgrade --install web ./charts/web --set-string image.tag=0123456 --set-string podAnnotations.build=42',
    inputs: {
      release: 'web',
      chart: './charts/web',
      'set-string': 'image.tag=0123456\npodAnnotations.build=42',
    },
  },
  {
    line: 'helm upgrade --install web ./charts/web --set-file config=config/app.conf',
    inputs: { release: 'web', chart: './charts/web', 'set-file': 'config=config/app.conf' },
  },
  {
    line: 'helm upgrade --install web ./charts/web --set-file=a=config/app.conf,b=config/app.conf --set c=1',
    inputs: { release: 'web', chart: './charts/web', 'set-file': 'a=config/app.conf,b=config/app.conf', set: 'c=1' },
  },
  {
    line: `helm upgrade --install web ./charts/web --set-json 'resources={"limits":{"memory":"1Gi","cpu":2}}'`,
    inputs: { release: 'web', chart: './charts/web', 'set-json': 'resources={"limits":{"memory":"1Gi","cpu":2}}' },
  },
  {
    line: String.raw`helm upgrade --install web ./charts/web --set-json "tolerations=[{\"key\":\"a\",\"operator\":\"Exists\"}]"`,
    inputs: { release: 'web', chart: './charts/web', 'set-json': 'tolerations=[{"key":"a","operator":"Exists"}]' },
  },
  {
    line: `helm upgrade --install web ./charts/web --set-literal 'pattern=^a,b{2}$' --set name=x`,
    inputs: { release: 'web', chart: './charts/web', 'set-literal': 'pattern=^a,b{2}$', set: 'name=x' },
  },
  {
    line: `helm upgrade --install web ./charts/web --set env[0].name=MODE --set env[0].value="eu west"`,
    inputs: { release: 'web', chart: './charts/web', set: 'env[0].name=MODE\nenv[0].value=eu west' },
  },
  {
    line: `helm upgrade --install web ./charts/web --set 'command={sh,-c,echo "$HOME"; exit}'`,
    inputs: { release: 'web', chart: './charts/web', set: 'command={sh,-c,echo "$HOME"; exit}' },
  },
  {
    line: 'helm upgrade --install web ./charts/web --set replicaCount=3 --set replicaCount=4',
    inputs: { release: 'web', chart: './charts/web', set: 'replicaCount=3\nreplicaCount=4' },
  },
  {
    line: 'helm upgrade --install web ./charts/web --set image.tag= --set sidecar=null --set debug=true',
    inputs: { release: 'web', chart: './charts/web', set: 'image.tag=\nsidecar=null\ndebug=true' },
  },
  {
    line: 'helm upgrade --install web ./charts/web --values=values.yaml --set-string=image.tag=1e5 --history-max=5',
    inputs: {
      release: 'web',
      chart: './charts/web',
      'values-files': 'values.yaml',
      'set-string': 'image.tag=1e5',
      'history-max': '5',
    },
  },
  {
    line: 'helm upgrade --install web ./charts/web --kube-context prod -n shop',
    inputs: { release: 'web', chart: './charts/web', context: 'prod', namespace: 'shop' },
  },
  {
    line: 'helm --kubeconfig ./kubeconfig --namespace shop upgrade --install web ./charts/web',
    inputs: { release: 'web', chart: './charts/web', kubeconfig: './kubeconfig', namespace: 'shop' },
  },
  {
    line: 'helm upgrade --install web ./charts/web --wait --wait-for-jobs --timeout 10m30s',
    inputs: { release: 'web', chart: './charts/web', timeout: '10m30s' },
  },
  {
    line: 'helm upgrade --install web ./charts/web --wait=false',
    inputs: { release: 'web', chart: './charts/web', wait: 'false' },
  },
  {
    line: 'helm upgrade --install web ./charts/web --rollback-on-failure --wait=watcher --timeout=1h',
    inputs: { release: 'web', chart: './charts/web', atomic: 'true', timeout: '1h' },
  },
  {
    line: 'helm upgrade --install web ./charts/web --dependency-update --disable-openapi-validation --hide-notes',
    inputs: { release: 'web', chart: './charts/web' },
  },
  {
    line: 'helm upgrade --install web ./charts/web --dry-run',
    inputs: { release: 'web', chart: './charts/web', command: 'plan' },
  },
  {
    line: 'helm upgrade -i web ./charts/web --dry-run=server --debug -f values.yaml',
    inputs: { release: 'web', chart: './charts/web', command: 'plan', 'values-files': 'values.yaml' },
  },
  {
    line: 'helm template web ./charts/web -f values.yaml --dry-run --kube-version 1.33 --api-versions monitoring.coreos.com/v1',
    inputs: {
      release: 'web',
      chart: './charts/web',
      command: 'plan',
      'values-files': 'values.yaml',
      'kube-version': '1.33',
      'api-versions': 'monitoring.coreos.com/v1',
    },
  },
  {
    line: 'helm install -n shop --create-namespace web ./charts/web --wait --atomic -o json',
    inputs: { release: 'web', chart: './charts/web', namespace: 'shop', 'create-namespace': 'true', atomic: 'true' },
  },
  {
    line: `helm upgrade web ./charts/web --install -nshop -fvalues.yaml -f "values-prod.yaml" --set 'a b=c'`,
    inputs: {
      release: 'web',
      chart: './charts/web',
      namespace: 'shop',
      'values-files': 'values.yaml\nvalues-prod.yaml',
      set: 'a b=c',
    },
  },
  {
    line: 'helm upgrade --install web ./charts/web --no-hooks --skip-crds --take-ownership',
    inputs: {
      release: 'web',
      chart: './charts/web',
      hooks: 'false',
      'skip-crds': 'true',
      'take-ownership': 'true',
    },
  },
  {
    line: 'helm upgrade web ./charts/web --install --cleanup-on-fail --history-max 3 --description "build 42"',
    inputs: { release: 'web', chart: './charts/web', 'history-max': '3', description: 'build 42' },
  },
  {
    line: 'helm upgrade --install web ./charts/web --labels team=shop,stage=prod',
    inputs: { release: 'web', chart: './charts/web', 'release-labels': 'team=shop\nstage=prod' },
  },
  {
    line: 'helm upgrade --install web ./charts/web --reset-values --set image.tag=2',
    inputs: { release: 'web', chart: './charts/web', 'reuse-values': 'none', set: 'image.tag=2' },
  },
  {
    line: 'helm upgrade web ./charts/web --reuse-values --set image.tag=1.4.3',
    inputs: { release: 'web', chart: './charts/web', 'reuse-values': 'reuse', set: 'image.tag=1.4.3' },
  },
  {
    line: 'helm upgrade --install web ./charts/web --reset-then-reuse-values -f values.yaml',
    inputs: {
      release: 'web',
      chart: './charts/web',
      'reuse-values': 'reset-then-reuse',
      'values-files': 'values.yaml',
    },
  },

  // A chart that is fetched
  {
    line: 'helm upgrade --install redis bitnami/redis --version 20.1.0 -f values.yaml',
    inputs: { release: 'redis', chart: 'bitnami/redis', 'chart-version': '20.1.0', 'values-files': 'values.yaml' },
  },
  {
    line: 'helm upgrade --install redis bitnami/redis --version "^20.1" --set auth.enabled=false',
    inputs: { release: 'redis', chart: 'bitnami/redis', 'chart-version': '^20.1', set: 'auth.enabled=false' },
  },
  {
    line: `helm upgrade --install redis bitnami/redis --version '>=19.0.0 <21.0.0'`,
    inputs: { release: 'redis', chart: 'bitnami/redis', 'chart-version': '>=19.0.0 <21.0.0' },
  },
  {
    line: 'helm upgrade --install redis bitnami/redis --version ~20.1.0 --devel',
    inputs: { release: 'redis', chart: 'bitnami/redis', 'chart-version': '~20.1.0' },
  },
  {
    line: 'helm upgrade --install redis bitnami/redis --devel',
    inputs: { release: 'redis', chart: 'bitnami/redis', 'chart-version': '>0.0.0-0' },
  },
  {
    line: 'helm upgrade --install ingress-nginx ingress-nginx --repo https://kubernetes.github.io/ingress-nginx --namespace ingress-nginx --create-namespace',
    inputs: {
      release: 'ingress-nginx',
      chart: 'ingress-nginx',
      repository: 'https://kubernetes.github.io/ingress-nginx',
      namespace: 'ingress-nginx',
      'create-namespace': 'true',
    },
  },
  {
    line: 'helm install cert-manager cert-manager --repo=https://charts.jetstack.io --version v1.16.2 --set crds.enabled=true -n cert-manager',
    inputs: {
      release: 'cert-manager',
      chart: 'cert-manager',
      repository: 'https://charts.jetstack.io',
      'chart-version': 'v1.16.2',
      set: 'crds.enabled=true',
      namespace: 'cert-manager',
    },
  },
  {
    line: 'helm upgrade --install web oci://registry.example/charts/web --version 1.2.3 --wait',
    inputs: { release: 'web', chart: 'oci://registry.example/charts/web', 'chart-version': '1.2.3' },
  },
  {
    line: 'helm upgrade --install web oci://registry.example:5000/charts/web -f values.yaml --atomic --timeout 15m',
    inputs: {
      release: 'web',
      chart: 'oci://registry.example:5000/charts/web',
      'values-files': 'values.yaml',
      atomic: 'true',
      timeout: '15m',
    },
  },
  {
    line: 'helm upgrade -i web https://charts.example/web-1.2.3.tgz --set image.tag=1',
    inputs: { release: 'web', chart: 'https://charts.example/web-1.2.3.tgz', set: 'image.tag=1' },
  },
  {
    line: 'helm upgrade --install prometheus prometheus-community/kube-prometheus-stack -n monitoring --set grafana.enabled=false --set-string a=1',
    inputs: {
      release: 'prometheus',
      chart: 'prometheus-community/kube-prometheus-stack',
      namespace: 'monitoring',
      set: 'grafana.enabled=false',
      'set-string': 'a=1',
    },
  },

  {
    line: `helm upgrade --install redis bitnami/redis -f 'https://config.example/redis.yaml?ref=main'`,
    inputs: {
      release: 'redis',
      chart: 'bitnami/redis',
      'values-files': 'https://config.example/redis.yaml?ref=main',
    },
  },
  {
    line: 'helm upgrade --install web bitnami/nginx --verify --keyring keys/public.gpg',
    inputs: { release: 'web', chart: 'bitnami/nginx', verify: 'always', keyring: 'keys/public.gpg' },
  },

  // What a shell would have expanded
  {
    line: 'helm upgrade --install web ./charts/web --set image.tag=$GITHUB_SHA',
    inputs: { release: 'web', chart: './charts/web' },
    refused: 'line 1: "$" is expanded by a shell',
  },
  {
    line: 'helm upgrade --install web ./charts/web --set "image.tag=$TAG" --namespace "$NAMESPACE"',
    inputs: { release: 'web', chart: './charts/web' },
    refused: 'line 1: "$" is expanded by a shell',
  },
  {
    line: 'helm upgrade --install web ./charts/web --set image.tag=$(git rev-parse HEAD)',
    inputs: { release: 'web', chart: './charts/web' },
    refused: 'line 1: "$" is expanded by a shell',
  },
  {
    line: 'helm upgrade --install web ./charts/web -f values/*.yaml',
    inputs: { release: 'web', chart: './charts/web' },
    refused: 'line 1: "*" outside of quotes stands for file names in a shell',
  },
  {
    line: 'helm upgrade --install web ./charts/web --dry-run | tee plan.txt',
    inputs: { release: 'web', chart: './charts/web' },
    refused: 'line 1: "|" outside of quotes ends or redirects the command',
  },
  {
    line: 'helm upgrade --install web ./charts/web -f ~/values.yaml',
    inputs: { release: 'web', chart: './charts/web' },
    refused: 'line 1: "~" outside of quotes stands for a home folder',
  },

  // What is done in another way, or not at all
  {
    line: 'helm upgrade --install web ./charts/web --force',
    inputs: { release: 'web', chart: './charts/web' },
    refused: 'line 1: --force is refused: objects are not replaced: force-conflicts takes over fields',
  },
  {
    line: 'helm upgrade --install web ./charts/web --post-renderer ./kustomize.sh',
    inputs: { release: 'web', chart: './charts/web' },
    refused: 'line 1: --post-renderer is refused: no program is started on what was rendered',
  },
  {
    line: 'helm install ./charts/web --generate-name',
    inputs: { chart: './charts/web' },
    refused: 'line 1: --generate-name is refused: write the name in input release',
  },
  {
    line: 'helm upgrade --install web charts/web --username bot --password hunter2',
    inputs: { release: 'web', chart: 'charts/web' },
    refused: 'line 1: --username is refused: write it in input registries',
  },
  {
    line: 'helm upgrade --install web charts/web --kube-apiserver https://cluster.example --kube-token hunter2',
    inputs: { release: 'web', chart: 'charts/web' },
    refused: 'line 1: --kube-apiserver is refused: write it in the kubeconfig of input kubeconfig',
  },
  {
    line: 'helm upgrade --install web charts/web --set-string password=two words',
    inputs: { release: 'web', chart: 'charts/web' },
    refused: 'line 1: a word behind the value of --set-string is no flag: put the whole value into quotes',
  },
  {
    line: 'helm upgrade --install web charts/web -f -',
    inputs: { release: 'web', chart: 'charts/web' },
    refused: 'line 1: the value of -f cannot be taken: write values into a file',
  },
]
