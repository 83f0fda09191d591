import type { PlainFetchHint } from '../../model/fetch-hint.ts'
import type { InputHint, PlainInputHint } from '../../model/input-hint.ts'
import { FETCH_HINT_TEXTS } from './fetch-hint-text.ts'

/** The same as `hintText`, for what the user wrote. */
export function inputHintText(hint: InputHint): string {
  switch (hint.kind) {
    case 'write-form':
      return `write ${hint.form}`
    case 'write-one-of':
      return `write one of ${hint.choices.join(', ')}`
    case 'write-list-of-charts':
      return `write one path per line, or a YAML list of objects with ${hint.fields.join(', ')}`
    case 'write-registries':
      return `write a YAML list of objects with ${hint.fields.join(', ')}`
    case 'write-release-name':
      return `write lower-case letters, digits, "-" and ".", at most ${hint.maxChars} characters`
    case 'write-namespace-name':
      return `write lower-case letters, digits and "-", at most ${hint.maxChars} characters`
    case 'write-one-line':
      return `write one line of at most ${hint.maxChars} characters`
    case 'write-approval-key':
      return `write at least ${hint.minChars} characters, as \`openssl rand -hex 32\` gives them`
    case 'write-release-label':
      return `write key=value as a label of Kubernetes; Helm itself sets ${hint.taken.join(', ')}`
    case 'name-release':
      return `name the release${hint.orGiveCharts ? ', or give charts' : ''}`
    case 'write-in-item-of-charts':
      return `write ${hint.field} in an item of charts`
    case 'put-archive-beside':
      return `put ${hint.file} next to the document`
    case 'write-without-flag':
      return `write what belongs to this input alone, without ${hint.flag}; a line of flags goes to helm-args`
    case 'write-flag-or-false':
      return `write ${hint.flag} or ${hint.flag}=false`
    case 'leave-flag-out':
      return `leave it out; known are ${hint.known.join(', ')}`
    case 'add-fields':
      return `add ${hint.fields.join(' and ')}`
    case 'correct-key':
      return `write ${hint.likely}, or remove it`
    case 'write-in-input':
      return `write it in input ${hint.input}`
    case 'instead-of-flag':
      return hint.instead
    case 'choose-version':
      return hint.versions.length === 0 ? 'it has no versions' : `choose one of ${hint.versions.join(', ')}`
    case 'choose-chart-name':
      return hint.names.length === 0 ? 'the repository holds no charts' : `did you mean ${hint.names.join(', ')}?`
    case 'log-in':
      return `log in to ${hint.host} in a step before (docker/login-action), or write it in input registries`
    case 'trust-authority':
      return `write the certificate authority as ca of ${hint.host} in input registries`
    case 'allow-plain-http':
      return `use https, or write plain-http: true for ${hint.host} in input registries`
    default:
      return TEXTS[hint.kind]
  }
}

