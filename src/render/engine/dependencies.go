package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	chart "helm.sh/helm/v4/pkg/chart/v2"
	chartutil "helm.sh/helm/v4/pkg/chart/v2/util"
)

// Dependency is a chart that goes to those of charts/.
type Dependency struct {
	// Parent are the names of the charts above it, below the root.
	Parent []string `json:"parent"`
	// Path of a directory or an archive.
	Path string `json:"path"`
	Name string `json:"name"`
}

// added is what became of a Dependency: a chart for each parent of these names.
type added struct {
	Dependency
	isDirectory bool
	charts      []*chart.Chart
}

// addDependencies loads charts and adds each to its parent, as if they lay in its charts/ folder.
func (b *loadBudget) addDependencies(root *chart.Chart, dependencies []Dependency, host Host) ([]*added, error) {
	all := make([]*added, len(dependencies))
	byParent := map[string][]*added{}
	var parents [][]string
	for i, dependency := range dependencies {
		info, err := os.Stat(dependency.Path)
		if err != nil {
			return nil, fmt.Errorf("path %q not found", dependency.Path)
		}
		all[i] = &added{Dependency: dependency, isDirectory: info.IsDir()}
		key := strings.Join(dependency.Parent, "/")
		if byParent[key] == nil {
			parents = append(parents, dependency.Parent)
		}
		byParent[key] = append(byParent[key], all[i])
	}
	// What lies deeper may belong to a chart that is added here.
	slices.SortStableFunc(parents, func(a, b []string) int { return len(a) - len(b) })
	for _, parent := range parents {
		charts := chartsBelow(root, parent)
		for _, dependency := range byParent[strings.Join(parent, "/")] {
			if err := b.addTo(charts, dependency, host); err != nil {
				return nil, err
			}
		}
		for _, ch := range charts {
			dropReplaced(ch, byParent[strings.Join(parent, "/")])
		}
	}
	return all, nil
}

// chartsBelow are more than one where charts/ holds several versions of a name.
func chartsBelow(root *chart.Chart, names []string) []*chart.Chart {
	charts := []*chart.Chart{root}
	for _, name := range names {
		var next []*chart.Chart
		for _, ch := range charts {
			for _, dependency := range ch.Dependencies() {
				if dependency.Name() == name {
					next = append(next, dependency)
				}
			}
		}
		charts = next
	}
	return charts
}

// addTo adds a dependency to those parents that ask for its version, or to all where none does.
func (b *loadBudget) addTo(parents []*chart.Chart, dependency *added, host Host) error {
	shown := strings.Join(append(slices.Clone(dependency.Parent), dependency.Name), "/")
	if len(parents) == 0 {
		return fmt.Errorf("dependency %s: there is no chart %s that it could belong to", shown, strings.Join(dependency.Parent, "/"))
	}
	var ch *chart.Chart
	// Each parent has a chart of its own: processing changes it.
	load := func() (err error) {
		if ch, err = b.load(dependency.Path, host); err != nil {
			return fmt.Errorf("dependency %s: %w", shown, err)
		}
		if ch.Name() != dependency.Name {
			return fmt.Errorf("dependency %s: the chart in %s has the name %s", shown, dependency.Path, ch.Name())
		}
		return nil
	}
	if err := load(); err != nil {
		return err
	}
	asking := slices.DeleteFunc(slices.Clone(parents), func(parent *chart.Chart) bool {
		return !slices.ContainsFunc(parent.Metadata.Dependencies, func(required *chart.Dependency) bool { return isFor(required, ch) })
	})
	if len(asking) == 0 {
		asking = parents
	}
	for i, parent := range asking {
		if i > 0 {
			if err := load(); err != nil {
				return err
			}
		}
		parent.AddDependency(ch)
		dependency.charts = append(dependency.charts, ch)
	}
	return nil
}

// dropReplaced leaves out what `helm dependency build` would have deleted from charts/: charts of a name that was added, unless
// only they are in a range that is asked for. Source: pkg/downloader, manager.go, safeMoveDeps.
func dropReplaced(parent *chart.Chart, additions []*added) {
	var own []*chart.Chart
	for _, addition := range additions {
		for _, ch := range addition.charts {
			if ch.Parent() == parent {
				own = append(own, ch)
			}
		}
	}
	isNeeded := func(existing *chart.Chart) bool {
		return slices.ContainsFunc(parent.Metadata.Dependencies, func(required *chart.Dependency) bool {
			return isFor(required, existing) && !slices.ContainsFunc(own, func(ch *chart.Chart) bool { return isFor(required, ch) })
		})
	}
	kept := slices.DeleteFunc(slices.Clone(parent.Dependencies()), func(existing *chart.Chart) bool {
		isNamesake := slices.ContainsFunc(own, func(ch *chart.Chart) bool { return ch.Name() == existing.Name() })
		return isNamesake && !slices.Contains(own, existing) && !isNeeded(existing)
	})
	parent.SetDependencies(kept...)
}

// isFor is by what Helm finds the chart of a requirement. Source: pkg/chart/v2/util, dependencies.go, getAliasDependency.
func isFor(required *chart.Dependency, ch *chart.Chart) bool {
	return required.Name == ch.Name() && chartutil.IsCompatibleRange(required.Version, ch.Metadata.Version)
}
