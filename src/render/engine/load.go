package main

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"

	"helm.sh/helm/v4/pkg/chart/loader"
	"helm.sh/helm/v4/pkg/chart/loader/archive"
	chart "helm.sh/helm/v4/pkg/chart/v2"
)

const (
	// maxChartEntries bounds the files of a chart, packaged subcharts included.
	maxChartEntries = 10_000
	// maxCompressionRatio is unpacked : packed; looked at beyond ratioFreeBytes only.
	maxCompressionRatio = 200
	ratioFreeBytes      = 10 << 20
	// maxHeaderBytes is what an archive may hold of a file beside its content: headers, long names, padding.
	maxHeaderBytes = 4 << 10
)

// loadChart reads a chart from a directory or an archive, and the dependencies that go to it, bounded. A chart that Helm would
// load in random order of its subcharts comes in order of their names.
func loadChart(location string, dependencies []Dependency, host Host) (*chart.Chart, []*added, error) {
	budget := &loadBudget{}
	ch, err := budget.load(location, host)
	if err != nil {
		return nil, nil, err
	}
	additions, err := budget.addDependencies(ch, dependencies, host)
	if err != nil {
		return nil, nil, err
	}
	sortDependencies(ch)
	return ch, additions, nil
}

func (b *loadBudget) load(location string, host Host) (*chart.Chart, error) {
	host.Enter("load", location)
	info, err := os.Stat(location)
	if err != nil {
		return nil, fmt.Errorf("path %q not found", location)
	}
	switch {
	case info.IsDir():
		return b.loadDirectory(location, host)
	case info.Mode().IsRegular():
		return b.loadArchive(location)
	}
	// Opening a pipe waits for who writes to it.
	return nil, fmt.Errorf("path %q is neither a directory nor a file", location)
}

// loadBudget counts what all files and archives of one chart have used up.
type loadBudget struct {
	entries int
	bytes   int64
	// unpacked is all that came out of archives, also what is no content of a file.
	unpacked int64
}

func (b *loadBudget) spend(entries int, bytes int64) error {
	b.entries += entries
	b.bytes += bytes
	if b.entries > maxChartEntries {
		return fmt.Errorf("chart has more than the maximum of %d files", maxChartEntries)
	}
	if b.bytes > archive.MaxDecompressedChartSize {
		return fmt.Errorf("decompressed chart is larger than the maximum size %d", archive.MaxDecompressedChartSize)
	}
	return nil
}

func (b *loadBudget) loadArchive(location string) (*chart.Chart, error) {
	file, err := os.Open(location)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if err := b.checkArchive(file); err != nil {
		return nil, err
	}
	loaded, err := loader.Load(location)
	if err != nil {
		return nil, err
	}
	ch, ok := loaded.(*chart.Chart)
	if !ok {
		return nil, errors.New("invalid chart apiVersion")
	}
	return ch, nil
}

// checkArchive reads an archive without keeping it. What is not an archive at all is left to Helm to refuse.
func (b *loadBudget) checkArchive(packed io.Reader) error {
	counted := &countingReader{from: packed}
	zipped, err := gzip.NewReader(counted)
	if err != nil {
		return nil //nolint:nilerr // Helm's own text is better
	}
	defer zipped.Close()
	unpacked := &unpackedReader{from: zipped, packed: counted, budget: b}
	for entries := tar.NewReader(unpacked); ; {
		header, err := entries.Next()
		if err != nil {
			return unpacked.refusal // else the end, or a damaged archive that Helm refuses
		}
		if err := b.spend(1, header.Size); err != nil {
			return err
		}
		if isPackedSubchart(header.Name) {
			err = b.checkArchive(entries)
		} else {
			_, err = io.Copy(io.Discard, entries)
		}
		if unpacked.refusal != nil {
			return unpacked.refusal
		}
		if err != nil {
			return err
		}
	}
}

// isPackedSubchart understands the name of an entry as Helm does: either separator, and cleaned. Source: pkg/chart/loader/archive,
// LoadArchiveFiles.
func isPackedSubchart(name string) bool {
	cleaned := path.Clean("/" + strings.ReplaceAll(name, "\\", "/"))
	return strings.HasSuffix(cleaned, ".tgz") && strings.Contains(cleaned, "/charts/")
}

// unpackedReader bounds what comes out of an archive wherever it lies in it: headers are read in a row without an entry.
type unpackedReader struct {
	from    io.Reader
	packed  *countingReader
	budget  *loadBudget
	bytes   int64
	refusal error
}

func (u *unpackedReader) Read(into []byte) (int, error) {
	n, err := u.from.Read(into)
	u.bytes += int64(n)
	u.budget.unpacked += int64(n)
	switch {
	case u.bytes > ratioFreeBytes && u.bytes > maxCompressionRatio*u.packed.bytes:
		u.refusal = fmt.Errorf("chart archive is compressed more than %d to 1", maxCompressionRatio)
	case u.budget.unpacked > archive.MaxDecompressedChartSize+maxChartEntries*maxHeaderBytes:
		u.refusal = fmt.Errorf("decompressed chart is larger than the maximum size %d", archive.MaxDecompressedChartSize)
	}
	if u.refusal != nil {
		return 0, u.refusal
	}
	return n, err
}

type countingReader struct {
	from  io.Reader
	bytes int64
}

func (c *countingReader) Read(into []byte) (int, error) {
	n, err := c.from.Read(into)
	c.bytes += int64(n)
	return n, err
}

func sortDependencies(ch *chart.Chart) {
	sorted := slices.Clone(ch.Dependencies())
	slices.SortStableFunc(sorted, func(a, b *chart.Chart) int {
		if byName := strings.Compare(a.Name(), b.Name()); byName != 0 {
			return byName
		}
		return strings.Compare(a.Metadata.Version, b.Metadata.Version)
	})
	ch.SetDependencies(sorted...)
	for _, dependency := range sorted {
		sortDependencies(dependency)
	}
}
