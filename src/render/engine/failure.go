package main

import (
	"errors"
	"regexp"
	"strconv"
	"strings"
)

// located is an error whose place is known better than its text tells.
type located struct {
	failure Failure
}

func (l located) Error() string { return l.failure.Message }

// Helm's texts: `execution error at (c/templates/x.yaml:5:3): ...`, `parse error at (c/templates/x.yaml:5): ...`,
// `YAML parse error on c/templates/x.yaml: ...`, and a chain of lines that starts with `c/templates/x.yaml:5:3`.
var (
	placeInBrackets = regexp.MustCompile(`(?:execution|parse) error (?:at|in) \((.+?)(?::(\d+))?(?::\d+)?\): `)
	placeAtStart    = regexp.MustCompile(`^(?:template: )?(\S+?):(\d+)(?::\d+)?(?:\n|: )`)
	placeOfYAML     = regexp.MustCompile(`^YAML parse error on (.+?): `)
)

func describe(err error) *Failure {
	if l, ok := errors.AsType[located](err); ok {
		return &l.failure
	}
	failure := Failure{Message: err.Error()}
	for _, pattern := range []*regexp.Regexp{placeInBrackets, placeOfYAML, placeAtStart} {
		if found := pattern.FindStringSubmatch(failure.Message); found != nil {
			failure.Template = found[1]
			failure.Chart = chartOfPath(found[1])
			if len(found) > 2 {
				failure.Line, _ = strconv.Atoi(found[2])
			}
			break
		}
	}
	return &failure
}

// chartOfPath gives `sub` for `root/charts/sub/templates/x.yaml`.
func chartOfPath(path string) string {
	parts := strings.Split(path, "/")
	name := parts[0]
	for i := 1; i+1 < len(parts) && parts[i] == "charts"; i += 2 {
		name = parts[i+1]
	}
	return name
}
