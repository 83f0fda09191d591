// Package dynamic holds what Helm's own lookup function names; the engine replaces that function.
package dynamic

import (
	"context"
	"errors"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"k8s.io/client-go/rest"
)

// ResourceInterface is the reading part of client-go's.
type ResourceInterface interface {
	Get(ctx context.Context, name string, options metav1.GetOptions, subresources ...string) (*unstructured.Unstructured, error)
	List(ctx context.Context, options metav1.ListOptions) (*unstructured.UnstructuredList, error)
}

// NamespaceableResourceInterface is client-go's.
type NamespaceableResourceInterface interface {
	Namespace(string) ResourceInterface
	ResourceInterface
}

// DynamicClient cannot be made.
type DynamicClient struct{}

// NewForConfig always fails.
func NewForConfig(*rest.Config) (*DynamicClient, error) {
	return nil, errors.New("the engine has no cluster client")
}

// Resource is never reached.
func (*DynamicClient) Resource(schema.GroupVersionResource) NamespaceableResourceInterface {
	return nil
}
