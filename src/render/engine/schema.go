package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/big"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/message"

	chart "helm.sh/helm/v4/pkg/chart/v2"
)

const (
	// maxSchemaDepth counts nested JSON containers; one level of values takes two.
	maxSchemaDepth = 128
	// maxSchemaRefs bounds `$ref` and its relatives.
	maxSchemaRefs = 10_000
	// maxNumberLength and maxExponent bound numbers: the validator counts in fractions of whole numbers, which 1e999999 fills with
	// a million digits, and fails on those that are larger still.
	maxNumberLength = 512
	maxExponent     = 400
)

// validateSchemas is Helm's ValidateAgainstSchema with a loader that loads nothing. `failed` hears of each chart whose schema
// refuses the values.
// Source: pkg/chart/common/util, jsonschema.go; its own loader follows http, https and file.
func validateSchemas(ch *chart.Chart, values map[string]any, enter, failed func(chartPath string)) error {
	var text strings.Builder
	if ch.Schema != nil {
		enter(ch.ChartFullPath())
		if err := validateSchema(values, ch.Schema); err != nil {
			failed(ch.ChartFullPath())
			fmt.Fprintf(&text, "%s:\n%s", ch.Name(), err)
		}
	}
	for _, sub := range ch.Dependencies() {
		raw, exists := values[sub.Name()]
		if !exists || raw == nil {
			continue
		}
		subValues, ok := raw.(map[string]any)
		if !ok {
			fmt.Fprintf(&text, "%s:\ninvalid type for values: expected object (map), got %T\n", sub.Name(), raw)
			continue
		}
		if err := validateSchemas(sub, subValues, enter, failed); err != nil {
			text.WriteString(err.Error())
		}
	}
	if text.Len() > 0 {
		return errors.New(text.String())
	}
	return nil
}

func validateSchema(values map[string]any, schemaJSON []byte) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("unable to validate schema: %s", r)
		}
	}()
	if err := checkSchemaSize(schemaJSON); err != nil {
		return err
	}
	schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(schemaJSON))
	if err != nil {
		return err
	}
	compiler := jsonschema.NewCompiler()
	compiler.UseLoader(refusingLoader{})
	if err := compiler.AddResource("file:///values.schema.json", schema); err != nil {
		return err
	}
	validator, err := compiler.Compile("file:///values.schema.json")
	if err != nil {
		return err
	}
	err = validator.Validate(values)
	if invalid := (*jsonschema.ValidationError)(nil); errors.As(err, &invalid) {
		maskValues(invalid)
		return errors.New(strings.TrimPrefix(invalid.Error(), "jsonschema validation failed with 'file:///values.schema.json#'\n") + "\n")
	}
	return err
}

// refusingLoader answers urn: as Helm does (anything goes) and refuses the rest: rendering reaches neither network nor files.
type refusingLoader struct{}

func (refusingLoader) Load(url string) (any, error) {
	if strings.HasPrefix(url, "urn:") {
		slog.Warn("unresolved URN reference ignored; using permissive schema", "urn", url)
		return true, nil
	}
	return nil, fmt.Errorf("values.schema.json refers to %s: only references inside the schema itself are followed", strings.TrimPrefix(url, "file:///"))
}

func checkSchemaSize(schemaJSON []byte) error {
	depth, refs := 0, 0
	tokens := json.NewDecoder(bytes.NewReader(schemaJSON))
	tokens.UseNumber()
	for {
		token, err := tokens.Token()
		if err != nil {
			return nil //nolint:nilerr // the end, or invalid JSON that the validator names better
		}
		if literal, ok := token.(json.Number); ok && !isBounded(literal.String()) {
			return fmt.Errorf("values.schema.json holds a number of more than %d characters, or with an exponent beyond %d", maxNumberLength, maxExponent)
		}
		switch token {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		case "$ref", "$dynamicRef", "$recursiveRef":
			refs++
		}
		if depth > maxSchemaDepth {
			return fmt.Errorf("values.schema.json is nested deeper than %d levels", maxSchemaDepth)
		}
		if refs > maxSchemaRefs {
			return fmt.Errorf("values.schema.json has more than %d references", maxSchemaRefs)
		}
	}
}

func isBounded(literal string) bool {
	if len(literal) > maxNumberLength {
		return false
	}
	at := strings.IndexAny(literal, "eE")
	if at < 0 {
		return true
	}
	exponent, err := strconv.Atoi(literal[at+1:])
	return err == nil && -maxExponent <= exponent && exponent <= maxExponent
}

// maskValues takes the values out of a finding; key and rule stay.
func maskValues(finding *jsonschema.ValidationError) {
	switch rule := finding.ErrorKind.(type) {
	case *kind.Pattern:
		finding.ErrorKind = masked{rule, fmt.Sprintf("does not match pattern '%s'", rule.Want)}
	case *kind.Format:
		finding.ErrorKind = masked{rule, fmt.Sprintf("is not valid %s", rule.Want)}
	case *kind.Minimum:
		finding.ErrorKind = masked{rule, "minimum: want " + number(rule.Want)}
	case *kind.Maximum:
		finding.ErrorKind = masked{rule, "maximum: want " + number(rule.Want)}
	case *kind.ExclusiveMinimum:
		finding.ErrorKind = masked{rule, "exclusiveMinimum: want " + number(rule.Want)}
	case *kind.ExclusiveMaximum:
		finding.ErrorKind = masked{rule, "exclusiveMaximum: want " + number(rule.Want)}
	case *kind.MultipleOf:
		finding.ErrorKind = masked{rule, "multipleOf: want " + number(rule.Want)}
	}
	for _, cause := range finding.Causes {
		maskValues(cause)
	}
}

type masked struct {
	jsonschema.ErrorKind
	text string
}

func (m masked) LocalizedString(*message.Printer) string { return m.text }

func number(rational *big.Rat) string {
	float, _ := rational.Float64()
	return fmt.Sprint(float)
}
