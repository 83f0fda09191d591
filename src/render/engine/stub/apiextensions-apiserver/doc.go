// Package apiextensionsapiserver stands in for k8s.io/apiextensions-apiserver, of which Helm's engine packages only register the
// group/versions: its types are a twentieth of the engine, and of its start.
package apiextensionsapiserver
