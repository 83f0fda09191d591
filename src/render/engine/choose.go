package main

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/Masterminds/semver/v3"
)

// Choice asks which of the versions Helm takes. See ChartRules in src/ports.ts.
type Choice struct {
	Versions []string `json:"versions"`
	Wanted   string   `json:"wanted"`
	From     string   `json:"from"` // index | requirement | lock | tags
}

// choose gives the index of the version; nil where none fits. Helm's packages for repositories and registries bring all its
// clients: the few lines that decide are restated here, and compared with Helm's by tests.
func choose(asked Choice) (*int, error) {
	switch asked.From {
	case "index":
		return chooseOfIndex(asked)
	case "requirement":
		return chooseForRequirement(asked)
	case "lock":
		return chooseLocked(asked)
	case "tags":
		return chooseOfTags(asked)
	}
	return nil, fmt.Errorf("unknown list of versions %q", asked.From)
}

// chooseOfIndex is what `--version` takes. Source: pkg/repo/v1, index.go, IndexFile.Get.
func chooseOfIndex(asked Choice) (*int, error) {
	wanted := asked.Wanted
	if wanted == "" {
		wanted = "*"
	}
	constraint, err := rangeOf(wanted)
	if err != nil {
		return nil, err
	}
	entries := sortedEntries(asked.Versions)
	if exact := first(entries, func(found versioned) bool { return found.text == asked.Wanted }); exact != nil {
		return exact, nil
	}
	return first(entries, func(found versioned) bool { return constraint.Check(found.version) }), nil
}

// chooseForRequirement is what a range of Chart.yaml takes: a text that is the same counts for nothing. Source: internal/resolver,
// resolver.go, Resolve.
func chooseForRequirement(asked Choice) (*int, error) {
	constraint, err := rangeOf(asked.Wanted)
	if err != nil {
		return nil, err
	}
	return first(sortedEntries(asked.Versions), func(found versioned) bool { return constraint.Check(found.version) }), nil
}

// chooseLocked is what an entry of Chart.lock takes. Source: pkg/downloader, manager.go, findVersionedEntry.
func chooseLocked(asked Choice) (*int, error) {
	locked, err := semver.NewVersion(asked.Wanted)
	return first(sortedEntries(asked.Versions), func(found versioned) bool {
		return asked.Wanted == "" || err == nil && locked.Equal(found.version)
	}), nil
}

// chooseOfTags takes what is a version as a tag, whatever else there is. Source: pkg/registry, client.go, ValidateReference and
// Tags; tag.go, GetTagMatchingVersionOrConstraint.
func chooseOfTags(asked Choice) (*int, error) {
	if _, err := semver.NewVersion(asked.Wanted); err == nil {
		if exact := slices.Index(asked.Versions, strings.ReplaceAll(asked.Wanted, "+", "_")); exact >= 0 {
			return &exact, nil
		}
		return nil, nil
	}
	wanted := asked.Wanted
	if wanted == "" {
		wanted = "*"
	}
	constraint, err := rangeOf(wanted)
	if err != nil {
		return nil, err
	}
	var tags []versioned
	for i, tag := range asked.Versions {
		if version, err := semver.StrictNewVersion(strings.ReplaceAll(tag, "_", "+")); err == nil {
			tags = append(tags, versioned{i, tag, version})
		}
	}
	sort.Sort(sort.Reverse(byVersion(tags)))
	return first(tags, func(found versioned) bool { return constraint.Check(found.version) }), nil
}

func rangeOf(text string) (*semver.Constraints, error) {
	constraint, err := semver.NewConstraint(text)
	if err != nil {
		return nil, fmt.Errorf("%q is neither a version nor a range of versions: %w", text, err)
	}
	return constraint, nil
}

// sortedEntries are those of an index that Helm does not drop. Source: pkg/repo/v1, index.go, loadIndex.
func sortedEntries(versions []string) []versioned {
	var entries []versioned
	for i, text := range versions {
		if version, err := semver.NewVersion(text); err == nil {
			entries = append(entries, versioned{i, text, version})
		}
	}
	// Which of equal versions (`1.0.0+a`, `1.0.0+b`) comes first is up to this very sort, as in Helm.
	sort.Sort(sort.Reverse(byVersion(entries)))
	return entries
}

type versioned struct {
	index   int
	text    string
	version *semver.Version
}

type byVersion []versioned

func (b byVersion) Len() int           { return len(b) }
func (b byVersion) Less(i, j int) bool { return b[i].version.LessThan(b[j].version) }
func (b byVersion) Swap(i, j int)      { b[i], b[j] = b[j], b[i] }

func first(sorted []versioned, fits func(versioned) bool) *int {
	if at := slices.IndexFunc(sorted, fits); at >= 0 {
		return &sorted[at].index
	}
	return nil
}
