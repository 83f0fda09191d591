package main

import (
	"encoding/json"
	"fmt"

	"helm.sh/helm/v4/pkg/chart/common/util"
	chart "helm.sh/helm/v4/pkg/chart/v2"
)

// Reuse is what the deployed revision was rendered from, for --reuse-values and --reset-then-reuse-values.
type Reuse struct {
	// KeepsDefaults: the old revision's defaults take the place of the chart's own (--reuse-values).
	KeepsDefaults bool `json:"keepsDefaults"`
	// ChartName and ChartValues are of the chart in the record; a record holds no subcharts.
	ChartName string `json:"chartName"`
	// ChartValues and Config are JSON text.
	ChartValues string `json:"chartValues"`
	Config      string `json:"config"`
}

// reuseValues gives the values with those of the record below them, as Helm does before it processes dependencies.
// Source: pkg/action, upgrade.go, reuseValues. Numbers come as Helm reads a record: as floating point.
func reuseValues(reuse *Reuse, ch *chart.Chart, values map[string]any) (map[string]any, error) {
	if reuse == nil {
		return values, nil
	}
	var config, defaults map[string]any
	// No error of the parser: it may quote a value.
	if json.Unmarshal([]byte(reuse.Config), &config) != nil || json.Unmarshal([]byte(reuse.ChartValues), &defaults) != nil {
		return nil, fmt.Errorf("the values in the record of the release cannot be read")
	}
	if reuse.KeepsDefaults {
		old := &chart.Chart{Metadata: &chart.Metadata{Name: reuse.ChartName}, Values: defaults}
		coalesced, err := util.CoalesceValues(old, config)
		if err != nil {
			return nil, fmt.Errorf("failed to rebuild old values: %w", err)
		}
		ch.Values = coalesced
	}
	return util.CoalesceTables(values, config), nil
}
