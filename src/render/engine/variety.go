package main

import (
	"reflect"
	"slices"
	"text/template"

	"helm.sh/helm/v4/pkg/chart/common"
	chart "helm.sh/helm/v4/pkg/chart/v2"
)

// Functions whose results differ from render to render. Source: sprig v3.3.0, functions.go.
var (
	// timedFuncs read the clock, some only where they are given no date; makingFuncs cannot give the same twice.
	timedFuncs  = []string{"ago", "date", "dateInZone", "date_in_zone", "htmlDate", "htmlDateInZone", "now"}
	makingFuncs = []string{
		"bcrypt", "encryptAES", "genCA", "genCAWithKey", "genPrivateKey", "genSelfSignedCert", "genSelfSignedCertWithKey",
		"genSignedCert", "genSignedCertWithKey", "htpasswd", "uuidv4",
	}
	// chanceFuncs draw from few values at times; keys and values come in the order of a Go map, which is drawn, too.
	chanceFuncs = []string{
		"keys", "randAlpha", "randAlphaNum", "randAscii", "randBytes", "randInt", "randNumeric", "shuffle", "values",
	}
)

// maxDraws bounds how often a draw is repeated that gives the same as in the first render. Where there are but two values,
// all draws agree once in 2^64.
const maxDraws = 64

// variety finds what comes out otherwise in a second render, and costs a chart without such functions next to nothing.
type variety struct {
	// isUsed says that a function was called whose results differ.
	isUsed   bool
	isSecond bool
	// drawn are the results of each chance function in the first render, in the order of its calls; calls counts them.
	drawn map[string][]any
	calls map[string]int
	// answers of lookup in the first render.
	answers map[[4]string]string
}

func newVariety() *variety {
	return &variety{drawn: map[string][]any{}, calls: map[string]int{}, answers: map[[4]string]string{}}
}

// watch replaces the functions whose results differ, those that funcs already replaces included.
func (v *variety) watch(funcs template.FuncMap, original map[string]any) {
	watched := func(name string) reflect.Value {
		if function, ok := funcs[name]; ok {
			return reflect.ValueOf(function)
		}
		return reflect.ValueOf(original[name])
	}
	for _, name := range slices.Concat(timedFuncs, makingFuncs) {
		function := watched(name)
		funcs[name] = reflect.MakeFunc(function.Type(), func(arguments []reflect.Value) []reflect.Value {
			v.isUsed = true
			return invoke(function, arguments)
		}).Interface()
	}
	for _, name := range chanceFuncs {
		function := watched(name)
		draw := func(arguments []reflect.Value) []reflect.Value { return v.draw(name, function, arguments) }
		funcs[name] = reflect.MakeFunc(function.Type(), draw).Interface()
	}
}

func (v *variety) draw(name string, function reflect.Value, arguments []reflect.Value) []reflect.Value {
	results := invoke(function, arguments)
	if results[0].Kind() == reflect.Slice && results[0].Len() < 2 {
		// There is one order only.
		return results
	}
	v.isUsed = true
	if !v.isSecond {
		v.drawn[name] = append(v.drawn[name], results[0].Interface())
		return results
	}
	index := v.calls[name]
	v.calls[name]++
	if index < len(v.drawn[name]) {
		for draws := 1; draws < maxDraws && reflect.DeepEqual(results[0].Interface(), v.drawn[name][index]); draws++ {
			results = invoke(function, arguments)
		}
	}
	return results
}

func invoke(function reflect.Value, arguments []reflect.Value) []reflect.Value {
	if function.Type().IsVariadic() {
		return function.CallSlice(arguments)
	}
	return function.Call(arguments)
}

// lookup asks the host in the first render only. What only the second one asks for counts as not there.
func (v *variety) lookup(host Host, apiVersion, kind, namespace, name string) (string, error) {
	key := [4]string{apiVersion, kind, namespace, name}
	if v.isSecond {
		return v.answers[key], nil
	}
	text, err := host.Lookup(apiVersion, kind, namespace, name)
	if err == nil {
		v.answers[key] = text
	}
	return text, err
}

// renderAgain gives the documents of those files that a second render gives another text: at another time, with other
// random values. A chart that fails then is no worse for it: it goes on with what the first render gave.
func (v *variety) renderAgain(first map[string]string, ch *chart.Chart, values common.Values, funcs template.FuncMap, host Host) []AgainFile {
	v.isSecond = true
	host.Again(true)
	defer host.Again(false)
	second, err := renderFiles(funcs, ch, values, host)
	if err != nil {
		return nil
	}
	var files []AgainFile
	for _, name := range sortedManifests(first) {
		if second[name] == first[name] {
			continue
		}
		documents, err := parseRendered(name, second[name])
		if err != nil {
			continue
		}
		for i := range documents {
			documents[i].Text = ""
		}
		files = append(files, AgainFile{File: name, Documents: documents})
	}
	return files
}