const TEXTS: Readonly<Record<PlainInputHint | PlainFetchHint, string>> = {
  ...FETCH_HINT_TEXTS,

  'quote-text': 'put it in quotes',
  'write-boolean': 'write true or false',
  'write-quoted-boolean': 'write "true" or "false"',
  'write-integer': 'write an integer',
  'write-list-of-texts': 'write a list, each entry in quotes',
  'leave-out': 'leave it out',
  'correct-name': 'correct the name, or remove it',
  'correct-yaml': 'check the indentation and quotes',

  'check-out-chart':
    'write the path of a chart and check it out first, its address (oci://, https://), or its name with input repository',
  'write-chart-directory': 'write the path of the directory of the chart',
  'package-chart': 'package the chart again with `helm package`',
  'write-chart-identity': 'write name and version of the chart',
  'write-chart-address': 'write a path, oci://host/path, or the https:// address of a .tgz',
  'write-registry-address': 'write oci://host/path, with :version and @sha256:digest behind it where wanted',
  'write-name-in-repository': 'write the name of a chart, such as redis, or leave repository out',
  'write-repository-address': 'write the https:// address of a chart repository',
  'write-login-in-registries': 'write username and password of the host in input registries',
  'write-chart-path': 'write the path of a chart directory or of a .tgz',
  'write-chart-path-or-others': 'write the path of a chart directory or of a .tgz, or give charts or manifests',
  'write-charts-file': 'write the path of a YAML file with a list of charts, or the charts themselves',
  'write-release-without-chart': 'write release, which needs no chart',

  'write-map-of-values': 'write `key: value` lines',
  'install-sops':
    'install sops in a step before, and give the job its key (SOPS_AGE_KEY, or a login to the key service); for keys of age SOPS_AGE_KEY alone is enough',
  'give-sops-key': 'give the job the key of the file, and install sops in a step before where it is not there',
  'write-without-secrets': 'write the path without secrets://, or encrypt the file',
  'write-values-files': 'write one existing file, glob or https:// address per line',
  'write-set': 'write one key=value per line',
  'write-set-json': 'write key=json, with strings in double quotes',
  'write-set-file': 'write key=path with an existing file that lies in the workspace, or its absolute path',

  'write-chart-name': 'write the name in Chart.yaml',
  'write-chart-version': 'write the version in Chart.yaml',
  'move-weight': 'move it to spec.weight',
  'use-helm-install': 'write useHelmInstall: true, or use kots.io/v1beta2',
  'write-optional-values': 'write a list of when, recursiveMerge and values',
  'write-optional-value': 'write when, recursiveMerge and values',
  'replace-template': 'write the value itself, or leave the document out',
  'write-wait-false': 'write --wait=false as well, or leave it out',
  'write-set-flag': 'write --set=key=value',
  'write-timeout-flag': 'write one such as --timeout=20m',
  'write-history-max-flag': 'write one such as --history-max=10',

  'write-expanded-text':
    'put it into single quotes, or write the value itself, or an expression of GitHub Actions for it',
  'quote-or-leave-out': 'put it into quotes, or leave it out',
  'quote-or-name-files': 'put it into quotes, or name each file; input values-files takes patterns',
  'name-files': 'name each file; input values-files takes patterns',
  'quote-value': 'put the whole value into quotes; names of release and chart belong to inputs release and chart',
  'close-quote': 'close it, or put a backslash before it',
  'write-values-file': 'write values into a file, and name it in input values-files',
  'write-inline-values': 'write a value of several lines, or with blanks around it, in input values',
  'write-comma-list': 'write names with commas between, quotes around all of a name or none',
  'give-one-of-both': 'leave one of them out',
  'see-flags': 'docs/from-helm.md lists the flags',

  'write-manifests': 'write a path, folder or glob of .yaml, .yml, .json or .tgz files',
  'write-working-directory': 'write a directory of the checkout, relative to the workspace, or an absolute path',
  'stay-in-workspace': 'write a path, folder or glob within the workspace',
  'write-chart-in-charts': 'write it in charts, or package it',
  'write-objects': 'write Kubernetes objects in YAML',
  'add-helm-chart': 'add a HelmChart document, or remove the file',
  'name-objects': 'name files with Kubernetes objects',
  'shorten-name': 'write a shorter name',
  'move-release-to-charts': 'write release in each item of charts, or leave it out',
  'move-chart-to-charts': 'write all charts in charts, and leave chart out',
  'tell-releases-apart': 'give each chart its own release',

  'write-pull-request': 'write the number of a pull request',
  'write-lines': 'write a whole number of lines',
  'write-duration': 'write a duration above zero such as 90s, 10m or 1h30m',
  'write-history-max': 'write a whole number, 0 for all revisions',
  'write-revision': 'write the number of a revision, from 1',
  'roll-back-one': 'roll back one release at a time, or leave revision out for the last good one of each',
  'write-ignored-field':
    'write [Kind[/name] ]/json/pointer, such as Deployment/web /spec/template/spec/containers/*/image',
  'write-plan-hash': 'write the output plan-hash of a plan',
  'set-token': 'set github-token, or approval to none',
  'set-cluster-auto': 'set cluster to auto',
  'plan-with-cluster': 'plan with a cluster, or write the values in files',
  'write-kube-version': 'write a version such as 1.34 or v1.34.2',
  'write-api-version': 'write group/version or group/version/Kind',
  'write-registry-host': 'write registry.example or registry.example:5000, without https:// and path',
  'write-authority': 'write the certificate in PEM (-----BEGIN CERTIFICATE-----), or the path of a file with it',

  'write-object': 'write a mapping with kind and apiVersion',
  'fix-object-name': 'give the object a fixed metadata.name',
  'remove-duplicate': 'remove one of them, or give it another name',
}
