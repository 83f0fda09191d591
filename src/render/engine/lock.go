package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"

	chart "helm.sh/helm/v4/pkg/chart/v2"
)

// LockState is a Chart.lock or requirements.lock.
type LockState struct {
	// Fits says that it is of these requirements.
	Fits    bool        `json:"fits"`
	Entries []LockEntry `json:"entries"`
}

type LockEntry struct {
	Name       string `json:"name"`
	Version    string `json:"version"`
	Repository string `json:"repository"`
}

func lockOf(ch *chart.Chart) *LockState {
	if ch.Lock == nil {
		return nil
	}
	state := &LockState{Fits: isInSync(ch), Entries: []LockEntry{}}
	for _, locked := range ch.Lock.Dependencies {
		if locked != nil {
			state.Entries = append(state.Entries, LockEntry{locked.Name, locked.Version, locked.Repository})
		}
	}
	return state
}

// isInSync is by what `helm dependency build` takes a lock for that of the requirements. Source: pkg/downloader, manager.go, Build;
// internal/resolver, resolver.go, HashReq and HashV2Req.
func isInSync(ch *chart.Chart) bool {
	required, locked := ch.Metadata.Dependencies, ch.Lock.Dependencies
	if digestOf([2][]*chart.Dependency{withAddresses(required, locked), locked}) == ch.Lock.Digest {
		return true
	}
	// A lock by Helm 2.
	return ch.Metadata.APIVersion == chart.APIVersionV1 &&
		digestOf(map[string][]*chart.Dependency{"dependencies": required}) == ch.Lock.Digest
}

// withAddresses replaces names of repositories by the addresses that they had when the lock was made: Helm counts addresses.
func withAddresses(required, locked []*chart.Dependency) []*chart.Dependency {
	if required == nil {
		return nil
	}
	result := make([]*chart.Dependency, len(required))
	for i, dependency := range required {
		result[i] = dependency
		isNamed := strings.HasPrefix(dependency.Repository, "@") || strings.HasPrefix(dependency.Repository, "alias:")
		if isNamed && i < len(locked) && locked[i] != nil && locked[i].Name == dependency.Name {
			addressed := *dependency
			addressed.Repository = locked[i].Repository
			result[i] = &addressed
		}
	}
	return result
}

func digestOf(dependencies any) string {
	text, err := json.Marshal(dependencies)
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(text)
	return "sha256:" + hex.EncodeToString(sum[:])
}
