/** One rule taken away: `from` stands once in `file` and becomes `to`. */
export interface Mutant {
  readonly rule: string
  readonly file: string
  readonly from: string
  readonly to: string
}

const plan = (file: string, rule: string, from: string, to: string): Mutant => ({
  rule,
  file: `src/plan/${file}`,
  from,
  to,
})
const execute = (file: string, rule: string, from: string, to: string): Mutant => ({
  rule,
  file: `src/execute/${file}`,
  from,
  to,
})
const manifest = (file: string, rule: string, from: string, to: string): Mutant => ({
  rule,
  file: `src/manifest/${file}`,
  from,
  to,
})
const directives = (file: string, rule: string, from: string, to: string): Mutant => ({
  rule,
  file: `src/directives/${file}`,
  from,
  to,
})

/** Barriers off, comparators reversed, policies ignored: what each test suite must notice. */
export const mutants: readonly Mutant[] = [
  plan(
    'main-groups.ts',
    'weight groups go from the lowest weight up',
    '.toSorted(([a], [b]) => a - b)\n    .map(([weight',
    '.toSorted(([a], [b]) => b - a)\n    .map(([weight',
  ),
  plan(
    'main-groups.ts',
    'a group is tracked before the next one starts',
    'return [...ranks, awaitsOf(tracked, main, context), deletes]',
    'return [...ranks, deletes]',
  ),
  plan(
    'main-groups.ts',
    'external dependencies come before anything of the group',
    'const ranks: (readonly Operation[])[] = [externalAwaits(members, main, context)]',
    'const ranks: (readonly Operation[])[] = []',
  ),
  plan(
    'main-groups.ts',
    'CRDs of templates are established before custom resources',
    'ranks.push(awaitsOf(applies.filter(isCrd), main, context))',
    '',
  ),
  plan(
    'main-groups.ts',
    'KOTS barriers stand behind their resource',
    'ranks.push(...applies.flatMap((applied) => barrierRanks(applied, context)))',
    '',
  ),
  plan('main-groups.ts', 'nothing of a kind passes a barrier', 'if (ready || properties.length > 0) runs.push([])', ''),
  plan(
    'main-groups.ts',
    'phases of KOTS are tracked at the end of the stage',
    'late.push(...open.filter(isPhased))',
    '',
  ),
  plan(
    'main-groups.ts',
    'wait-for-properties is a barrier',
    "properties.length > 0 ? [awaitOperation(resource, 'properties', main, context.planning)] : [],",
    '',
  ),
  plan(
    'main-groups.ts',
    'what policies delete is deleted behind the group',
    'return [...ranks, awaitsOf(tracked, main, context), deletes]',
    'return [...ranks, awaitsOf(tracked, main, context), deletes.slice(deletes.length)]',
  ),
  plan(
    'main-groups.ts',
    'wait: false counts main as ready once applied',
    "(goal === 'ready' && !context.input.options.wait)",
    'false',
  ),
  plan(
    'main-groups.ts',
    'CRDs of crds/ are established before the next stage',
    'return [applies.map(({ operation }) => operation), awaitsOf(applies, spot, { input, planning })]',
    'return [applies.map(({ operation }) => operation)]',
  ),
  plan('main-groups.ts', 'excluded objects are no part of the release', '!directives.excluded &&\n', ''),
  plan('hooks.ts', 'hooks go by weight', 'a.directives.weight - b.directives.weight ||', ''),
  plan(
    'hooks.ts',
    'hooks of one weight go by kind, then name',
    'compareForInstall(a.manifest.ref, b.manifest.ref) ||',
    '',
  ),
  plan(
    'hooks.ts',
    'each hook finishes before the next starts',
    'if (goal !== undefined) ranks.push([awaitOperation(resource, goal, spot, planning)])',
    '',
  ),
  plan(
    'hooks.ts',
    'hook-succeeded deletes in reverse order',
    'cleanup.unshift([...deletes])',
    'cleanup.push([...deletes])',
  ),
  plan(
    'hooks.ts',
    'a running leftover is waited for',
    'if (isLeftoverRunning(resource, input)) {',
    'if (false as boolean) {',
  ),
  plan(
    'hooks.ts',
    'a hook waits for its external dependency',
    'if (externals.length > 0) ranks.push([...externals])',
    '',
  ),
  plan(
    'awaits.ts',
    'a Job or Pod as a hook runs to its end',
    'if (runsToItsEnd(resource)) return',
    'if (false as boolean) return',
  ),
  plan(
    'awaits.ts',
    'NonBlocking resources are not waited for',
    "if (resource.directives.tracking.wait === 'non-blocking') return true",
    '',
  ),
  plan('awaits.ts', 'a Service of type LoadBalancer is waited for', "!== 'LoadBalancer'", "!== 'Nothing'"),
  plan(
    'change.ts',
    'skip-create leaves the object away',
    "if (directives.skips.includes('create')) return",
    'if (false as boolean) return',
  ),
  plan(
    'change.ts',
    'skip-update leaves the object as it is',
    "if (resource.directives.skips.includes('update'))",
    'if (false as boolean)',
  ),
  plan(
    'change.ts',
    'skip-recreate leaves the object as it is',
    "if (resource.directives.skips.includes('recreate'))",
    'if (false as boolean)',
  ),
  plan(
    'change.ts',
    'foreign objects are refused',
    'if (!isOwner(resource, live, input, planning))',
    'if (false as boolean)',
  ),
  plan('change.ts', 'a finished Job is recreated when its template changed', '(isJob && isFinished(live))', 'false'),
  plan(
    'change.ts',
    'a kind that comes with the plan is unknown until applied',
    'if (planning.coming.has(`${groupOf(apiVersion)}/${kind}`)) return true',
    '',
  ),
  plan(
    'deletions.ts',
    'deletion phases go from the lowest up',
    'a.directives.deletionPhase - b.directives.deletionPhase',
    'b.directives.deletionPhase - a.directives.deletionPhase',
  ),
  plan(
    'deletions.ts',
    'the highest weight is deleted first',
    'b.directives.weight - a.directives.weight',
    'a.directives.weight - b.directives.weight',
  ),
  plan(
    'deletions.ts',
    'keep is never deleted',
    "if (isKept(resource, live) || directives.leaveOnDelete === true) return 'kept'",
    '',
  ),
  plan(
    'deletions.ts',
    'kots.io/keep stays when it leaves the release',
    "if (spot.stage === 'prune' && directives.keepOnPrune) return 'kept'",
    '',
  ),
  plan('deletions.ts', 'only what carries our marks is pruned', "if (owner.kind !== 'ours') return 'not-owned'", ''),
  plan(
    'deletions.ts',
    'ownership anyone is never deleted',
    "|| directives.ownership === 'anyone') return 'absent'",
    ") return 'absent'",
  ),
  plan(
    'deletions.ts',
    'plain manifests are deleted in reverse of their creation',
    'const isPhased = a.directives.isPhased === true && b.directives.isPhased === true',
    'const isPhased = false as boolean',
  ),
  plan(
    'dependencies.ts',
    'a dependency on a later group is an error',
    'if (target.place > one.place) problems.push(contradiction(one, target))',
    '',
  ),
  plan(
    'dependencies.ts',
    'a circle of dependencies is an error',
    'problems.push(circle([...route.slice(start), one]))',
    '',
  ),
  plan(
    'dependencies.ts',
    'a dependency on readiness is ready before',
    "if (dependency.state === 'ready') awaited.add(keyOf(target))",
    '',
  ),
  plan(
    'dependencies.ts',
    'a dependency is applied before',
    'const level = Math.max(0, ...below)',
    'const level = 0 * below.length',
  ),
  plan(
    'operations.ts',
    'no policy deletes a CRD',
    "if (manifest.ref.kind === 'CustomResourceDefinition') return []",
    '',
  ),
  plan(
    'operations.ts',
    'no policy deletes what is kept',
    'if (isKept(resource, input.observed.live.get(refKey(manifest.ref)))) return []',
    '',
  ),
  plan(
    'mask.ts',
    'values of Secrets are hidden',
    "if (kind === 'Secret' && apiVersion === 'v1') return new Set(['data', 'stringData'])",
    '',
  ),
  plan(
    'plan.ts',
    'nothing to do writes no revision',
    'hasRevision(input) && (!input.isSameAsDeployed || stages.some(isWork))',
    'hasRevision(input)',
  ),
  manifest(
    'recreation.ts',
    'before-creation recreates',
    "return directives.deletePolicies.includes('before-creation') ||",
    'return',
  ),
  manifest('recreation.ts', 'keep forbids a recreation', '|| isKept(resource, live)) return false', ') return false'),
  manifest(
    'recreation.ts',
    'a Job of a hook is always made anew',
    '(directives.isHook && runsToItsEnd(resource))',
    'false',
  ),
  manifest('recreation.ts', 'keep counts on the live object', "onLive?.trim().toLowerCase() === 'keep'", 'false'),
  manifest(
    'kind-order.ts',
    'kinds are created in install order',
    'return installRank(a.kind) - installRank(b.kind) || compareWithin(a, b)',
    'return compareWithin(a, b)',
  ),
  manifest(
    'kind-order.ts',
    'kinds are deleted in uninstall order',
    'return uninstallRank(a.kind) - uninstallRank(b.kind) || compareWithin(a, b)',
    'return compareWithin(a, b)',
  ),
  manifest(
    'body.ts',
    'replicas that an autoscaler holds are left out',
    'return areReplicasForeign(context.live) ? withoutReplicas(marked) : marked',
    'return marked',
  ),
  manifest(
    'body.ts',
    'what the release owns carries its marks',
    'const marked = isOwned ?',
    'const marked = (false as boolean) ?',
  ),
  execute(
    'stage.ts',
    'ranks are barriers',
    'const results = await Promise.all(steps.map((step) => runOne(run, step)))',
    'const results = await Promise.all(steps.map((step) => Promise.resolve(runOne(run, step) && ("succeeded" as const))))',
  ),
  execute(
    'stage.ts',
    'nothing is started after a failure',
    'const runOne = hasEnded(run) ? runAfterwards : runOrSkip',
    'const runOne = runOrSkip',
  ),
  execute(
    'stage.ts',
    'a delete runs only if its condition holds',
    'return operation.onlyIf === undefined || ledger.outcome(stage.name, operation.ref) === operation.onlyIf',
    'return true',
  ),
  execute('stage.ts', 'evidence is read before a delete', 'await readEvidence(run, operation)', ''),
  execute(
    'apply.ts',
    'the old object is absent before the new one is made',
    "if (operation.change === 'recreate') await removeOld(execution, operation)",
    '',
  ),
  execute(
    'apply.ts',
    'what did not change is not written',
    "if (operation.change === 'none') return { result: 'succeeded' }",
    '',
  ),
  execute(
    'apply.ts',
    'managed fields of Helm 3 are migrated',
    'if (input.migrates.has(operation.id)) await migrate(execution, operation)',
    '',
  ),
  execute(
    'delete.ts',
    'no policy deletes a CRD, also here',
    "if (isPolicy && ref.kind === 'CustomResourceDefinition')",
    'if (false as boolean)',
  ),
  execute(
    'judge.ts',
    'an external dependency may come late',
    'if (operation.isExternal === true) return { waitsFor }',
    '',
  ),
  execute(
    'judge.ts',
    'a Job that vanished is judged by the last status seen',
    "if (last === undefined || last.kind !== 'Job' || isOlder(last, written)) return undefined",
    'return undefined',
  ),
  execute(
    'operation.ts',
    'fail-mode last fails the run at the end of the stage',
    "if (operation.kind === 'await' && operation.failure === 'last') ledger.failLater(failure)\n    else ledger.fail(failure, execution)",
    'ledger.fail(failure, execution)',
  ),
  directives('merge.ts', 'hooks are recreated by default', "(isHook ? ['before-creation'] : [])", '[]'),
  directives('merge.ts', 'hooks belong to nobody by default', "(isHook ? 'anyone' : 'release')", "'release'"),
  directives(
    'merge.ts',
    'the first dialect that says something wins',
    'const isNew = ([field]: readonly [string, unknown]) => !winners.has(field as keyof Asked)',
    'const isNew = (_field: readonly [string, unknown]) => true',
  ),
  directives(
    'helm.ts',
    'a malformed hook weight counts as 0',
    '{ asked: { weight: 0 }, fault',
    '{ asked: { weight: 1 }, fault',
  ),
]
