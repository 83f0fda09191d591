package main

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"helm.sh/helm/v4/pkg/chart/v2/loader"
)

// mergeValues merges in Helm's order. Source: pkg/cli/values, MergeValues (not imported: it brings the downloaders).
// No error text holds a value, nor a parser's snippet of one: values are secrets as often as not.
func mergeValues(values Values) (map[string]any, error) {
	base := map[string]any{}
	for _, file := range values.Files {
		current, err := loader.LoadValues(strings.NewReader(file.Text))
		if err != nil {
			return nil, fmt.Errorf("%s is not a YAML map%s", file.Label, safeReason(err))
		}
		base = loader.MergeMaps(base, current)
	}
	for i, entry := range values.SetJSON {
		if trimmed := strings.TrimSpace(entry); strings.HasPrefix(trimmed, "{") {
			var object map[string]any
			if json.Unmarshal([]byte(trimmed), &object) != nil {
				return nil, fmt.Errorf("%s is not valid JSON", placeOfEntry(jsonForm, i))
			}
			base = loader.MergeMaps(base, object)
		} else if err := jsonForm.parse(entry, base); err != nil {
			return nil, jsonForm.explain(i, entry, base, err)
		}
	}
	for i, entries := range [][]string{values.Set, values.SetString, values.SetFile, values.SetLiteral} {
		for k, entry := range entries {
			if err := setForms[i].parse(entry, base); err != nil {
				return nil, setForms[i].explain(k, entry, base, err)
			}
		}
	}
	return base, nil
}

// safeReasons are the parser's words that cannot hold text of the user.
var safeReasons = regexp.MustCompile(`line \d+: (?:mapping values are not allowed in this context|could not find expected ':'|did not find expected [\w<> '",-]+|found character that cannot start any token|found a tab character that violates indentation|block (?:sequence entries|mapping) (?:are|is) not allowed in this context)`)

var yamlLine = regexp.MustCompile(`line \d+`)

func safeReason(err error) string {
	if reason := safeReasons.FindString(err.Error()); reason != "" {
		return " (" + reason + ")"
	}
	if line := yamlLine.FindString(err.Error()); line != "" {
		return " (" + line + ")"
	}
	return ""
}
