package main

import (
	release "helm.sh/helm/v4/pkg/release/v1"
	releaseutil "helm.sh/helm/v4/pkg/release/v1/util"
)

// Request asks for one render. The host (TypeScript, or the native command line) fills it; see src/render/protocol.ts.
type Request struct {
	ChartPath string `json:"chartPath"`
	Release   string `json:"release"`
	Namespace string `json:"namespace"`
	Revision  int    `json:"revision"`
	IsUpgrade bool   `json:"isUpgrade"`
	Values    Values `json:"values"`
	// Dependencies are charts that go to those of charts/.
	Dependencies []Dependency `json:"dependencies"`
	// Reuse is nil where no earlier values count.
	Reuse *Reuse `json:"reuse"`
	// KubeVersion is empty for the engine's default.
	KubeVersion string `json:"kubeVersion"`
	// APIVersions is what a cluster serves; empty for the engine's default list, as in `helm template`.
	APIVersions []string `json:"apiVersions"`
	// ExtraAPIVersions are appended to either.
	ExtraAPIVersions []string `json:"extraApiVersions"`
	// HasLookup says that the host answers lookup; without it every lookup is an empty map.
	HasLookup bool `json:"hasLookup"`
}

// Values are the six forms of Helm.
type Values struct {
	Files      []ValuesFile `json:"files"`
	Set        []string     `json:"set"`
	SetString  []string     `json:"setString"`
	SetJSON    []string     `json:"setJson"`
	SetFile    []string     `json:"setFile"`
	SetLiteral []string     `json:"setLiteral"`
}

// ValuesFile is one -f file; Label names it in errors.
type ValuesFile struct {
	Label string `json:"label"`
	Text  string `json:"text"`
}

// Result is one render. Fields that hold JSON text keep it as text, so that the host decides how to read large numbers. Long
// texts go beside the answer's JSON (answer.go); the fields of type textRef stand for them.
type Result struct {
	// Documents are all documents of templates/, hooks and those that Helm drops included, in Helm's install order.
	Documents []Document `json:"documents"`
	// CRDs are the documents of every crds/ directory; CRDFiles their files as they are.
	CRDs     []Document `json:"crds"`
	CRDFiles []CRDFile  `json:"crdFiles"`
	Notes    string     `json:"notes"`
	// Manifest and Hooks are as in Helm's release record; Chart and Config too, as JSON text.
	Manifest string          `json:"-"`
	Hooks    []*release.Hook `json:"hooks"`
	Chart    string          `json:"-"`
	Config   string          `json:"-"`
	Metadata Metadata        `json:"metadata"`
	Warnings []string        `json:"warnings"`
	// Again are the files that come out otherwise in a second render.
	Again []AgainFile `json:"again"`

	ManifestRef textRef `json:"manifest"`
	ChartRef    textRef `json:"chart"`
	ConfigRef   textRef `json:"config"`
}

// AgainFile is one rendered file of a second render, without the texts of its documents.
type AgainFile struct {
	File      string     `json:"file"`
	Documents []Document `json:"documents"`
}

// Document is one YAML document.
type Document struct {
	File string `json:"file"`
	// Line of the document's first line in the rendered text of File, from 1.
	Line int    `json:"line"`
	Text string `json:"-"`
	// JSON is the document as Go's YAML reader understands it; `null` for one that holds comments only.
	JSON string `json:"-"`
	// Source is the path of the document's first comment `# Source: path`, as Helm's stored manifests have it.
	Source string `json:"source,omitempty"`

	TextRef textRef `json:"text"`
	JSONRef textRef `json:"json"`

	head releaseutil.SimpleHead
	// isOdd: what Helm looks at is not in the form that it expects; Helm may still take it (a number as annotation).
	isOdd bool
	role  role
}

// role is what Helm makes of a document: dropped ones have an unknown hook event.
type role int

const (
	dropped role = iota
	generic
	hook
)

// CRDFile is one file of a crds/ directory.
type CRDFile struct {
	File string `json:"file"`
	Text string `json:"-"`

	TextRef textRef `json:"text"`
}

// Metadata is what the host shows of a chart.
type Metadata struct {
	Name       string `json:"name"`
	Version    string `json:"version"`
	AppVersion string `json:"appVersion,omitempty"`
	Icon       string `json:"icon,omitempty"`
}

// Failure is an error as data.
type Failure struct {
	Message  string `json:"message"`
	Chart    string `json:"chart,omitempty"`
	Template string `json:"template,omitempty"`
	Line     int    `json:"line,omitempty"`
}

// Host is what the engine asks of its surroundings.
type Host interface {
	// Lookup answers with the JSON of an object or a list, or "" where there is none.
	Lookup(apiVersion, kind, namespace, name string) (string, error)
	// Enter tells what is worked on now, so that a killed engine can be blamed on it.
	Enter(step, name string)
	// Templates tells the order in which templates run; Finished, how many of them have.
	Templates(names []string)
	Finished(count int)
	// Again tells that from here on, or no longer, a second render runs: it sees a later time, and keys need only differ.
	Again(isOn bool)
	// List gives the entries of each directory.
	List(paths []string) ([][]Entry, error)
	// Read gives the content of each file.
	Read(paths []string) ([][]byte, error)
}
