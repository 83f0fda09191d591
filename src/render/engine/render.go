package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"path"
	"slices"
	"strings"

	"helm.sh/helm/v4/pkg/chart/common"
	"helm.sh/helm/v4/pkg/chart/common/util"
	chart "helm.sh/helm/v4/pkg/chart/v2"
	chartutil "helm.sh/helm/v4/pkg/chart/v2/util"
)

const notesFile = "NOTES.txt"

// render does what `helm install` does up to the release record. The checks of Helm's command and action layers are
// restated here, in Helm's order, because those packages bring the whole client. Source: pkg/cmd, install.go, runInstall;
// pkg/action, install.go, RunWithContext; pkg/action, action.go, renderResources.
func render(request Request, host Host) (result *Result, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("rendering failed: %v", r)
		}
	}()
	logs := captureLogs()
	defer logs.release()

	values, err := mergeValues(request.Values)
	if err != nil {
		return nil, err
	}
	ch, _, err := loadChart(request.ChartPath, request.Dependencies, host)
	if err != nil {
		return nil, err
	}
	if err := checkInstallable(ch); err != nil {
		return nil, err
	}
	if err := chartutil.ValidateReleaseName(request.Release); err != nil {
		return nil, fmt.Errorf("release name check failed: release name %q: %w", request.Release, err)
	}
	missing := missingDependencies(ch)
	if values, err = reuseValues(request.Reuse, ch, values); err != nil {
		return nil, err
	}
	if err := chartutil.ProcessDependencies(ch, values); err != nil {
		return nil, fmt.Errorf("chart dependencies processing failed: %w", err)
	}
	if err := refuseMissing(ch, missing); err != nil {
		return nil, err
	}
	result = &Result{}
	if result.CRDs, result.CRDFiles, err = crdDocuments(ch); err != nil {
		return nil, err
	}
	capabilities, err := capabilitiesFor(request, result.CRDs)
	if err != nil {
		return nil, err
	}
	renderValues, err := toRenderValues(request, ch, values, capabilities)
	if err != nil {
		return nil, err
	}
	if err := checkSchemas(ch, renderValues, host); err != nil {
		return nil, err
	}
	if ch.Metadata.KubeVersion != "" && !chartutil.IsCompatibleRange(ch.Metadata.KubeVersion, capabilities.KubeVersion.String()) {
		return nil, fmt.Errorf("chart requires kubeVersion: %s which is incompatible with Kubernetes %s", ch.Metadata.KubeVersion, capabilities.KubeVersion.Version)
	}
	variety := newVariety()
	funcs := templateFuncs(request, host, variety)
	files, err := renderFiles(funcs, ch, renderValues, host)
	if err != nil {
		return nil, err
	}
	host.Enter("sort", ch.Name())
	result.Notes = files[path.Join(ch.Name(), "templates", notesFile)]
	if err := result.addManifests(files); err != nil {
		return nil, err
	}
	if err := result.addRecord(ch, values); err != nil {
		return nil, err
	}
	result.Warnings = logs.texts()
	if variety.isUsed {
		// Templates may have changed the values of the first render.
		if renderValues, err = toRenderValues(request, ch, values, capabilities); err != nil {
			return nil, err
		}
		result.Again = variety.renderAgain(files, ch, renderValues, funcs, host)
	}
	return result, nil
}

func checkInstallable(ch *chart.Chart) error {
	if ch.Metadata.Type != "" && ch.Metadata.Type != "application" {
		return fmt.Errorf("%s charts are not installable", ch.Metadata.Type)
	}
	if ch.Metadata.Deprecated {
		slog.Warn("this chart is deprecated")
	}
	return nil
}

// missingDependencies are the requirements that no chart has the name of. Source: pkg/action, install.go, CheckDependencies.
func missingDependencies(ch *chart.Chart) map[string]string {
	missing := map[string]string{}
	for _, required := range ch.Metadata.Dependencies {
		isThere := slices.ContainsFunc(ch.Dependencies(), func(dependency *chart.Chart) bool { return dependency.Name() == required.Name })
		if !isThere {
			missing[keyOf(required)] = required.Name
		}
	}
	return missing
}

// refuseMissing tells of those requirements only that nothing switches off: Helm, whose words these are, wants the others in charts/
// as well, and makes nothing of them; here they are not fetched.
func refuseMissing(ch *chart.Chart, missing map[string]string) error {
	var names []string
	for _, required := range ch.Metadata.Dependencies {
		if name, ok := missing[keyOf(required)]; ok && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	return errors.New("an error occurred while checking for chart dependencies. You may need to run 'helm dependency build' " +
		"to fetch missing dependencies: found in Chart.yaml, but missing in charts/ directory: " + strings.Join(names, ", ") +
		"; with the input `dependencies: missing` they are fetched")
}

func toRenderValues(request Request, ch *chart.Chart, values map[string]any, capabilities *common.Capabilities) (common.Values, error) {
	options := common.ReleaseOptions{
		Name:      request.Release,
		Namespace: request.Namespace,
		Revision:  max(request.Revision, 1),
		IsInstall: !request.IsUpgrade,
		IsUpgrade: request.IsUpgrade,
	}
	return util.ToRenderValuesWithSchemaValidation(ch, values, options, capabilities, true)
}

func checkSchemas(ch *chart.Chart, renderValues common.Values, host Host) error {
	coalesced, err := renderValues.Table("Values")
	if err != nil {
		return err
	}
	enter := func(chartPath string) { host.Enter("schema", chartPath) }
	first := ""
	failed := func(chartPath string) {
		if first == "" {
			first = chartPath
		}
	}
	err = validateSchemas(ch, coalesced.AsMap(), enter, failed)
	if err == nil {
		return nil
	}
	failure := Failure{
		Message: fmt.Sprintf("values don't meet the specifications of the schema(s) in the following chart(s):\n%s", err),
	}
	if first != "" {
		failure.Template = path.Join(first, "values.schema.json")
		failure.Chart = chartOfPath(failure.Template)
	}
	return located{failure}
}

// addRecord stores chart and config as Helm's release record has them: after dependency processing.
func (r *Result) addRecord(ch *chart.Chart, values map[string]any) error {
	chartText, err := json.Marshal(ch)
	if err != nil {
		return fmt.Errorf("encoding chart for the release record: %w", err)
	}
	configText, err := json.Marshal(values)
	if err != nil {
		return fmt.Errorf("encoding values for the release record: %w", err)
	}
	r.Chart, r.Config = string(chartText), string(configText)
	r.Metadata = Metadata{
		Name:       ch.Metadata.Name,
		Version:    ch.Metadata.Version,
		AppVersion: ch.Metadata.AppVersion,
		Icon:       ch.Metadata.Icon,
	}
	return nil
}
