package main

import (
	"encoding/json"
	"fmt"
	"slices"

	"helm.sh/helm/v4/pkg/chart/common"
)

// capabilitiesFor gives what `.Capabilities` shows. With a cluster, the kinds that this chart's own crds/ will serve
// count as served: Helm installs crds/ before it asks the cluster.
func capabilitiesFor(request Request, crds []Document) (*common.Capabilities, error) {
	capabilities := common.DefaultCapabilities.Copy()
	if request.KubeVersion != "" {
		// Also for a live cluster, where Helm compares a vendor's suffix (v1.34.1-gke.100) as a pre-release.
		version, err := common.ParseKubeVersion(request.KubeVersion)
		if err != nil {
			return nil, fmt.Errorf("invalid kube version '%s': %w", request.KubeVersion, err)
		}
		capabilities.KubeVersion = *version
	}
	versions := slices.Clone(capabilities.APIVersions)
	if len(request.APIVersions) > 0 {
		versions = slices.Clone(request.APIVersions)
		for _, document := range crds {
			for _, version := range servedBy(document) {
				if !slices.Contains(versions, version) {
					versions = append(versions, version)
				}
			}
		}
	}
	capabilities.APIVersions = append(versions, request.ExtraAPIVersions...)
	return capabilities, nil
}

// servedBy gives group/version and group/version/Kind of a CustomResourceDefinition.
func servedBy(document Document) []string {
	var crd struct {
		Kind string `json:"kind"`
		Spec struct {
			Group string `json:"group"`
			Names struct {
				Kind string `json:"kind"`
			} `json:"names"`
			// Version is of apiextensions v1beta1.
			Version  string `json:"version"`
			Versions []struct {
				Name   string `json:"name"`
				Served *bool  `json:"served"`
			} `json:"versions"`
		} `json:"spec"`
	}
	if json.Unmarshal([]byte(document.JSON), &crd) != nil || crd.Kind != "CustomResourceDefinition" {
		return nil
	}
	var served []string
	add := func(version string) {
		groupVersion := crd.Spec.Group + "/" + version
		served = append(served, groupVersion, groupVersion+"/"+crd.Spec.Names.Kind)
	}
	if crd.Spec.Version != "" && len(crd.Spec.Versions) == 0 {
		add(crd.Spec.Version)
	}
	for _, version := range crd.Spec.Versions {
		if version.Served == nil || *version.Served {
			add(version.Name)
		}
	}
	return served
}
