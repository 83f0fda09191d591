package main

import "encoding/json"

// Answer holds a result or a failure, as JSON. Its long texts go beside the JSON: escaping megabytes takes longer than sorting
// them does.
type Answer struct {
	Result  any      `json:"result,omitempty"`
	Failure *Failure `json:"failure,omitempty"`
	// Sizes of the texts in bytes.
	Sizes []int `json:"sizes"`

	texts []string
}

// textRef stands for a text in the answer's JSON.
type textRef struct {
	Index int `json:"textIndex"`
}

func answerTo(result any, err error) (string, []string) {
	answer := Answer{Sizes: []int{}}
	if err != nil {
		answer.Failure = describe(err)
	} else {
		answer.Result = result
		switch result := result.(type) {
		case *Result:
			answer.takeResult(result)
		case []Document:
			answer.takeDocuments(result)
		}
	}
	header, err := json.Marshal(answer)
	if err != nil {
		failure := &Failure{Message: "encoding the engine's answer: " + err.Error()}
		header, _ = json.Marshal(Answer{Failure: failure, Sizes: []int{}})
		return string(header), nil
	}
	return string(header), answer.texts
}

func (a *Answer) takeResult(result *Result) {
	a.takeDocuments(result.Documents)
	a.takeDocuments(result.CRDs)
	for _, file := range result.Again {
		a.takeDocuments(file.Documents)
	}
	for i := range result.CRDFiles {
		result.CRDFiles[i].TextRef = a.take(result.CRDFiles[i].Text)
	}
	result.ManifestRef, result.ChartRef, result.ConfigRef = a.take(result.Manifest), a.take(result.Chart), a.take(result.Config)
}

func (a *Answer) takeDocuments(documents []Document) {
	for i := range documents {
		documents[i].TextRef, documents[i].JSONRef = a.take(documents[i].Text), a.take(documents[i].JSON)
	}
}

func (a *Answer) take(text string) textRef {
	a.Sizes = append(a.Sizes, len(text))
	a.texts = append(a.texts, text)
	return textRef{len(a.texts) - 1}
}
