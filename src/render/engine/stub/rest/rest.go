// Package rest holds the one type of client-go's rest that Helm's engine names.
package rest

// Config is never filled: the engine has no client.
type Config struct{}
