package main

import (
	"errors"
	"fmt"
)

// Question is one of ChartRules in src/ports.ts.
type Question struct {
	Choose       *Choice              `json:"choose"`
	Requirements *RequirementsRequest `json:"requirements"`
	Verify       *VerifyRequest       `json:"verify"`
	// Load asks whether the chart at this path can be loaded.
	Load string `json:"load"`
}

func (q Question) answer(host Host) (result any, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the render engine failed: %v", r)
		}
		if err != nil {
			// Its words may look like a place in a template, and are none.
			err = located{Failure{Message: err.Error()}}
		}
	}()
	switch {
	case q.Choose != nil:
		host.Enter("choose", q.Choose.Wanted)
		return choose(*q.Choose)
	case q.Requirements != nil:
		return requirements(*q.Requirements, host)
	case q.Verify != nil:
		return verify(*q.Verify, host)
	case q.Load != "":
		host.Enter("load", q.Load)
		_, _, err := loadChart(q.Load, nil, host)
		return struct{}{}, err
	}
	return nil, errors.New("the render engine was asked nothing")
}
