package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"strings"

	"helm.sh/helm/v4/pkg/chart/v2/loader"
	"helm.sh/helm/v4/pkg/strvals"
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
		trimmed := strings.TrimSpace(entry)
		if strings.HasPrefix(trimmed, "{") {
			var object map[string]any
			if json.Unmarshal([]byte(trimmed), &object) != nil {
				return nil, entryError("set-json", i, "", "is not valid JSON")
			}
			base = loader.MergeMaps(base, object)
		} else if strvals.ParseJSON(entry, base) != nil {
			return nil, entryError("set-json", i, entry, "is not in the form key=JSON")
		}
	}
	forms := []struct {
		input   string
		entries []string
		parse   func(string, map[string]any) error
	}{
		{"set", values.Set, strvals.ParseInto},
		{"set-string", values.SetString, strvals.ParseIntoString},
		{"set-file", values.SetFile, parseSetFile},
		{"set-literal", values.SetLiteral, strvals.ParseLiteralInto},
	}
	for _, form := range forms {
		for i, entry := range form.entries {
			if err := form.parse(entry, base); err != nil {
				why := "is not in the form key=value, or does not fit the values before it"
				if errors.Is(err, fs.ErrNotExist) {
					why = "names a file that does not exist"
				} else if pathError := (*fs.PathError)(nil); errors.As(err, &pathError) {
					why = "names a file that cannot be read"
				}
				return nil, entryError(form.input, i, entry, why)
			}
		}
	}
	return base, nil
}

func parseSetFile(entry string, into map[string]any) error {
	return strvals.ParseIntoFile(entry, into, func(path []rune) (any, error) {
		text, err := os.ReadFile(string(path))
		return string(text), err
	})
}

// entryError names input, entry and key, never the value.
func entryError(input string, index int, entry, why string) error {
	place := fmt.Sprintf("%s entry %d", input, index+1)
	if key, _, found := strings.Cut(entry, "="); found {
		place += fmt.Sprintf(" (%s)", key)
	}
	return errors.New(place + " " + why)
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
