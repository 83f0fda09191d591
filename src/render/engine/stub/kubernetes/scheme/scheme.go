// Package scheme registers the group/versions of client-go's scheme, in its order, without their types.
// Helm makes its default API version list of them. Proven equal by test/render/template.engine.test.ts.
package scheme

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Scheme knows group/versions only.
var Scheme = runtime.NewScheme()

// Source: k8s.io/client-go v0.37.1, kubernetes/scheme/register.go.
var groupVersions = []schema.GroupVersion{
	{Group: "", Version: "v1"},
	{Group: "admissionregistration.k8s.io", Version: "v1"},
	{Group: "admissionregistration.k8s.io", Version: "v1alpha1"},
	{Group: "admissionregistration.k8s.io", Version: "v1beta1"},
	{Group: "internal.apiserver.k8s.io", Version: "v1alpha1"},
	{Group: "apps", Version: "v1"},
	{Group: "apps", Version: "v1beta1"},
	{Group: "apps", Version: "v1beta2"},
	{Group: "authentication.k8s.io", Version: "v1"},
	{Group: "authentication.k8s.io", Version: "v1alpha1"},
	{Group: "authentication.k8s.io", Version: "v1beta1"},
	{Group: "authorization.k8s.io", Version: "v1"},
	{Group: "authorization.k8s.io", Version: "v1beta1"},
	{Group: "autoscaling", Version: "v1"},
	{Group: "autoscaling", Version: "v2"},
	{Group: "batch", Version: "v1"},
	{Group: "batch", Version: "v1beta1"},
	{Group: "certificates.k8s.io", Version: "v1"},
	{Group: "certificates.k8s.io", Version: "v1beta1"},
	{Group: "certificates.k8s.io", Version: "v1alpha1"},
	{Group: "coordination.k8s.io", Version: "v1alpha2"},
	{Group: "coordination.k8s.io", Version: "v1beta1"},
	{Group: "coordination.k8s.io", Version: "v1"},
	{Group: "discovery.k8s.io", Version: "v1"},
	{Group: "discovery.k8s.io", Version: "v1beta1"},
	{Group: "events.k8s.io", Version: "v1"},
	{Group: "events.k8s.io", Version: "v1beta1"},
	{Group: "extensions", Version: "v1beta1"},
	{Group: "flowcontrol.apiserver.k8s.io", Version: "v1"},
	{Group: "flowcontrol.apiserver.k8s.io", Version: "v1beta1"},
	{Group: "flowcontrol.apiserver.k8s.io", Version: "v1beta2"},
	{Group: "flowcontrol.apiserver.k8s.io", Version: "v1beta3"},
	{Group: "lifecycle.k8s.io", Version: "v1alpha1"},
	{Group: "networking.k8s.io", Version: "v1"},
	{Group: "networking.k8s.io", Version: "v1beta1"},
	{Group: "node.k8s.io", Version: "v1"},
	{Group: "node.k8s.io", Version: "v1alpha1"},
	{Group: "node.k8s.io", Version: "v1beta1"},
	{Group: "policy", Version: "v1"},
	{Group: "policy", Version: "v1beta1"},
	{Group: "rbac.authorization.k8s.io", Version: "v1"},
	{Group: "rbac.authorization.k8s.io", Version: "v1beta1"},
	{Group: "rbac.authorization.k8s.io", Version: "v1alpha1"},
	{Group: "resource.k8s.io", Version: "v1"},
	{Group: "resource.k8s.io", Version: "v1beta2"},
	{Group: "resource.k8s.io", Version: "v1beta1"},
	{Group: "resource.k8s.io", Version: "v1alpha3"},
	{Group: "scheduling.k8s.io", Version: "v1alpha3"},
	{Group: "scheduling.k8s.io", Version: "v1beta1"},
	{Group: "scheduling.k8s.io", Version: "v1"},
	{Group: "storage.k8s.io", Version: "v1beta1"},
	{Group: "storage.k8s.io", Version: "v1"},
	{Group: "storage.k8s.io", Version: "v1alpha1"},
	{Group: "storagemigration.k8s.io", Version: "v1"},
	{Group: "storagemigration.k8s.io", Version: "v1beta1"},
}

// placeholder makes a group/version count as observed.
type placeholder struct{ metav1.TypeMeta }

func (p *placeholder) DeepCopyObject() runtime.Object {
	copied := *p
	return &copied
}

func init() {
	for _, groupVersion := range groupVersions {
		Scheme.AddKnownTypeWithName(groupVersion.WithKind("Placeholder"), &placeholder{})
	}
}
