package main

import (
	"fmt"
	"slices"

	"helm.sh/helm/v4/pkg/chart/common"
	chart "helm.sh/helm/v4/pkg/chart/v2"
	chartutil "helm.sh/helm/v4/pkg/chart/v2/util"
)

// RequirementsRequest asks what a chart, and each of the dependencies that is a directory, asks for.
type RequirementsRequest struct {
	ChartPath    string       `json:"chartPath"`
	Values       Values       `json:"values"`
	Dependencies []Dependency `json:"dependencies"`
}

// ChartRequirements are explained in src/ports.ts.
type ChartRequirements struct {
	Name     string        `json:"name"`
	Path     string        `json:"path"`
	Parent   []string      `json:"parent,omitzero"`
	Required []Requirement `json:"required"`
	Lock     *LockState    `json:"lock,omitempty"`
}

type Requirement struct {
	Name           string `json:"name"`
	Version        string `json:"version"`
	Repository     string `json:"repository"`
	IsEnabled      bool   `json:"isEnabled"`
	PresentVersion string `json:"presentVersion,omitempty"`

	// key is unique among the requirements of a chart.
	key string
}

func requirements(asked RequirementsRequest, host Host) ([]ChartRequirements, error) {
	logs := captureLogs()
	defer logs.release()

	values, err := mergeValues(asked.Values)
	if err != nil {
		return nil, err
	}
	root, additions, err := loadChart(asked.ChartPath, asked.Dependencies, host)
	if err != nil {
		return nil, err
	}
	found := []ChartRequirements{requirementsOf(root)}
	found[0].Path = asked.ChartPath
	marks := [][]mark{{markOf(root)}}
	for _, addition := range additions {
		if !addition.isDirectory {
			continue
		}
		required := requirementsOf(addition.charts[0])
		required.Path, required.Parent = addition.Path, addition.Parent
		found = append(found, required)
		var own []mark
		for _, ch := range addition.charts {
			own = append(own, markOf(ch))
		}
		marks = append(marks, own)
	}
	// Names, and what is switched off, change from here on.
	if err := chartutil.ProcessDependencies(root, values); err != nil {
		return nil, fmt.Errorf("chart dependencies processing failed: %w", err)
	}
	enabled := map[mark][]string{}
	addEnabled(root, enabled)
	for i := range found {
		for k := range found[i].Required {
			required := &found[i].Required[k]
			required.IsEnabled = slices.ContainsFunc(marks[i], func(own mark) bool { return slices.Contains(enabled[own], required.key) })
		}
	}
	return found, nil
}

func requirementsOf(ch *chart.Chart) ChartRequirements {
	result := ChartRequirements{Name: ch.Name(), Required: []Requirement{}, Lock: lockOf(ch)}
	for _, required := range ch.Metadata.Dependencies {
		result.Required = append(result.Required, Requirement{
			Name:           required.Name,
			Version:        required.Version,
			Repository:     required.Repository,
			PresentVersion: presentVersion(ch, required),
			key:            keyOf(required),
		})
	}
	return result
}

// presentVersion is that of the chart that Helm would take, else of any of this name.
func presentVersion(ch *chart.Chart, required *chart.Dependency) string {
	version := ""
	for _, dependency := range ch.Dependencies() {
		if isFor(required, dependency) {
			return dependency.Metadata.Version
		}
		if dependency.Name() == required.Name && version == "" {
			version = dependency.Metadata.Version
		}
	}
	return version
}

// mark tells a chart from others, and is that of its copies, too: Helm copies a chart for each alias.
type mark = *common.File

func markOf(ch *chart.Chart) mark { return ch.Raw[0] }

// addEnabled notes the requirements that Helm has left after it took away those that are switched off.
func addEnabled(ch *chart.Chart, enabled map[mark][]string) {
	for _, required := range ch.Metadata.Dependencies {
		enabled[markOf(ch)] = append(enabled[markOf(ch)], keyOf(required))
	}
	for _, dependency := range ch.Dependencies() {
		addEnabled(dependency, enabled)
	}
}

// keyOf is the same before and after Helm has replaced names by aliases.
func keyOf(required *chart.Dependency) string {
	if required.Alias != "" {
		return required.Alias
	}
	return required.Name
}
