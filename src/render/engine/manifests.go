package main

import (
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	chart "helm.sh/helm/v4/pkg/chart/v2"
	releaseutil "helm.sh/helm/v4/pkg/release/v1/util"
)

// addManifests turns rendered files into Helm's manifest text and hooks, and into documents with line and JSON.
func (r *Result) addManifests(files map[string]string) error {
	hooks, manifests, err := releaseutil.SortManifests(files, nil, releaseutil.InstallOrder)
	if err != nil {
		return locateInRendered(err, files)
	}
	r.Hooks = hooks
	var text strings.Builder
	for _, manifest := range manifests {
		fmt.Fprintf(&text, "---\n# Source: %s\n%s\n", manifest.Name, manifest.Content)
	}
	r.Manifest = text.String()

	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if strings.HasPrefix(path.Base(name), "_") {
			continue
		}
		documents, err := parseDocuments(name, files[name])
		if err != nil {
			return err
		}
		r.Documents = append(r.Documents, documents...)
	}
	sortByKind(r.Documents)
	return nil
}

// locateInRendered adds the line to Helm's `YAML parse error on <file>`.
func locateInRendered(err error, files map[string]string) error {
	failure := describe(err)
	for _, document := range splitDocuments(failure.Template, files[failure.Template]) {
		if parseErr := document.parse(); parseErr != nil {
			failure.Line = describe(parseErr).Line
			break
		}
		if json.Unmarshal([]byte(document.JSON), &releaseutil.SimpleHead{}) != nil {
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
		parsed, err := parseDocuments(crd.Filename, text)
		if err != nil {
			return nil, nil, err
		}
		documents = append(documents, parsed...)
	}
	return documents, files, nil
}
