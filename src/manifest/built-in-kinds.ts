import type { ServedKind } from '../model/served.ts'

/**
 * apiVersion, kind, plural resource, scope, whether there is a status, short names; of a group the preferred version first.
 * Source: discovery of a kube-apiserver 1.37 without further settings; a test compares.
 */
const TABLE = `
v1 Binding bindings namespaced - -
v1 ComponentStatus componentstatuses cluster - cs
v1 ConfigMap configmaps namespaced - cm
v1 Endpoints endpoints namespaced - ep
v1 Event events namespaced - ev
v1 LimitRange limitranges namespaced - limits
v1 Namespace namespaces cluster status ns
v1 Node nodes cluster status no
v1 PersistentVolume persistentvolumes cluster status pv
v1 PersistentVolumeClaim persistentvolumeclaims namespaced status pvc
v1 Pod pods namespaced status po
v1 PodTemplate podtemplates namespaced - -
v1 ReplicationController replicationcontrollers namespaced status rc
v1 ResourceQuota resourcequotas namespaced status quota
v1 Secret secrets namespaced - -
v1 Service services namespaced status svc
v1 ServiceAccount serviceaccounts namespaced - sa
admissionregistration.k8s.io/v1 MutatingAdmissionPolicy mutatingadmissionpolicies cluster - -
admissionregistration.k8s.io/v1 MutatingAdmissionPolicyBinding mutatingadmissionpolicybindings cluster - -
admissionregistration.k8s.io/v1 MutatingWebhookConfiguration mutatingwebhookconfigurations cluster - -
admissionregistration.k8s.io/v1 ValidatingAdmissionPolicy validatingadmissionpolicies cluster status -
admissionregistration.k8s.io/v1 ValidatingAdmissionPolicyBinding validatingadmissionpolicybindings cluster - -
admissionregistration.k8s.io/v1 ValidatingWebhookConfiguration validatingwebhookconfigurations cluster - -
apiextensions.k8s.io/v1 CustomResourceDefinition customresourcedefinitions cluster status crd,crds
apiregistration.k8s.io/v1 APIService apiservices cluster status -
apps/v1 ControllerRevision controllerrevisions namespaced - -
apps/v1 DaemonSet daemonsets namespaced status ds
apps/v1 Deployment deployments namespaced status deploy
apps/v1 ReplicaSet replicasets namespaced status rs
apps/v1 StatefulSet statefulsets namespaced status sts
authentication.k8s.io/v1 SelfSubjectReview selfsubjectreviews cluster - -
authentication.k8s.io/v1 TokenReview tokenreviews cluster - -
authorization.k8s.io/v1 LocalSubjectAccessReview localsubjectaccessreviews namespaced - -
authorization.k8s.io/v1 SelfSubjectAccessReview selfsubjectaccessreviews cluster - -
authorization.k8s.io/v1 SelfSubjectRulesReview selfsubjectrulesreviews cluster - -
authorization.k8s.io/v1 SubjectAccessReview subjectaccessreviews cluster - -
autoscaling/v2 HorizontalPodAutoscaler horizontalpodautoscalers namespaced status hpa
autoscaling/v1 HorizontalPodAutoscaler horizontalpodautoscalers namespaced status hpa
batch/v1 CronJob cronjobs namespaced status cj
batch/v1 Job jobs namespaced status -
certificates.k8s.io/v1 CertificateSigningRequest certificatesigningrequests cluster status csr
certificates.k8s.io/v1 ClusterTrustBundle clustertrustbundles cluster - -
certificates.k8s.io/v1 PodCertificateRequest podcertificaterequests namespaced status -
coordination.k8s.io/v1 Lease leases namespaced - -
discovery.k8s.io/v1 EndpointSlice endpointslices namespaced - -
events.k8s.io/v1 Event events namespaced - ev
flowcontrol.apiserver.k8s.io/v1 FlowSchema flowschemas cluster status -
flowcontrol.apiserver.k8s.io/v1 PriorityLevelConfiguration prioritylevelconfigurations cluster status -
networking.k8s.io/v1 IPAddress ipaddresses cluster - ip
networking.k8s.io/v1 Ingress ingresses namespaced status ing
networking.k8s.io/v1 IngressClass ingressclasses cluster - -
networking.k8s.io/v1 NetworkPolicy networkpolicies namespaced - netpol
networking.k8s.io/v1 ServiceCIDR servicecidrs cluster status -
node.k8s.io/v1 RuntimeClass runtimeclasses cluster - -
policy/v1 PodDisruptionBudget poddisruptionbudgets namespaced status pdb
rbac.authorization.k8s.io/v1 ClusterRole clusterroles cluster - -
rbac.authorization.k8s.io/v1 ClusterRoleBinding clusterrolebindings cluster - -
rbac.authorization.k8s.io/v1 Role roles namespaced - -
rbac.authorization.k8s.io/v1 RoleBinding rolebindings namespaced - -
resource.k8s.io/v1 DeviceClass deviceclasses cluster - -
resource.k8s.io/v1 DeviceTaintRule devicetaintrules cluster status -
resource.k8s.io/v1 ResourceClaim resourceclaims namespaced status -
resource.k8s.io/v1 ResourceClaimTemplate resourceclaimtemplates namespaced - -
resource.k8s.io/v1 ResourceSlice resourceslices cluster - -
scheduling.k8s.io/v1 PriorityClass priorityclasses cluster - pc
storage.k8s.io/v1 CSIDriver csidrivers cluster - -
storage.k8s.io/v1 CSINode csinodes cluster status -
storage.k8s.io/v1 CSIStorageCapacity csistoragecapacities namespaced - -
storage.k8s.io/v1 StorageClass storageclasses cluster - sc
storage.k8s.io/v1 VolumeAttachment volumeattachments cluster status -
storage.k8s.io/v1 VolumeAttributesClass volumeattributesclasses cluster - vac
storagemigration.k8s.io/v1 StorageVersionMigration storageversionmigrations cluster status -
`

/** What a cluster serves by itself, for plans without one. Nobody is asked there, so that no verbs are given. */
export const builtInKinds: readonly ServedKind[] = TABLE.trim().split('\n').map(kindOf)

function kindOf(row: string, _index: number, rows: readonly string[]): ServedKind {
  const [apiVersion = '', kind = '', resource = '', scope, status, shortNames] = row.split(' ')
  const [version = '', group = ''] = apiVersion.split('/').reverse()
  const firstOfGroup = rows.find((other) => group !== '' && other.startsWith(`${group}/`)) ?? row
  return {
    group,
    version,
    kind,
    resource,
    singular: kind.toLowerCase(),
    shortNames: shortNames === undefined || shortNames === '-' ? [] : shortNames.split(','),
    isNamespaced: scope === 'namespaced',
    verbs: [],
    hasStatus: status === 'status',
    isPreferred: firstOfGroup.startsWith(`${apiVersion} `),
  }
}
