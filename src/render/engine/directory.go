package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"helm.sh/helm/v4/pkg/chart/loader/archive"
	chart "helm.sh/helm/v4/pkg/chart/v2"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
	"helm.sh/helm/v4/pkg/ignore"
	"sigs.k8s.io/yaml"
)

// Entry is one name in a directory, as the host lists it. Links are not followed: Target is where they lead in the end.
type Entry struct {
	Name string
	// Kind of a link is the kind of its target.
	Kind string // file | directory | other
	// Target is set for links only; "" with Broken for a link that leads nowhere.
	Target string
	Broken string
	Size   int64
	// ModTime in ms since the epoch.
	ModTime float64
}

// loadDirectory is Helm's LoadDir (pkg/chart/v2/loader, directory.go; internal/sympath) over listings of whole levels: one
// file at a time, a chart of 1,000 files takes a second in WebAssembly. Unlike Helm it follows links inside the chart only.
func (b *loadBudget) loadDirectory(path string, host Host) (*chart.Chart, error) {
	top, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	if err := checkAPIVersion(top); err != nil {
		return nil, err
	}
	rules := ignore.Empty()
	if text, err := os.ReadFile(filepath.Join(top, ignore.HelmIgnore)); err == nil {
		if rules, err = ignore.Parse(bytes.NewReader(text)); err != nil {
			return nil, err
		}
	}
	rules.AddDefaults()
	root, err := filepath.EvalSymlinks(top)
	if err != nil {
		return nil, err
	}
	walked := &walk{budget: b, host: host, rules: rules, top: top, root: root}
	if err := walked.run(); err != nil {
		return nil, err
	}
	files, err := walked.read()
	if err != nil {
		return nil, err
	}
	return loader.LoadFiles(files)
}

// checkAPIVersion refuses what pkg/chart/loader, LoadDir, and after it pkg/action, install.go, refuse.
func checkAPIVersion(top string) error {
	name := filepath.Join(top, "Chart.yaml")
	data, err := os.ReadFile(name)
	if err != nil {
		return fmt.Errorf("unable to detect chart at %s: %w", name, err)
	}
	var base struct {
		APIVersion string `json:"apiVersion"`
	}
	if err := yaml.Unmarshal(data, &base); err != nil {
		return fmt.Errorf("cannot load Chart.yaml: %w", err)
	}
	switch base.APIVersion {
	case chart.APIVersionV1, chart.APIVersionV2, "":
		return nil
	case "v3":
		return errors.New("invalid chart apiVersion")
	}
	return errors.New("unsupported chart version")
}

type walk struct {
	budget    *loadBudget
	host      Host
	rules     *ignore.Rules
	top, root string
	found     []foundFile
}

type foundFile struct {
	name, path string
	size       int64
	modTime    time.Time
}

// level is a directory to list: its name in the chart, its real path, and the real paths of what it lies in.
type level struct {
	name  string
	above []string
}

func (l level) path() string { return l.above[len(l.above)-1] }

func (w *walk) run() error {
	for levels := []level{{above: []string{w.root}}}; len(levels) > 0; {
		paths := make([]string, len(levels))
		for i := range levels {
			paths[i] = levels[i].path()
		}
		listings, err := w.host.List(paths)
		if err != nil {
			return err
		}
		var next []level
		for i, entries := range listings {
			for _, entry := range entries {
				below, err := w.visit(levels[i], entry)
				if err != nil {
					return err
				}
				next = append(next, below...)
			}
		}
		levels = next
	}
	// Helm walks in the order of names, directory by directory.
	slices.SortFunc(w.found, func(a, b foundFile) int {
		return slices.Compare(strings.Split(a.name, "/"), strings.Split(b.name, "/"))
	})
	return nil
}

func (w *walk) visit(in level, entry Entry) ([]level, error) {
	name := strings.TrimPrefix(in.name+"/"+entry.Name, "/")
	shown := filepath.Join(w.top, name)
	isDirectory := entry.Kind == "directory"
	if w.rules.Ignore(name, entryInfo{entry.Name, isDirectory}) {
		return nil, nil
	}
	path := filepath.Join(in.path(), entry.Name)
	if entry.Broken != "" {
		return nil, fmt.Errorf("error evaluating symlink %s: %s", shown, entry.Broken)
	}
	if entry.Target != "" {
		path = entry.Target
		if path != w.root && !strings.HasPrefix(path, w.root+string(filepath.Separator)) {
			return nil, fmt.Errorf("symbolic link %s leads out of the chart", shown)
		}
		if isDirectory && slices.Contains(in.above, path) {
			return nil, fmt.Errorf("symbolic link %s leads to a directory that contains it", shown)
		}
		slog.Info("found symbolic link in path. Contents of linked file included and used", "path", shown, "resolved", path)
	}
	if isDirectory {
		return []level{{name: name, above: append(slices.Clone(in.above), path)}}, w.budget.spend(1, 0)
	}
	if entry.Kind != "file" {
		return nil, fmt.Errorf("cannot load irregular file %s as it has file mode type bits set", shown)
	}
	modTime := time.UnixMicro(int64(entry.ModTime * 1000))
	w.found = append(w.found, foundFile{name: name, path: path, size: entry.Size, modTime: modTime})
	return nil, w.budget.spend(1, entry.Size)
}

func (w *walk) read() ([]*archive.BufferedFile, error) {
	paths := make([]string, len(w.found))
	for i := range w.found {
		paths[i] = w.found[i].path
	}
	contents, err := w.host.Read(paths)
	if err != nil {
		return nil, err
	}
	files := make([]*archive.BufferedFile, len(w.found))
	for i, found := range w.found {
		data := bytes.TrimPrefix(contents[i], []byte{0xEF, 0xBB, 0xBF})
		if isPackedSubchart(found.name) {
			if err := w.budget.checkArchive(bytes.NewReader(data)); err != nil {
				return nil, err
			}
		}
		files[i] = &archive.BufferedFile{Name: found.name, ModTime: found.modTime, Data: data}
	}
	return files, nil
}

// entryInfo is what ignore rules look at.
type entryInfo struct {
	name        string
	isDirectory bool
}

func (e entryInfo) Name() string       { return e.name }
func (e entryInfo) IsDir() bool        { return e.isDirectory }
func (e entryInfo) Size() int64        { return 0 }
func (e entryInfo) Mode() fs.FileMode  { return 0 }
func (e entryInfo) ModTime() time.Time { return time.Time{} }
func (e entryInfo) Sys() any           { return nil }
