package main

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	releaseutil "helm.sh/helm/v4/pkg/release/v1/util"
)

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

const sourceComment = "# Source: "

// splitDocuments cuts where Helm cuts: at every line that starts with `---`, whatever follows it; blank pieces are dropped,
// and each loses the blanks before it. Source: pkg/release/v1/util, manifest.go, SplitManifests (`(?m)^---[ \t]*`).
func splitDocuments(file, text string) []Document {
	var documents []Document
	line := 1
	add := func(piece string) {
		trimmed := strings.TrimLeftFunc(piece, unicode.IsSpace)
		blanks := piece[:len(piece)-len(trimmed)]
		if trimmed != "" {
			document := Document{File: file, Line: line + strings.Count(blanks, "\n"), Text: trimmed}
			if first, _, _ := strings.Cut(trimmed, "\n"); strings.HasPrefix(first, sourceComment) {
				document.Source = strings.TrimSpace(strings.TrimPrefix(first, sourceComment))
			}
			documents = append(documents, document)
		}
		line += strings.Count(piece, "\n")
	}
	for rest, isLineStart := text, true; rest != ""; {
		at := strings.Index(rest, "\n---") + 1
		if isLineStart && strings.HasPrefix(rest, "---") {
			at = 0
		} else if at == 0 {
			add(rest)
			break
		}
		add(rest[:at])
		rest = strings.TrimLeft(rest[at+len("---"):], " \t")
		isLineStart = false
	}
	return documents
}

var lineInYAMLError = regexp.MustCompile(`line (\d+)`)

func (d *Document) parse() error {
	text, head, isOdd, err := readYAML(d.Text)
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
	d.JSON, d.head, d.isOdd = text, head, isOdd
	return nil
}

const documentEnd = "\n..."

// onlyOneDocument refuses what YAML calls a second document without `---`: the reader would silently stop before it.
func onlyOneDocument(text string) error {
	_, after, found := strings.Cut(text, documentEnd)
	if !found {
		return nil
	}
	rest, after, _ := strings.Cut(after, "\n")
	if strings.TrimSpace(rest) != "" {
		return nil
	}
	for line := range strings.Lines(after) {
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
		first, isFirstKnown := rank[a.head.Kind]
		second, isSecondKnown := rank[b.head.Kind]
		switch {
		case !isFirstKnown && !isSecondKnown:
			return strings.Compare(a.head.Kind, b.head.Kind)
		case !isFirstKnown:
			return 1
		case !isSecondKnown:
			return -1
		}
		return first - second
	})
}
