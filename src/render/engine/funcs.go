package main

import (
	"fmt"
	"maps"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig/v3"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

const (
	// maxSteps bounds until, untilStep and seq; maxRepeatBytes bounds repeat.
	maxSteps       = 5_000_000
	maxRepeatBytes = 64 << 20
)

// templateFuncs are the functions that replace Helm's own. Helm copies them last.
func templateFuncs(request Request, host Host, variety *variety) template.FuncMap {
	original := sprig.GenericFuncMap()
	until := original["until"].(func(int) []int)
	untilStep := original["untilStep"].(func(int, int, int) []int)
	seq := original["seq"].(func(...int) string)
	funcs := template.FuncMap{
		// Rendering asks no name server.
		"getHostByName": func(string) string { return "" },
		"until": func(count int) ([]int, error) {
			if err := checkSteps("until", 0, count, 1); err != nil {
				return nil, err
			}
			return until(count), nil
		},
		"untilStep": func(start, stop, step int) ([]int, error) {
			if err := checkSteps("untilStep", start, stop, step); err != nil {
				return nil, err
			}
			return untilStep(start, stop, step), nil
		},
		"seq": func(params ...int) (string, error) {
			start, step, stop := 1, 1, 1
			switch len(params) {
			case 1:
				stop = params[0]
			case 2:
				start, stop = params[0], params[1]
			case 3:
				start, step, stop = params[0], params[1], params[2]
			}
			if err := checkSteps("seq", start, stop, step); err != nil {
				return "", err
			}
			return seq(params...), nil
		},
		"repeat": func(count int, text string) (string, error) {
			if count > 0 && len(text) > maxRepeatBytes/count {
				return "", fmt.Errorf("repeat gives more than %d MiB", maxRepeatBytes>>20)
			}
			return strings.Repeat(text, count), nil
		},
	}
	if request.HasLookup {
		funcs["lookup"] = func(apiVersion, kind, namespace, name string) (map[string]any, error) {
			text, err := variety.lookup(host, apiVersion, kind, namespace, name)
			if err != nil || text == "" {
				return map[string]any{}, err
			}
			found := map[string]any{}
			// Whole numbers become int64, as in the objects that Helm's own client reads.
			return found, utiljson.Unmarshal([]byte(text), &found)
		}
	}
	maps.Copy(funcs, keyFuncs(host, original))
	variety.watch(funcs, original)
	return funcs
}

func checkSteps(name string, start, stop, step int) error {
	if step == 0 {
		return nil
	}
	if count := (stop - start) / step; count > maxSteps || -count > maxSteps {
		return fmt.Errorf("%s gives more than %d numbers", name, maxSteps)
	}
	return nil
}
