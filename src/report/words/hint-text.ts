import type { Hint } from '../../model/hint.ts'
import { inputHintText } from './input-hint-text.ts'
import { refusalHint } from './refusal-hint.ts'
import { roleLine } from './role.ts'

/** What stands before a Role to paste. */
export const BIND_ROLE = 'bind this to the account:'

/** What to do next, as one imperative clause without a final stop. */
export function hintText(hint: Hint): string {
  switch (hint.kind) {
    case 'refused-dry-run':
    case 'refused-operation':
    case 'refused-request':
      return refusalHint(hint.kind, hint.refusal.kind)
    case 'bind-role':
      return `${BIND_ROLE} ${roleLine(hint.rights)}`
    case 'choose-revision':
      return `choose one of ${hint.revisions.map(({ revision, status }) => `${revision} (${status})`).join(', ')}`
    case 'wait-for-helm':
      return `wait for it to end; if it was interrupted, run \`helm rollback ${hint.release}\` once, or wait an hour`
    case 'check-out':
      return `set ref: ${hint.commit} and persist-credentials: false for actions/checkout`
    case 'give-kubeconfig':
      return `set the input \`kubeconfig\`, or log in to the cluster in an earlier step${hint.orPlanWithout ? '; with cluster: none a plan needs no cluster' : ''}`
    case 'supported-exec-versions':
      return `generate the kubeconfig again; supported versions are ${hint.versions.join(' and ')}`
    case 'type-that-is-served':
      return 'write type[.version.group]/name with a type that `kubectl api-resources` lists'
    case 'correct-dependency':
      return 'correct the dependency, or remove it'
    case 'change-weight':
      return 'change one of the weights, or remove the dependency'
    case 'break-circle':
      return 'remove one of the dependencies'
    case 'raise-quota-for-plan':
      return 'raise the quota, or request less'
    case 'take-ownership':
      return 'rename it, delete it, or set the input take-ownership to true'
    case 'object-is-never-deleted':
      return 'the object is never deleted: change it manually, or revert the change'
    case 'wait-for-job':
      return 'wait for it, or set werf.io/delete-policy: before-creation'
    case 'grant-reading':
      return 'grant the permission to read it'
    case 'operation-timed-out':
      return 'check what was not ready, or raise the input timeout'
    case 'operation-lost-lock':
      return 'run again when the other run of this release has ended'
    case 'operation-cancelled':
      return 'run again: it continues from here'
    case 'pass-timed-out':
      return 'raise the input timeout'
    case 'pass-lost-lock':
      return 'check the other run, then deploy again'
    case 'pass-cancelled':
      return 'deploy again to continue from here'
    case 'plan-for-new-object':
      return 'run again: the new plan takes the new object into account'
    case 'check-out-at-base-path':
      return 'check out the base branch there in an earlier step'
    case 'set-base-path':
      return 'set the input base-path'
    case 'make-base-reachable':
      return 'set fetch-depth: 0 for actions/checkout, give a github-token that may read contents, or set the input base-path'
    case 'check-out-base':
      return 'check out the base branch into a separate folder, and set the input base-path to it'
    case 'deploy-first':
      return 'deploy the release first'
    case 'shrink-chart':
      return 'leave large files out of the chart with .helmignore, or split the chart'
    case 'lock-taken-over':
      return 'check the other run; this one has stopped writing'
    case 'revision-taken':
      return 'wait for the other deploy to end, then run this one again; deploy a release from one place only'
    case 'record-changed':
      return 'check `helm history`, then run this deploy again; deploy a release from one place only'
    case 'unknown-record':
      return 'find out who wrote it (`helm history`, managedFields of the Secret); then plan and deploy again, or run command: rollback or test'
    case 'restore-record':
      return 'restore this Secret from a backup, or delete it if no rollback to that revision is needed'
    case 'look-for-records':
      return 'if its records are in ConfigMaps (HELM_DRIVER) or those of Helm 2, move them to Secrets first'
    case 'wait-for-lock':
      return 'wait for that run to end, or set lock-timeout; the lock of a run that died expires automatically'
    case 'run-for-pull-requests-only':
      return 'run the job only if github.event.issue.pull_request is set, and set github-token'
    case 'ask-as-writer':
      return 'ask somebody with write permission to comment; set github-token, so that the permission can be read'
    case 'let-read-pull-requests':
      return 'add pull-requests: read to the permissions of the job'
    case 'allow-fork':
      return 'set cluster: none to plan without a cluster, or allow-fork: true after the code has been reviewed'
    case 'plan-after-earlier':
      return `what ${hint.releases.join(' and ')} made, and lookup finds, is known only now: plan again and deploy the new plan; on a first install deploy each in a run of its own, one after the other`
    case 'deploy-new-plan':
      return 'plan again, review the new plan, then deploy it'
    case 'expect-new-plan':
      return 'plan again, review the new plan, then set expect-plan-hash to its hash'
    case 'plan-on-pull-request':
      return 'plan this command on the pull request first, with the same label, releases and namespaces; with approval: comment the plan also posts when only hooks run'
    case 'fix-what-varies':
      return 'give it a fixed value, from the values or from a lookup of the live object, or name the field in approval-ignore'
    case 'sign-what-is-hidden':
      return 'set approval-key for the plan and the deploy, so that hidden values count, or name the field in approval-ignore'
    case 'set-context':
      return 'set the input `context`'
    case 'use-exec-or-token':
      return 'use a credential plugin (`exec`) or a token'
    case 'correct-proxy':
      return 'correct `proxy-url` or HTTPS_PROXY'
    case 'embed-files':
      return 'embed the files with `kubectl config view --flatten --minify`'
    case 'allow-workspace-kubeconfig':
      return 'give it as content from a secret, write it outside of the workspace, or set allow-workspace-kubeconfig: true where no pull request can change it'
    case 'name-credential-plugin':
      return `name it in credential-plugins; known are ${hint.known.join(', ')}`
    case 'correct-kubeconfig-variable':
      return 'set the input `kubeconfig`, or correct KUBECONFIG'
    case 'path-or-content':
      return 'set a path, or the content of a kubeconfig'
    default:
      return inputHintText(hint)
  }
}
