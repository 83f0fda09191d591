package main

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	release "helm.sh/helm/v4/pkg/release/v1"
	releaseutil "helm.sh/helm/v4/pkg/release/v1/util"
)

// parseStream splits and parses what Helm and kubectl read in one piece: the manifest of a release, a stored hook, a file of
// crds/, a plain manifest.
func parseStream(file, text string) ([]Document, error) {
	documents := splitDocuments(file, text, lineIndent)
	for i := range documents {
		if err := documents[i].parse(documents[i].Text); err != nil {
			return nil, err
		}
	}
	return documents, nil
}

// parseRendered splits and parses a rendered file. Helm puts a newline behind each document of the release's manifest, which is
// what it reads objects from; a hook it reads from the hook's own text. Source: pkg/action, action.go, renderResources; hooks.go.
func parseRendered(file, text string) ([]Document, error) {
	documents := splitDocuments(file, text, leadingBlanks)
	for i := range documents {
		document := &documents[i]
		err := document.parse(document.Text + "\n")
		if err == nil && document.hasHookAnnotation() {
			err = document.parse(document.Text)
		}
		if err != nil {
			return nil, err
		}
	}
	return documents, nil
}

func (d *Document) hasHookAnnotation() bool {
	if d.head.Metadata == nil {
		return false
	}
	_, found := d.head.Metadata.Annotations[release.HookAnnotation]
	return found
}

const sourceComment = "# Source: "

// splitDocuments cuts where Helm cuts: at every line that starts with `---`, whatever follows it; blank pieces are dropped,
// and each loses some of the blanks before it. Source: pkg/release/v1/util, manifest.go, SplitManifests (`(?m)^---[ \t]*`).
func splitDocuments(file, text string, lost func(blanks string) string) []Document {
	var documents []Document
	line := 1
	add := func(piece string) {
		trimmed := strings.TrimLeftFunc(piece, unicode.IsSpace)
		if trimmed != "" {
			dropped := lost(piece[:len(piece)-len(trimmed)])
			document := Document{File: file, Line: line + strings.Count(dropped, "\n"), Text: piece[len(dropped):]}
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

// leadingBlanks are what a rendered document loses: all of them, as Helm trims it.
func leadingBlanks(blanks string) string { return blanks }

// lineIndent keeps the indent of the first line, which a reader of the whole stream sees.
func lineIndent(blanks string) string { return blanks[:strings.LastIndexByte(blanks, '\n')+1] }

var lineInYAMLError = regexp.MustCompile(`line (\d+)`)

// parse reads the document from its text as Helm hands it on.
func (d *Document) parse(given string) error {
	text, head, isOdd, err := readYAML(withLineEnds(given))
	if err != nil {
		err = fmt.Errorf("error converting YAML to JSON: %w", err)
	} else {
		err = onlyOneDocument(given)
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

// withLineEnds is what Helm's and kubectl's reader makes of a document: every line ends in a newline, the last one included.
// Source: k8s.io/apimachinery, pkg/util/yaml, decoder.go, LineReader.
func withLineEnds(text string) string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return text
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
