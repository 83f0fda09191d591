// Package clientgo stands in for k8s.io/client-go: only the symbols that Helm's engine packages name.
// The engine never talks to a cluster (lookup goes through the host), and the real one is 50 MB of WebAssembly.
package clientgo
