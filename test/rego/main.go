// Evaluates a Rego policy for a JSON document as conftest does, with the package of OPA that conftest is made of, and
// prints the answers of its rules `deny` and `warn` as JSON.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/open-policy-agent/opa/v1/rego"
)

func main() {
	if len(os.Args) != 2 {
		fail(fmt.Errorf("usage: rego POLICY < DOCUMENT"))
	}
	var document any
	decoder := json.NewDecoder(os.Stdin)
	decoder.UseNumber()
	if err := decoder.Decode(&document); err != nil {
		fail(err)
	}
	query := `{"deny": data.main.deny, "warn": data.main.warn}`
	results, err := rego.New(rego.Query(query), rego.Load(os.Args[1:], nil), rego.Input(document), rego.Strict(true)).Eval(context.Background())
	if err != nil {
		fail(err)
	}
	if len(results) != 1 {
		fail(fmt.Errorf("the policy has no rules deny and warn in package main"))
	}
	if err := json.NewEncoder(os.Stdout).Encode(results[0].Expressions[0].Value); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
