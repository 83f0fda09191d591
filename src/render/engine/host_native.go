//go:build !js

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"text/template"
)

// The native build serves tests: it reads one call from standard input and answers on standard output.
type call struct {
	Render *Request `json:"render"`
	Parse  *struct {
		File string `json:"file"`
		Text string `json:"text"`
	} `json:"parse"`
	// Lookups answers lookup by "apiVersion/kind/namespace/name".
	Lookups map[string]json.RawMessage `json:"lookups"`
}

func main() {
	var asked call
	if err := json.NewDecoder(os.Stdin).Decode(&asked); err != nil {
		fmt.Fprintln(os.Stderr, "reading the call:", err)
		os.Exit(1)
	}
	if asked.Render != nil {
		fmt.Println(encodeAnswer(render(*asked.Render, nativeHost{asked.Lookups})))
	} else {
		fmt.Println(encodeAnswer(parseDocuments(asked.Parse.File, asked.Parse.Text)))
	}
}

type nativeHost struct {
	lookups map[string]json.RawMessage
}

func (h nativeHost) Lookup(apiVersion, kind, namespace, name string) (string, error) {
	return string(h.lookups[apiVersion+"/"+kind+"/"+namespace+"/"+name]), nil
}

func (nativeHost) Enter(string, string) {}

func keyFuncs(Host, map[string]any) template.FuncMap { return nil }
