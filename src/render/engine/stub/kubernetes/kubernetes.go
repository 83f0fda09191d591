// Package kubernetes is imported by Helm so that the build information names client-go.
package kubernetes
