package main

import (
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	chart "helm.sh/helm/v4/pkg/chart/v2"
	releaseutil "helm.sh/helm/v4/pkg/release/v1/util"
)

// addManifests turns rendered files into Helm's manifest text and hooks, and into documents with line and JSON.
func (r *Result) addManifests(files map[string]string) error {
	for _, name := range sortedManifests(files) {
		documents, err := parseRendered(name, files[name])
		if err != nil {
			return err
		}
		r.Documents = append(r.Documents, documents...)
	}
	if err := r.findRoles(); err != nil {
		return err
	}
	sortByKind(r.Documents)
	var text strings.Builder
	for _, document := range r.Documents {
		if document.role == generic {
			fmt.Fprintf(&text, "---\n# Source: %s\n%s\n", document.File, document.Text)
		}
	}
	r.Manifest = text.String()
	return nil
}

// sortedManifests are the names of the rendered files that hold documents.
func sortedManifests(files map[string]string) []string {
	var names []string
	for name := range files {
		if !strings.HasPrefix(path.Base(name), "_") && !strings.HasSuffix(name, notesFile) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// findRoles asks Helm about hooks and whatever else is not plainly none, by their heads alone: parsing each document a
// second time would take as long as all the rest.
func (r *Result) findRoles() error {
	heads := map[string]string{}
	for i := range r.Documents {
		document := &r.Documents[i]
		document.role = generic
		if document.hasHookAnnotation() || document.isOdd {
			document.role = dropped
			heads[document.File] += "\n---\n" + headOf(document.JSON, i)
		}
	}
	hooks, odd, err := releaseutil.SortManifests(heads, nil, releaseutil.InstallOrder)
	if err != nil {
		return r.locate(err)
	}
	for _, found := range hooks {
		document := &r.Documents[indexOf(found.Manifest)]
		document.role = hook
		found.Manifest = document.Text
	}
	for _, found := range odd {
		document := &r.Documents[indexOf(found.Content)]
		document.role = generic
		document.head = *found.Head
	}
	r.Hooks = hooks
	return nil
}

const indexKey = "stagedHelmDeployIndex"

// headOf is the part of a document that Helm looks at, in one line, with the document's index.
func headOf(document string, index int) string {
	head := struct {
		APIVersion json.RawMessage `json:"apiVersion,omitempty"`
		Kind       json.RawMessage `json:"kind,omitempty"`
		Metadata   json.RawMessage `json:"metadata,omitempty"`
		Index      int             `json:"stagedHelmDeployIndex"`
	}{}
	if json.Unmarshal([]byte(document), &head) != nil {
		// No object at all: Helm refuses it.
		return document
	}
	head.Index = index
	text, _ := json.Marshal(head)
	return string(text)
}

func indexOf(head string) int {
	var found map[string]json.RawMessage
	_ = json.Unmarshal([]byte(head), &found)
	index, _ := strconv.Atoi(string(found[indexKey]))
	return index
}

// locate adds the line to Helm's `YAML parse error on <file>`.
func (r *Result) locate(err error) error {
	failure := describe(err)
	for _, document := range r.Documents {
		if document.File == failure.Template && document.isOdd {
			failure.Line = document.Line
			break
		}
	}
	return located{*failure}
}

// crdDocuments are the files of crds/ of the chart and its subcharts, parents first.
func crdDocuments(ch *chart.Chart) ([]Document, []CRDFile, error) {
	var documents []Document
	var files []CRDFile
	for _, crd := range ch.CRDObjects() {
		text := string(crd.File.Data)
		files = append(files, CRDFile{File: crd.Filename, Text: text})
		parsed, err := parseStream(crd.Filename, text)
		if err != nil {
			return nil, nil, err
		}
		documents = append(documents, parsed...)
	}
	return documents, files, nil
}
