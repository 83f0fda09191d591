package main

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	yamlv2 "go.yaml.in/yaml/v2"
	releaseutil "helm.sh/helm/v4/pkg/release/v1/util"
	"sigs.k8s.io/yaml"
)

// readYAML gives what YAMLToJSON of sigs.k8s.io/yaml gives, to the byte, in half the time: the same reader, but neither maps nor
// reflection between it and the JSON. Whatever is not plain (merge keys, duplicate keys, errors) is left to YAMLToJSON. The
// head is what Helm looks at; isOdd: it is not in the form that Helm expects.
func readYAML(text string) (converted string, head releaseutil.SimpleHead, isOdd bool, err error) {
	if tree, ok := plainTree(text); ok {
		// Keys are sorted and text by now.
		if written, ok := appendJSON(nil, tree); ok {
			converted = string(written)
			if plainHead(tree, &head) {
				return converted, head, false, nil
			}
		}
	}
	if converted == "" {
		written, err := yaml.YAMLToJSON([]byte(text))
		if err != nil {
			return "", head, false, err
		}
		converted = string(written)
	}
	head = releaseutil.SimpleHead{}
	isOdd = json.Unmarshal([]byte(converted), &head) != nil
	return converted, head, isOdd, nil
}

// plainTree is false for what is read otherwise into slices than into maps: merge keys, and a document without entries.
func plainTree(text string) (yamlv2.MapSlice, bool) {
	if strings.Contains(text, "<<") || strings.Contains(text, "!") && strings.Contains(text, "merge") {
		return nil, false
	}
	var tree yamlv2.MapSlice
	err := yamlv2.Unmarshal([]byte(text), &tree)
	return tree, err == nil && len(tree) > 0
}

func appendJSON(to []byte, value any) ([]byte, bool) {
	switch value := value.(type) {
	case nil:
		return append(to, "null"...), true
	case string:
		return appendString(to, value)
	case bool:
		return strconv.AppendBool(to, value), true
	case int:
		return strconv.AppendInt(to, int64(value), 10), true
	case yamlv2.MapSlice:
		return appendObject(to, value)
	case []any:
		to = append(to, '[')
		for i, item := range value {
			if i > 0 {
				to = append(to, ',')
			}
			var ok bool
			if to, ok = appendJSON(to, item); !ok {
				return nil, false
			}
		}
		return append(to, ']'), true
	case int64, uint64, float64:
		text, err := json.Marshal(value)
		return append(to, text...), err == nil
	}
	return nil, false
}

func appendObject(to []byte, object yamlv2.MapSlice) ([]byte, bool) {
	for i := range object {
		switch key := object[i].Key.(type) {
		case string:
		case int:
			object[i].Key = strconv.Itoa(key)
		case bool:
			object[i].Key = strconv.FormatBool(key)
		default:
			return nil, false
		}
	}
	slices.SortFunc(object, func(a, b yamlv2.MapItem) int { return strings.Compare(a.Key.(string), b.Key.(string)) })
	to = append(to, '{')
	for i, item := range object {
		if i > 0 {
			if item.Key == object[i-1].Key {
				return nil, false
			}
			to = append(to, ',')
		}
		var ok bool
		if to, ok = appendString(to, item.Key.(string)); !ok {
			return nil, false
		}
		to = append(to, ':')
		if to, ok = appendJSON(to, item.Value); !ok {
			return nil, false
		}
	}
	return append(to, '}'), true
}

func appendString(to []byte, text string) ([]byte, bool) {
	for i := range len(text) {
		if char := text[i]; char < ' ' || char >= utf8.RuneSelf || strings.IndexByte(`"\<>&`, char) >= 0 {
			// Escapes are the library's own.
			quoted, err := json.Marshal(text)
			return append(to, quoted...), err == nil && utf8.ValidString(text)
		}
	}
	to = append(to, '"')
	to = append(to, text...)
	return append(to, '"'), true
}

// plainHead fills in the head of a document whose parts have the expected types; keys that differ by case only are not plain.
func plainHead(tree yamlv2.MapSlice, head *releaseutil.SimpleHead) bool {
	for _, item := range tree {
		var ok bool
		switch key := item.Key.(string); {
		case key == "apiVersion":
			head.Version, ok = item.Value.(string)
		case key == "kind":
			head.Kind, ok = item.Value.(string)
		case key == "metadata":
			ok = plainMetadata(item.Value, head)
		default:
			ok = !strings.EqualFold(key, "apiVersion") && !strings.EqualFold(key, "kind") && !strings.EqualFold(key, "metadata")
		}
		if !ok {
			return false
		}
	}
	return true
}

func plainMetadata(value any, head *releaseutil.SimpleHead) bool {
	metadata, ok := value.(yamlv2.MapSlice)
	if !ok {
		return false
	}
	head.Metadata = &struct {
		Name        string            `json:"name"`
		Annotations map[string]string `json:"annotations"`
	}{}
	for _, item := range metadata {
		switch key := item.Key.(string); {
		case key == "name":
			head.Metadata.Name, ok = item.Value.(string)
		case key == "annotations":
			head.Metadata.Annotations, ok = textMap(item.Value)
		default:
			ok = !strings.EqualFold(key, "name") && !strings.EqualFold(key, "annotations")
		}
		if !ok {
			return false
		}
	}
	return true
}

func textMap(value any) (map[string]string, bool) {
	entries, ok := value.(yamlv2.MapSlice)
	if !ok {
		return nil, false
	}
	texts := make(map[string]string, len(entries))
	for _, item := range entries {
		if texts[item.Key.(string)], ok = item.Value.(string); !ok {
			return nil, false
		}
	}
	return texts, true
}
