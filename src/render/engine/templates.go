package main

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"text/template"

	"helm.sh/helm/v4/pkg/chart/common"
	chart "helm.sh/helm/v4/pkg/chart/v2"
	"helm.sh/helm/v4/pkg/engine"
)

// maxOutputBytes bounds the text of all rendered files.
const maxOutputBytes = 64 << 20

// renderFiles runs the templates. A call at the end of each one's text tells the host how far it is, so that a template
// that never ends can be named; neither lines nor columns nor the output change by it.
func renderFiles(funcs template.FuncMap, ch *chart.Chart, values common.Values, host Host) (map[string]string, error) {
	finished := 0
	funcs[finishedFunc] = func() string {
		finished++
		host.Finished(finished)
		return ""
	}
	helm := engine.Engine{CustomTemplateFuncs: funcs}
	var names []string
	restore := markEnds(ch, &names)
	host.Templates(inRunOrder(names))
	files, err := helm.Render(ch, values)
	restore()
	if err != nil && strings.Contains(err.Error(), finishedFunc) || err != nil && strings.HasPrefix(err.Error(), "parse error") {
		// The call may stand in the text of a syntax error, or behind an action that was not closed.
		files, err = helm.Render(ch, values)
	}
	if err != nil {
		return nil, err
	}
	total := 0
	for name, text := range files {
		if total += len(text); total > maxOutputBytes {
			return nil, located{Failure{
				Message:  fmt.Sprintf("the rendered chart is larger than %d MiB", maxOutputBytes>>20),
				Template: name, Chart: chartOfPath(name),
			}}
		}
	}
	return files, nil
}

const finishedFunc = "stagedHelmDeployFinished"

func markEnds(ch *chart.Chart, names *[]string) (restore func()) {
	original := ch.Templates
	ch.Templates = make([]*common.File, len(original))
	copy(ch.Templates, original)
	for i, file := range original {
		// Library charts and partials are not run.
		if file == nil || ch.Metadata.Type == "library" || strings.HasPrefix(path.Base(file.Name), "_") {
			continue
		}
		*names = append(*names, path.Join(ch.ChartFullPath(), file.Name))
		marked := append(slices.Clone(file.Data), "{{"+finishedFunc+"}}"...)
		ch.Templates[i] = &common.File{Name: file.Name, Data: marked, ModTime: file.ModTime}
	}
	restores := []func(){func() { ch.Templates = original }}
	for _, dependency := range ch.Dependencies() {
		restores = append(restores, markEnds(dependency, names))
	}
	return func() {
		for _, restoreOne := range restores {
			restoreOne()
		}
	}
}

// inRunOrder is Helm's: deepest first, then names backwards. Source: pkg/engine, engine.go, sortTemplates.
func inRunOrder(names []string) []string {
	slices.SortFunc(names, func(a, b string) int {
		if byDepth := strings.Count(b, "/") - strings.Count(a, "/"); byDepth != 0 {
			return byDepth
		}
		return strings.Compare(b, a)
	})
	return names
}
