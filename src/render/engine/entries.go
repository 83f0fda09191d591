package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"

	"helm.sh/helm/v4/pkg/strvals"
)

// setForm is one of the inputs whose entries are assignments.
type setForm struct {
	input string
	// shape of an entry, in words.
	shape string
	parse func(entry string, into map[string]any) error
	// parseKey reads the keys of an entry as parse does. With the value harmless it fails for the sake of a key only.
	parseKey func(entry string, into map[string]any) error
	harmless string
}

var (
	jsonForm = setForm{"set-json", "key=JSON", strvals.ParseJSON, strvals.ParseJSON, "null"}
	setForms = []setForm{
		{"set", "key=value", strvals.ParseInto, strvals.ParseInto, "x"},
		{"set-string", "key=value", strvals.ParseIntoString, strvals.ParseIntoString, "x"},
		{"set-file", "key=path", parseSetFile, strvals.ParseIntoString, "x"},
		{"set-literal", "key=value", strvals.ParseLiteralInto, strvals.ParseLiteralInto, "x"},
	}
)

func parseSetFile(entry string, into map[string]any) error {
	return strvals.ParseIntoFile(entry, into, func(path []rune) (any, error) {
		text, err := os.ReadFile(string(path))
		return string(text), err
	})
}

// explain gives Helm's cause without the value. What Helm says of the key alone, with another value behind it, is told as it is:
// it cannot hold a part of the value. Of the rest, which may be a part of the value (`pass=one,two` has a key `two`), only those
// causes are told that are known, and without what they quote.
func (f setForm) explain(index int, entry string, base map[string]any, err error) error {
	place := placeOfEntry(f, index)
	key, found := f.keyOf(entry)
	if !found {
		return fmt.Errorf("%s is not in the form %s", place, f.shape)
	}
	place += fmt.Sprintf(" (%s)", key)
	if errors.Is(err, fs.ErrNotExist) {
		return errors.New(place + " names a file that does not exist")
	}
	if _, ok := errors.AsType[*fs.PathError](err); ok {
		return errors.New(place + " names a file that cannot be read")
	}
	if ofKey := f.parseKey(key+"="+f.harmless, base); ofKey != nil {
		return fmt.Errorf("%s: %w", place, ofKey)
	}
	if cause := unquotedCause(err); cause != "" {
		return fmt.Errorf("%s: %s", place, cause)
	}
	return fmt.Errorf("%s is not in the form %s, or does not fit the values before it", place, f.shape)
}

func placeOfEntry(form setForm, index int) string {
	return fmt.Sprintf("%s entry %d", form.input, index+1)
}

// keyOf is what stands before the first `=` that is not escaped; set-literal knows no escapes.
func (f setForm) keyOf(entry string) (string, bool) {
	isEscaped := false
	for i, char := range entry {
		switch {
		case isEscaped:
			isEscaped = false
		case char == '=':
			return entry[:i], true
		case char == '\\':
			isEscaped = f.input != "set-literal"
		}
	}
	return "", false
}

// knownCauses are the messages of Helm's parser about text behind the first `=`, and what is told of them. Source: pkg/strvals,
// parser.go; encoding/json, scanner.go.
var knownCauses = []struct {
	pattern *regexp.Regexp
	told    string
}{
	{regexp.MustCompile(`(?s)^key ".*" has no value`), "a key in it has no value; a comma inside of a value is written \\,"},
	{regexp.MustCompile(`(?s)^key map ".*" has no value$`), "a key map in it has no value"},
	{regexp.MustCompile(`^negative -\d+ index not allowed$`), "negative index not allowed"},
	{regexp.MustCompile(`^index of \d+ is greater than maximum supported index of (\d+)$`), "an index is greater than maximum supported index of $1"},
	{regexp.MustCompile(`(?s)^error parsing index: strconv\.Atoi: parsing ".*": (invalid syntax|value out of range)$`), "error parsing index: $1"},
	{regexp.MustCompile(`(?s)^unexpected data at end of array index: .*$`), "unexpected data at end of array index"},
	{regexp.MustCompile(`^(list must terminate with '}')$`), "$1"},
	{regexp.MustCompile(`^(value name nested level is greater than maximum supported nested level of \d+)$`), "$1"},
	{regexp.MustCompile(`^(unable to parse key: interface conversion: interface \{\} is [][\w.]+(?: \{\})?, not [][\w.]+(?: \{\})?)$`), "$1"},
	{regexp.MustCompile(`^(unexpected EOF)$`), "$1"},
	{regexp.MustCompile(`(?s)^invalid character '.*' (looking for beginning of (?:value|object key string)|after object key(?::value pair)?|after array element|in string literal|in string escape code|in numeric literal)$`), "invalid character $1"},
}

func unquotedCause(err error) string {
	if _, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return ""
	}
	message := err.Error()
	for _, known := range knownCauses {
		if found := known.pattern.FindStringSubmatchIndex(message); found != nil {
			return string(known.pattern.ExpandString(nil, known.told, message, found))
		}
	}
	return ""
}
