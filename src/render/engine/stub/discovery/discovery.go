// Package discovery holds what Helm's own lookup function names; the engine replaces that function.
package discovery

import (
	"errors"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"k8s.io/client-go/rest"
)

// DiscoveryClient cannot be made.
type DiscoveryClient struct{}

// NewDiscoveryClientForConfig always fails.
func NewDiscoveryClientForConfig(*rest.Config) (*DiscoveryClient, error) {
	return nil, errors.New("the engine has no cluster client")
}

// ServerResourcesForGroupVersion always fails.
func (*DiscoveryClient) ServerResourcesForGroupVersion(string) (*metav1.APIResourceList, error) {
	return nil, errors.New("the engine has no cluster client")
}
