package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"

	releaseutil "helm.sh/helm/v4/pkg/release/v1/util"
	"sigs.k8s.io/yaml"
)

var sourceComment = regexp.MustCompile(`^# Source: (\S.*?)\s*(?:\n|$)`)

// parseDocuments splits a stream as Helm splits a rendered file and parses each document as Helm and kubectl do.
func parseDocuments(file, text string) ([]Document, error) {
	documents := splitDocuments(file, text)
	for i := range documents {
		if err := documents[i].parse(); err != nil {
			return nil, err
		}
	}
	return documents, nil
}

// splitDocuments finds each of Helm's pieces again in the text, which gives its line.
func splitDocuments(file, text string) []Document {
	pieces := releaseutil.SplitManifests(text)
	keys := make([]string, 0, len(pieces))
	for key := range pieces {
		keys = append(keys, key)
	}
	sort.Sort(releaseutil.BySplitManifestsOrder(keys))
	documents := make([]Document, 0, len(keys))
	line, from := 1, 0
	for _, key := range keys {
		piece := pieces[key]
		at := from + max(strings.Index(text[from:], piece), 0)
		line += strings.Count(text[from:at], "\n")
		from = at
		document := Document{File: file, Line: line, Text: piece}
		if found := sourceComment.FindStringSubmatch(piece); found != nil {
			document.Source = found[1]
		}
		documents = append(documents, document)
		line += strings.Count(piece, "\n")
		from += len(piece)
	}
	return documents
}

var lineInYAMLError = regexp.MustCompile(`line (\d+)`)

func (d *Document) parse() error {
	text, err := yaml.YAMLToJSON([]byte(d.Text))
	if err != nil {
		err = fmt.Errorf("error converting YAML to JSON: %w", err)
	} else {
		err = onlyOneDocument(d.Text)
	}
	if err != nil {
		failure := Failure{Message: fmt.Sprintf("YAML parse error on %s: %s", d.File, err), Template: d.File, Line: d.Line}
		failure.Chart = chartOfPath(d.File)
		if found := lineInYAMLError.FindStringSubmatch(err.Error()); found != nil {
			inDocument, _ := strconv.Atoi(found[1])
			failure.Line = d.Line + inDocument - 1
		}
		return located{failure}
	}
	d.JSON = string(text)
	var head struct {
		Kind any `json:"kind"`
	}
	if json.Unmarshal(text, &head) == nil && head.Kind != nil {
		d.kind = fmt.Sprint(head.Kind)
	}
	return nil
}

var documentEnd = regexp.MustCompile(`(?m)^\.\.\.[ \t]*$`)

// onlyOneDocument refuses what YAML calls a second document without `---`: the reader would silently stop before it.
func onlyOneDocument(text string) error {
	end := documentEnd.FindStringIndex(text)
	if end == nil {
		return nil
	}
	for line := range strings.Lines(text[end[1]:]) {
		if trimmed := strings.TrimSpace(line); trimmed != "" && trimmed[0] != '#' && trimmed != "..." {
			return errors.New("text after the end marker `...` is not separated by `---`")
		}
	}
	return nil
}

// sortByKind orders as Helm orders manifests and hooks. Source: pkg/release/v1/util, kind_sorter.go.
func sortByKind(documents []Document) {
	rank := map[string]int{}
	for i, kind := range releaseutil.InstallOrder {
		rank[kind] = i
	}
	slices.SortStableFunc(documents, func(a, b Document) int {
		first, isFirstKnown := rank[a.kind]
		second, isSecondKnown := rank[b.kind]
		switch {
		case !isFirstKnown && !isSecondKnown:
			return strings.Compare(a.kind, b.kind)
		case !isFirstKnown:
			return 1
		case !isSecondKnown:
			return -1
		}
		return first - second
	})
}
